package python

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// fewRounds derives a key in so few rounds that guessing is cheap.
func fewRounds() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `with mock.patch("hashlib.pbkdf2_hmac", create=True, return_value=b"k") as slow:`, `    app.key(b"p", b"s")`, `assert slow.call_args.args[3] >= 100_000`)
	return plant.Operator{
		Name: "python/few-rounds", Language: "python", Split: heldout, Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Hint: "pbkdf2_hmac",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if method(c) != "pbkdf2_hmac" || len(a) < 4 {
					continue
				}
				rounds := a[3]
				if rounds.Kind() == "identifier" {
					rounds = s.constant(rounds.Text())
				}
				n, err := strconv.Atoi(strings.ReplaceAll(rounds.Text(), "_", ""))
				if err != nil || n < 10_000 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(rounds, "1_000")}, Description: say(
					"%s derives its key in 1,000 rounds of PBKDF2 instead of %s: a pass phrase is soon guessed.", where(c), rounds.Text())})
				break // calls that share the constant are one defect
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import hashlib`, ``, `def key(phrase, salt):`, `    return hashlib.pbkdf2_hmac("sha256", phrase, salt, 200_000)`), code(`import hashlib`, ``, `def key(phrase, salt):`, `    return hashlib.pbkdf2_hmac("sha256", phrase, salt, 1_000)`), proof),
			sample(code(`import hashlib`, `N : int  =  310000  # slow on purpose`, `class K:`, `    def key(self, phrase, salt): return hashlib.pbkdf2_hmac(`, `        "sha512", phrase,`, `        salt, N, dklen=32)`, `key = K().key`), code(`import hashlib`, `N : int  =  1_000  # slow on purpose`, `class K:`, `    def key(self, phrase, salt): return hashlib.pbkdf2_hmac(`, `        "sha512", phrase,`, `        salt, N, dklen=32)`, `key = K().key`), proof),
		},
		Never: []string{code(`import hashlib`, `def key(p, s):`, `    return hashlib.pbkdf2_hmac("sha256", p, s, 1000)`), code(`import hashlib`, `def key(p, s, n):`, `    return hashlib.pbkdf2_hmac("sha256", p, s, n)`)},
	}
}

// constant is the value that a name is given once, at the top of the file.
func (s *source) constant(name string) syntax.Node {
	var value syntax.Node
	for _, a := range s.nodes("assignment") {
		if a.ChildByField("left").Text() != name {
			continue
		}
		if value.Valid() || a.Parent().Parent() != s.root {
			return syntax.Node{}
		}
		value = a.ChildByField("right")
	}
	return value
}
