package python

import (
	"slices"
	"strings"
)

// ShellString gives a command to the shell as one text.
func (*operators) ShellString(s *source) {
	for c, a := range s.calls() {
		if !slices.Contains([]string{"subprocess.run", "subprocess.check_output", "subprocess.check_call", "subprocess.call", "subprocess.Popen"},
			callee(c)) || len(a) != 1 || a[0].Kind() != "list" || keyword(c, "shell").Valid() {
			continue
		}
		words, hole := shellWords(a[0])
		if hole == "" {
			continue
		}
		s.Report(s.Replace(a[0], `f"`+strings.Join(words, " ")+`", shell=True`),
			"%s gives its command to the shell as one text with %s in it: a value with ; or $( runs commands of its own.", where(c), hole)
	}
}
