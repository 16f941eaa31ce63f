package ruby

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func crossSiteScripting() rule.Rule {
	return rule.Rule{
		ID: "ruby/reflected-xss", Title: "request data is marked as safe HTML",
		Category: "xss", CWE: "CWE-79", Severity: "high", Confidence: 0.88,
		Languages:   []string{"ruby"},
		Explanation: "html_safe and raw tell Rails not to escape. A link whose parameter holds <script> then runs that script in the reader's session with this site.",
		Suggestion:  "Drop html_safe: Rails escapes by itself; build HTML with tag helpers, or sanitize() what must contain markup.",
		Bad: []rule.Sample{
			{Source: "class SearchController < ApplicationController\n  def show\n    @title = \"Results for <b>#{params[:q]}</b>\".html_safe\n  end\nend\n"},
			{Source: "class SearchController < ApplicationController\n  def show\n    render html: params[:q].html_safe\n  end\nend\n"},
			{Source: "class SearchController < ApplicationController\n  def show\n    render inline: \"<p>#{params[:q]}</p>\"\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class SearchController < ApplicationController\n  def show\n    @title = \"Results for #{ERB::Util.html_escape(params[:q])}\".html_safe\n  end\nend\n"},
			{Source: "class SearchController < ApplicationController\n  def show\n    render plain: params[:q]\n  end\nend\n"},
			{Source: "module Helper\n  def star\n    '<b>*</b>'.html_safe\n  end\nend\n"},
			{Source: "class SearchController < ApplicationController\n  def show\n    @title = \"Page #{params[:page].to_i}\".html_safe\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				text := syntax.Node{}
				switch p.Method(call) {
				case "html_safe":
					text = receiver(call)
				case "raw":
					if !receiver(call).Valid() {
						text = first(p, call)
					}
				case "render":
					text = p.Keyword(call, "inline")
				}
				if text.Valid() && tainted(p, text) {
					p.Report(call, "")
				}
			}
		},
	}
}
