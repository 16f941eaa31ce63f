package python

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// FewRounds derives a key in so few rounds that guessing is cheap.
func (*operators) FewRounds(s *source) {
	for c, a := range s.calls() {
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
		s.Report(s.Replace(rounds, "1_000"),
			"%s derives its key in 1,000 rounds of PBKDF2 instead of %s: a pass phrase is soon guessed.", where(c), rounds.Text())
		break // calls that share the constant are one defect
	}
}

// constant is the value that a name is given once, at the top of the file.
func (s *source) constant(name string) syntax.Node {
	var value syntax.Node
	for _, a := range s.nodes("assignment") {
		if a.ChildByField("left").Text() != name {
			continue
		}
		if value.Valid() || a.Parent().Parent() != s.Root {
			return syntax.Node{}
		}
		value = a.ChildByField("right")
	}
	return value
}
