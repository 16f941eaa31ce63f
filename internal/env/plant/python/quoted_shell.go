package python

import (
	"regexp"
	"slices"
	"strings"
)

var hole = regexp.MustCompile(`^\{(.+)\}$`)

// QuotedShell gives a command to the shell with every value quoted.
func (*operators) QuotedShell(s *source) {
	for c, a := range s.calls() {
		if !slices.Contains([]string{"subprocess.run", "subprocess.check_output", "subprocess.check_call"}, callee(c)) || len(a) != 1 ||
			a[0].Kind() != "list" || keyword(c, "shell").Valid() || !s.canImport("shlex", "subprocess") {
			continue
		}
		words, first := shellWords(a[0])
		if first == "" {
			continue
		}
		for i, w := range words {
			if m := hole.FindStringSubmatch(w); m != nil {
				words[i] = "{shlex.quote(str(" + m[1] + "))}"
			}
		}
		s.ReportAll(s.Replace(a[0], `f"`+strings.Join(words, " ")+`", shell=True`).And(s.importing("shlex", "subprocess")...),
			"Every value in the command of %s goes through shlex.quote, so the shell sees it as one word.", where(c))
	}
}
