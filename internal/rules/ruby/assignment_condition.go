package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func assignmentInCondition() rule.Rule {
	return rule.Rule{
		ID: "ruby/assignment-in-condition", Title: "a constant is assigned where it should be compared",
		Category: "comparison", CWE: "CWE-481", Severity: "high", Confidence: 0.93,
		Languages:   []string{"ruby"},
		Explanation: "The condition stores the constant in the variable and tests the constant: the variable is overwritten and the branch is always taken, or never.",
		Suggestion:  "Write ==.",
		Bad: []rule.Sample{
			{Source: "if role = 'admin'\n  open\nend\n"},
			{Source: "def go\n  stop unless @state = :ready\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "if role == 'admin'\n  open\nend\n"},
			{Source: "if (user = User.find_by(name: name))\n  open(user)\nend\n"},
			{Source: "while line = gets\n  puts line\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("if", "unless", "if_modifier", "unless_modifier", "while", "elsif") {
				c := n.ChildByField("condition")
				for c.Kind() == "parenthesized_statements" && c.NumNamed() == 1 {
					c = c.NamedChild(0)
				}
				if c.Kind() != "assignment" {
					continue
				}
				switch c.ChildByField("right").Kind() {
				case "string", "integer", "float", "simple_symbol", "true", "false", "nil":
					p.Report(c, "")
				}
			}
		},
	}
}
