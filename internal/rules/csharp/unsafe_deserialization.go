package csharp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	for _, c := range p.Calls() {
		if p.Method(c) == "Deserialize" {
			made := value(p, c.ChildByField("function").ChildByField("expression"))
			if rule.OneOf(p.Callee(made), "BinaryFormatter", "NetDataContractSerializer", "SoapFormatter", "LosFormatter") &&
				!strings.Contains(p.Scope(c).Text(), "Binder") {
				p.Report(c, p.Callee(made))
			}
		}
		if name, _, _ := strings.Cut(p.Method(c), "<"); name == "DeserializeObject" {
			settings := value(p, p.Arg(c, 1)).Text()
			if rule.OneOf(namedHandling(settings), "All", "Auto", "Objects") && !strings.Contains(settings, "Binder") {
				p.Report(c, "TypeNameHandling")
			}
		}
	}
}

func namedHandling(settings string) string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(settings, " ", ""), "TypeNameHandling=TypeNameHandling.")
	end := strings.IndexAny(rest, ",}) ;\n\t")
	if end < 0 {
		return rest
	}
	return rest[:end]
}
