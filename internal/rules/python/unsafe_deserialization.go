package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	p.ReportFlows("deserialization")
	for _, call := range p.CallsTo("yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load") {
		if p.Constant(p.Arg(call, 0)) || made(p, p.Callee(call)) {
			continue
		}
		loader := rule.Either(p.Keyword(call, "Loader"), p.Arg(call, 1))
		name := rule.LastName(loader.Text())
		unsafe := rule.OneOf(name, "UnsafeLoader", "Loader", "CLoader", "UnsafeCLoader") &&
			strings.HasPrefix(resolve(p, p.Dotted(loader)), "yaml.")
		switch {
		case !loader.Valid() && rule.LastName(callee(p, call)) == "load" && call.ChildByField("arguments").NumNamed() == 1:
			p.ReportAs(call, "medium", "without a loader: builds any object before PyYAML 5.1, fails since 6.0")
		case callee(p, call) == "yaml.unsafe_load" || unsafe && !derived(p, name):
			p.ReportAs(call, "medium", "with a loader that builds any object")
		}
	}
}

// made tells whether the first name of a dotted one is an object that the file makes: yaml = YAML(typ="safe") is no module.
func made(p *rule.Pass, dotted string) bool {
	first, _, _ := strings.Cut(dotted, ".")
	return slices.ContainsFunc(p.Given(p.Tree.Root(), first), func(a rule.Assignment) bool { return p.IsCall(a.Value) })
}

// derived: class Loader(yaml.SafeLoader) in the same file is not PyYAML's own Loader.
func derived(p *rule.Pass, name string) bool {
	return slices.ContainsFunc(p.Nodes("class_definition"), func(c rule.Node) bool { return c.ChildByField("name").Text() == name })
}
