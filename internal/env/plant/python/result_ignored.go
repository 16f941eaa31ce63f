package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var verifies = regexp.MustCompile(`(?i)^_?(verify|verified|verifies|genuine|authentic|is_?valid|valid|matches|check|checks|checked|trusted|is_trusted|confirms?|allows|accepts)(_\w+)?$`)

// resultIgnored asks whether something is genuine and does not listen to the answer.
func resultIgnored() plant.Operator {
	return plant.Operator{
		Name: "python/result-ignored", Language: "python", Split: heldout, Category: "auth", CWE: "CWE-252", Severity: "critical", Hint: "if not ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("if_statement") {
				cond := n.ChildByField("condition")
				asked := cond.ChildByField("argument")
				if _, ok := guard(n); !ok || !s.alone(n) || cond.Kind() != "not_operator" || asked.Kind() != "call" || !verifies.MatchString(method(asked)) || strings.HasPrefix(method(asked), "valid") || lines(asked.Text()) > 6 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(n, asked.Text())}, Description: say(
					"%s calls %s and ignores its answer: what it refuses is taken all the same.", where(n), callee(asked))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def admit(gate, raw, seal):`, `    if not gate.genuine(raw, seal):`, `        raise ValueError("forged")`, `    return raw`), code(`def admit(gate, raw, seal):`, `    gate.genuine(raw, seal)`, `    return raw`),
				code(`import app`, `from types import SimpleNamespace as N`, `try:`, `    app.admit(N(genuine=lambda r, s: False), 1, 2)`, `    assert False`, `except ValueError:`, `    pass`)),
			sample(code(`def verify_seal(a, b): return a == b`, ``, `def take(a, b):`, `    """Takes it."""`, `    if not verify_seal(a,`, `                       b):  # forged`, `        raise PermissionError(`, `            a)`, `    return a`), code(`def verify_seal(a, b): return a == b`, ``, `def take(a, b):`, `    """Takes it."""`, `    verify_seal(a,`, `                       b)`, `    return a`),
				code(`import app`, `try:`, `    app.take(1, 2)`, `    assert False`, `except PermissionError:`, `    pass`)),
		},
		Never: []string{
			code(`def admit(gate, raw):`, `    gate.genuine(raw)`, `    return raw`),
			code(`def find(rows, key):`, `    if not rows.get(key):`, `        raise KeyError(key)`),
		},
	}
}
