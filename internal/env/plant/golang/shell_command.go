package golang

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ShellCommand hands a program's arguments to a shell as one line.
func (*operators) ShellCommand(s *source) {
	for _, call := range s.kinds["call_expression"] {
		args := commandLine(s, call)
		if len(args) < 2 {
			continue
		}
		line, value := shellLine(args)
		if value == "" {
			continue
		}
		s.Report(s.Edit(args[0].Start(), args[len(args)-1].End(), "\"sh\", \"-c\", "+line),
			"%s builds a shell command line out of %s: whoever controls that value runs any command.", nameOf(function(call)), value)
	}
}

// commandLine gives program and arguments of a call that makes an exec.Cmd.
func commandLine(s *source, call syntax.Node) []syntax.Node {
	args := arguments(call)
	switch {
	case s.callTo(call, "os/exec", "Command"):
		return args
	case s.callTo(call, "os/exec", "CommandContext") && len(args) > 0:
		return args[1:]
	}
	return nil
}

// shellLine writes program and arguments as an expression for one line, and names the first value in it. There is none
// when an argument is not surely a string, or when a shell is called already.
func shellLine(args []syntax.Node) (line, value string) {
	text := ""
	for i, a := range args {
		space := " "
		if i == 0 {
			space = ""
		}
		switch {
		case a.Kind() == "interpreted_string_literal":
			word, err := strconv.Unquote(a.Text())
			if err != nil || word == "sh" || word == "bash" || strings.ContainsAny(word, " '\"$\\`") {
				return "", ""
			}
			text += space + word
		case a.Kind() == "identifier" && isString(a) && i > 0:
			if value == "" {
				value = a.Text()
			}
			line += "+" + strconv.Quote(text+space) + "+" + a.Text()
			text = ""
		default:
			return "", ""
		}
	}
	if text != "" {
		line += "+" + strconv.Quote(text)
	}
	return strings.TrimPrefix(line, "+"), value
}
