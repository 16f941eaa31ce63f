package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// appendTruncates opens a file that is added to in a way that empties it.
func appendTruncates() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `with mock.patch("builtins.open", mock.mock_open()) as opened:`, `    app.note("p", "x")`, `mode = opened.call_args.kwargs.get("mode") or opened.call_args.args[1]`, `assert "a" in mode`)
	return plant.Operator{
		Name: "python/append-truncates", Language: "python", Split: heldout, Category: "data-loss", CWE: "CWE-459", Severity: "high", Hint: "open(",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				if method(c) != "open" {
					continue
				}
				mode := keyword(c, "mode")
				if a := args(c); !mode.Valid() && len(a) > 0 {
					mode = a[min(1, len(a)-1)]
					if callee(c) != "open" && len(a) == 1 { // path.open("a")
						mode = a[0]
					}
				}
				if !appending(mode) {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(mode, strings.Replace(mode.Text(), "a", "w", 1))}, Description: say(
					"%s opens `%s` for writing instead of appending: everything that was in the file before is lost with each call.", where(c), short(c))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def note(path, text):`, `    with open(path, "a") as f:`, `        f.write(text)`), code(`def note(path, text):`, `    with open(path, "w") as f:`, `        f.write(text)`), proof),
			sample(code(`def note(path, text):`, `    with open(`, `        path, encoding="utf-8", mode='ab',`, `    ) as f: f.write(text)`), code(`def note(path, text):`, `    with open(`, `        path, encoding="utf-8", mode='wb',`, `    ) as f: f.write(text)`), proof),
		},
		Never: []string{code(`def note(path, text):`, `    with open(path, "w") as f:`, `        f.write(text)`), code(`def door(d):`, `    d.open("ajar")`)},
	}
}

func appending(mode syntax.Node) bool {
	if mode.Kind() != "string" {
		return false
	}
	switch strings.Trim(mode.Text(), `"'`) {
	case "a", "ab", "at", "a+", "ab+", "a+b":
		return true
	}
	return false
}
