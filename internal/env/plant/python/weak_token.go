package python

import (
	"fmt"
	"strconv"
)

// WeakToken makes a token of numbers that can be foretold.
func (*operators) WeakToken(s *source) {
	if !s.canImport("random", "secrets") {
		return
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
		s.ReportAll(s.Replace(c, fmt.Sprintf(`"".join(random.choices(%q, k=%s))`, letters, length)).And(s.importing("random", "secrets")...),
			"%s makes its token with the random module, whose numbers can be foretold from earlier ones, instead of secrets.", where(c))
	}
}
