package ruby

import (
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func sharedDefault() rule.Rule {
	return rule.Rule{
		ID: "ruby/shared-hash-default", Title: "all missing keys of a hash share one default object",
		Category: "logic", CWE: "CWE-665", Severity: "medium", Confidence: 0.88,
		Languages: []string{"ruby"},
		Explanation: "Hash.new([]) hands out the same array for every missing key and stores nothing. h[:a] << 1 changes that one default: afterwards h[:b] contains 1 too, and h is " +
			"still empty.",
		Suggestion: "Hash.new { |hash, key| hash[key] = [] }",
		Bad: []rule.Sample{
			{Source: "groups = Hash.new([])\nitems.each { |i| groups[i.kind] << i }\n"},
			{Source: "def index\n  seen = Hash.new({})\n  rows.each { |r| seen[r.a][r.b] = r }\n  seen\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "groups = Hash.new { |h, k| h[k] = [] }\nitems.each { |i| groups[i.kind] << i }\n"},
			{Source: "counts = Hash.new(0)\nitems.each { |i| counts[i.kind] += 1 }\n"},
			{Source: "groups = Hash.new([].freeze)\ngroups[:a] += [1]\n"},
			{Source: "groups = Hash.new([])\ngroups[:a] += [1]\n"},
		},
		Check: func(p *rule.Pass) {
			for _, a := range p.Assignments(p.Tree.Root()) {
				if p.Callee(a.Value) != "Hash.new" {
					continue
				}
				d := first(p, a.Value)
				if k := d.Kind(); k != "array" && k != "hash" {
					continue
				}
				name := a.Target.Text()
				for e := range p.Scope(a.Node).Find("element_reference") {
					if e.ChildByField("object").Text() != name {
						continue
					}
					up := e.Parent()
					mutated := up.Kind() == "binary" && up.ChildByField("operator").Text() == "<<" && up.ChildByField("left") == e ||
						up.Kind() == "element_reference" && up.Parent().Kind() == "assignment" && up.Field() == "left" ||
						up.Kind() == "call" && e.Field() == "receiver" && slices.Contains([]string{"push", "append", "concat", "unshift", "store", "merge!", "insert"}, p.Method(up))
					if mutated {
						p.Report(a.Node, "changed at line "+strconv.Itoa(e.Line()))
						break
					}
				}
			}
		},
	}
}
