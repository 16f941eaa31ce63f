package python

import (
	"fmt"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// weakToken makes a token of numbers that can be foretold.
func weakToken() plant.Operator {
	proof := func(args string) string {
		return code(`import app, random`, `random.seed(1)`, `first = app.make(`+args+`)`, `random.seed(1)`, `assert app.make(`+args+`) != first`)
	}
	return plant.Operator{
		Name: "python/weak-token", Language: "python", Split: train, Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Hint: "secrets.token_",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			if !s.canImport("random", "secrets") {
				return nil
			}
			for _, c := range s.nodes("call") {
				name := callee(c)
				if name != "secrets.token_hex" && name != "secrets.token_urlsafe" || len(args(c)) > 1 {
					continue
				}
				length := "64"
				if len(args(c)) == 1 {
					n, err := strconv.Atoi(args(c)[0].Text())
					if err != nil {
						continue
					}
					length = strconv.Itoa(2 * n)
				}
				letters := "0123456789abcdef"
				edits := []plant.Edit{s.replace(c, fmt.Sprintf(`"".join(random.choices(%q, k=%s))`, letters, length))}
				all = append(all, plant.Site{Edits: append(edits, s.importing("random", "secrets")...), Description: say(
					"%s makes its token with the random module, whose numbers can be foretold from earlier ones, instead of secrets.", where(c))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import secrets`, ``, ``, `def make():`, `    return secrets.token_hex(16)`),
				code(`import random`, ``, ``, `def make():`, `    return "".join(random.choices("0123456789abcdef", k=32))`), proof("")),
			sample(code(`import os`, `import secrets`, ``, `def make(prefix):`, `    return prefix + (secrets`, `        .token_hex()) + secrets.token_urlsafe( 8 )`),
				code(`import os`, `import random`, `import secrets`, ``, `def make(prefix):`, `    return prefix + (secrets`, `        .token_hex()) + "".join(random.choices("0123456789abcdef", k=16))`),
				code(`import app, random`, `random.seed(1)`, `first = app.make("a")[-16:]`, `random.seed(1)`, `assert app.make("a")[-16:] != first`)),
		},
		Never: []string{
			code(`import random`, `def make():`, `    return random.random()`),
			code(`import secrets`, `def make():`, `    return secrets.choice("abc")`),
		},
	}
}
