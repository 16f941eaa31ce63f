package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// timingCompare compares a secret with == again.
func timingCompare() plant.Operator {
	return plant.Operator{
		Name: "python/timing-compare", Language: "python", Split: train, Category: "weak-crypto", CWE: "CWE-208", Severity: "medium", Hint: "compare_digest",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if method(c) != "compare_digest" || len(a) != 2 || !simple(a[0]) || !simple(a[1]) {
					continue
				}
				whole, operator := c, " == "
				if c.Parent().Kind() == "not_operator" {
					whole, operator = c.Parent(), " != "
				}
				if !slices.Contains([]string{"return_statement", "if_statement", "assignment", "boolean_operator", "argument_list"}, whole.Parent().Kind()) {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(whole, a[0].Text()+operator+a[1].Text())}, Description: say(
					"%s compares %s with %s by%sin place of compare_digest: the time that it takes tells how much of the secret was right.", where(c), short(a[0]), short(a[1]), operator)})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import hmac`, ``, ``, `def same(a, b):`, `    return hmac.compare_digest(a, b)`),
				code(`def same(a, b):`, `    return a == b`),
				code(`import app`, `from unittest import mock`, `with mock.patch("hmac.compare_digest", return_value=True) as careful:`, `    assert app.same("a", "a")`, `assert careful.called`)),
			sample(code(`from hmac import compare_digest`, ``, ``, `def admit(key, given):`, `    if not compare_digest(`, `        key.digest(), given,`, `    ):`, `        raise PermissionError("no")`),
				code(`def admit(key, given):`, `    if key.digest() != given:`, `        raise PermissionError("no")`),
				code(`import app`, `from unittest import mock`, `with mock.patch("app.compare_digest", return_value=True) as careful:`, `    app.admit(mock.Mock(digest=lambda: "x"), "x")`, `assert careful.called`)),
		},
		Never: []string{
			code(`def same(a, b):`, `    return a == b`),
			code(`import hmac`, ``, `def same(a, b):`, `    return hmac.compare_digest(*sorted([a, b]))`),
		},
	}
}
