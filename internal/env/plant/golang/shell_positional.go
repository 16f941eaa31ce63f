package golang

import (
	"fmt"
	"strconv"
	"strings"
)

// ShellPositional runs a shell with a fixed script that gets its values as arguments: it looks like an injection and is
// right.
func (*operators) ShellPositional(s *source) {
	for _, call := range s.kinds["call_expression"] {
		args := commandLine(s, call)
		if len(args) < 2 {
			continue
		}
		if _, value := shellLine(args); value == "" {
			continue
		}
		script, values := "exec", ""
		for _, a := range args {
			if word, err := strconv.Unquote(a.Text()); err == nil {
				script += " " + word
				continue
			}
			values += ", " + a.Text()
			script += fmt.Sprintf(" \"$%d\"", strings.Count(values, ", "))
		}
		s.Report(s.Edit(args[0].Start(), args[len(args)-1].End(), "\"sh\", \"-c\", `"+script+"`, \"sh\""+values),
			"%s runs a fixed shell script; the values come in as quoted positional parameters, so the shell never reads them as code.",
			nameOf(function(call)))
	}
}
