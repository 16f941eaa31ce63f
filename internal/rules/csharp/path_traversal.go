package csharp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathTraversal(p *rule.Pass) {
	for _, c := range p.Calls() {
		name := strings.TrimPrefix(p.Callee(c), "System.IO.")
		if !rule.OneOf(name, "File.ReadAllText", "File.ReadAllBytes", "File.OpenRead", "File.WriteAllText", "File.WriteAllBytes", "File.Delete",
			"File.Open", "File.ReadLines", "File.ReadAllLines") {
			continue
		}
		text := value(p, p.Arg(c, 0)).Text()
		if request.MatchString(text) && !strings.Contains(text, "GetFileName") && !encoded.MatchString(text) {
			p.Report(c, "")
		}
	}
}
