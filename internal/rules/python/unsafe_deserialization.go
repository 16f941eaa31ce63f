package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	flow := remoteFlow(p)
	for _, call := range p.Calls() {
		switch callee(p, call) {
		case "pickle.loads", "pickle.load", "cPickle.loads", "dill.loads", "cloudpickle.loads", "marshal.loads", "jsonpickle.decode",
			"joblib.load", "pickle.Unpickler":
			if flow.Tainted(p.Arg(call, 0)) {
				p.Report(call, "")
			}
		case "yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load":
			yamlLoad(p, flow, call)
		}
	}
}

func yamlLoad(p *rule.Pass, flow *rule.Flow, call rule.Node) {
	if p.Constant(p.Arg(call, 0)) {
		return
	}
	tainted := flow.Tainted(p.Arg(call, 0))
	loader := p.Keyword(call, "Loader")
	if !loader.Valid() {
		loader = p.Arg(call, 1)
	}
	name := rule.LastName(loader.Text())
	unsafe := rule.OneOf(name, "UnsafeLoader", "Loader", "CLoader", "UnsafeCLoader") &&
		strings.HasPrefix(resolve(p, p.Dotted(loader)), "yaml.")
	switch {
	case !loader.Valid() && rule.LastName(callee(p, call)) == "load" && call.ChildByField("arguments").NumNamed() == 1:
		p.ReportAs(call, "medium", "without a loader: builds any object before PyYAML 5.1, fails since 6.0")
	case callee(p, call) == "yaml.unsafe_load" || unsafe && !derived(p, name):
		if tainted {
			p.Report(call, "the document comes from a request")
		} else {
			p.ReportAs(call, "medium", "with a loader that builds any object")
		}
	}
}

// derived: class Loader(yaml.SafeLoader) in the same file is not PyYAML's own Loader.
func derived(p *rule.Pass, name string) bool {
	for _, c := range p.Nodes("class_definition") {
		if c.ChildByField("name").Text() == name {
			return true
		}
	}
	return false
}
