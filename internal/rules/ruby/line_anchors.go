package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func lineAnchors() rule.Rule {
	return rule.Rule{
		ID: "ruby/line-anchors", Title: "a validation checks one line of the text, not the whole",
		Category: "logic", CWE: "CWE-777", Severity: "medium", Confidence: 0.9,
		Languages: []string{"ruby"},
		Explanation: "In Ruby ^ and $ match at every line. \"javascript:alert(1)\\nhttp://ok\" passes /^http:\\/\\/.*$/ because its second line does, so the rest of the text was never " +
			"checked.",
		Suggestion: `Use \A and \z.`,
		Bad: []rule.Sample{
			{Source: "class User < ApplicationRecord\n  validates :login, format: { with: /^[a-z]+$/ }\nend\n"},
			{Source: "class User < ApplicationRecord\n  validates_format_of :site, with: /^https?:/, multiline: true\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class User < ApplicationRecord\n  validates :login, format: { with: /\\A[a-z]+\\z/ }\nend\n"},
			{Source: "text.lines.grep(/^#/)\n"},
			{Source: "class User < ApplicationRecord\n  validates :login, format: { with: /[a-z]/ }\nend\n"},
			{Source: "class User < ApplicationRecord\n  validates :login, format: { with: /[^a]/ }\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name := p.Callee(call)
				if name != "validates" && name != "validates_format_of" {
					continue
				}
				for n := range call.Find("regex") {
					text := strings.TrimPrefix(strings.TrimPrefix(n.Text(), "/"), "%r{")
					if pair := n.Parent(); pair.Kind() == "pair" && strings.Trim(pair.ChildByField("key").Text(), ":") == "with" && strings.HasPrefix(text, "^") {
						p.Report(n, "")
					}
				}
			}
		},
	}
}
