package golang

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// waitgroupAdd looks for Add inside the goroutine it should announce.
func waitgroupAdd() rule.Rule {
	return rule.Rule{
		ID: "go/waitgroup-add", Title: "WaitGroup.Add called inside the goroutine it counts",
		Category: "concurrency", CWE: "CWE-362", Severity: "high", Languages: languages, Confidence: 0.9,
		Explanation: "Wait may run before the new goroutine reaches Add; it then sees zero and returns while the work is still going on, so results are missing now and then.",
		Suggestion:  "Call Add before the go statement, or use wg.Go(func() { ... }).",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"sync\"\n\nfunc all(fs []func()) {\n\tvar wg sync.WaitGroup\n\tfor _, f := range fs {\n\t\tgo func() {\n\t\t\twg.Add(1)\n\t\t\tdefer wg.Done()\n\t\t\tf()\n\t\t}()\n\t}\n\twg.Wait()\n}\n"},
			{Source: "package a\n\nimport \"sync\"\n\nfunc one(f func()) {\n\twg := &sync.WaitGroup{}\n\tgo func() {\n\t\twg.Add(1)\n\t\tf()\n\t\twg.Done()\n\t}()\n\twg.Wait()\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"sync\"\n\nfunc all(fs []func()) {\n\tvar wg sync.WaitGroup\n\tfor _, f := range fs {\n\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tf()\n\t\t}()\n\t}\n\twg.Wait()\n}\n"},
			{Source: "package a\n\nimport \"sync\"\n\nfunc nest(f func()) {\n\tgo func() {\n\t\tvar wg sync.WaitGroup\n\t\twg.Add(1)\n\t\tgo func() { defer wg.Done(); f() }()\n\t\twg.Wait()\n\t}()\n}\n"},
			{Source: "package a\n\nimport \"sync\"\n\nfunc fan(f func()) {\n\tvar wg sync.WaitGroup\n\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t\twg.Add(1)\n\t\tgo func() { defer wg.Done(); f() }()\n\t}()\n\twg.Wait()\n}\n"},
			{Source: "package a\n\ntype counter struct{ n int }\n\nfunc (c *counter) Add(n int) { c.n += n }\n\nfunc f(c *counter) {\n\tgo func() { c.Add(1) }()\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for call := range p.Nodes("call_expression") {
				x, name := method(call)
				if name != "Add" || x.Kind() != "identifier" || call.Parent().Kind() != "expression_statement" {
					continue
				}
				fn := p.Function(call)
				started := fn.Kind() == "func_literal" && fn.Parent().Kind() == "call_expression" && fn.Parent().Parent().Kind() == "go_statement"
				if !started || len(values(fn, x.Text())) > 0 || declares(p, fn, x.Text()) {
					continue
				}
				done := false
				for c := range fn.Find("call_expression") {
					y, m := method(c)
					done = done || m == "Done" && y.Text() == x.Text() && p.Function(c) == fn
				}
				outer := p.Function(fn)
				if done && outer.Valid() && isWaitGroup(p, outer, x.Text()) && !addedBefore(p, fn, x.Text()) {
					p.Report(call, "")
				}
			}
		},
	}
}

// addedBefore tells whether an Add outside of the goroutine fn already keeps
// the counter up: then fn may add more while it runs.
func addedBefore(p *rule.Pass, fn syntax.Node, wg string) bool {
	for call := range p.Nodes("call_expression") {
		x, name := method(call)
		if name == "Add" && x.Text() == wg && call.Start() < fn.Start() {
			return true
		}
	}
	return false
}
