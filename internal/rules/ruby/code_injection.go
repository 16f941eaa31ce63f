package ruby

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func codeInjection() rule.Rule {
	evals := []string{"eval", "instance_eval", "class_eval", "module_eval", "send", "public_send", "__send__", "instance_variable_get", "const_get"}
	return rule.Rule{
		ID: "ruby/code-injection", Title: "request data chooses the code that runs",
		Category: "injection", CWE: "CWE-95", Severity: "critical", Confidence: 0.9,
		Languages:   []string{"ruby"},
		Explanation: "eval runs the text as Ruby; send and constantize let the client name any method or class, private ones, exit and Kernel#system included.",
		Suggestion:  "Map the parameter to a method with a case or a hash of what is allowed.",
		Bad: []rule.Sample{
			{Source: "class CalcController < ApplicationController\n  def show\n    render plain: eval(params[:expression])\n  end\nend\n"},
			{Source: "class ItemsController < ApplicationController\n  def update\n    @item.send(params[:action_name], 1)\n  end\nend\n"},
			{Source: "class ItemsController < ApplicationController\n  def new\n    @item = params[:type].classify.constantize.new\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class ItemsController < ApplicationController\n  def update\n    @item.public_send(:rename, params[:name])\n  end\nend\n"},
			{Source: "class ItemsController < ApplicationController\n  def update\n    act = params[:act]\n    @item.send(act) if %w[open close].include?(act)\n  end\nend\n"},
			{Source: "class Config\n  def load(text)\n    eval(text)\n  end\nend\n"},
			{Source: "class ItemsController < ApplicationController\n  def update\n    @item.send(\"toggle_#{params[:flag]}\")\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				m := p.Method(call)
				code := first(p, call)
				switch {
				case slices.Contains(evals, m):
					if m == "send" && !receiver(call).Valid() && len(p.Args(call)) == 0 {
						continue
					}
				case m == "constantize" || m == "safe_constantize":
					code = receiver(call)
				default:
					continue
				}
				if !code.Valid() || m != "eval" && p.IsString(code) || !tainted(p, code) || enumerated(p, call, code) {
					continue
				}
				p.Report(call, "")
			}
		},
	}
}

// enumerated tells whether a list, a case or a pattern confines what n may be.
func enumerated(p *rule.Pass, call, n syntax.Node) bool {
	around := p.Scope(call)
	known := regexp.MustCompile(`include\?|when\s|=~|match\?|respond_to\?|key\?|member\?|\.in\?|allowed|valid|permitted|\s<=?\s+[A-Z:]`)
	if around.Kind() == "program" {
		return known.MatchString(call.Enclosing("if", "if_modifier", "case", "unless", "unless_modifier", "do_block").Text())
	}
	return known.MatchString(around.Text())
}
