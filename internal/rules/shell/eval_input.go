package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var evalFetched = regexp.MustCompile(`^"?(\$\(|` + "`" + `)\s*(curl|wget)\s[^|]*\)?"?$|^"?\$\{?(QUERY_STRING|HTTP_\w+|PATH_INFO|` +
	`REQUEST_URI)\}?"?$`)

func (*checks) EvalInput(p *rule.Pass) {
	read := map[string]bool{}
	for _, c := range commands(p, "read") {
		if c.Enclosing("redirected_statement", "pipeline").Valid() || c.Enclosing("while_statement").Valid() {
			continue // from a file or a command
		}
		for _, w := range words(c)[1:] {
			read[w.Text()] = true
		}
	}
	for _, c := range commands(p, "eval") {
		w := words(c)
		if len(w) != 2 {
			continue
		}
		name := strings.Trim(bare(w[1]), "${}")
		if evalFetched.MatchString(w[1].Text()) || read[name] && strings.HasPrefix(bare(w[1]), "$") {
			p.Report(c, "")
		}
	}
}
