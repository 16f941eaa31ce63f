package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var plainWord = regexp.MustCompile(`^[\w./:=+%@-]+$`)

// ShellCommand runs a program through a shell. What was one argument is now text that the shell reads: a semicolon or a
// backtick in it starts another command.
func (*operators) ShellCommand(f file) {
	for call := range f.Root.Find("call_expression") {
		line, first, ok := commandLine(call)
		if !ok || first == "" {
			continue
		}
		edits, ok := f.throughShell(call, "`"+line+"`")
		if ok {
			f.ReportAll(edits,
				"%s gives a shell a command line with %s in it, so a value with ; or $() runs other commands.", where(call), short(first))
		}
	}
}

// commandLine writes the program and the arguments of an execFile call as one line, and gives the first argument that is
// not constant, "" when all are.
func commandLine(call syntax.Node) (line, first string, ok bool) {
	_, name := callee(call)
	args := arguments(call)
	if (name != "execFile" && name != "execFileSync") || len(args) < 2 || args[1].Kind() != "array" {
		return "", "", false
	}
	program, ok := stringText(args[0])
	if !ok || !plainWord.MatchString(program) {
		return "", "", false
	}
	words := []string{program}
	for a := range args[1].NamedChildren() {
		text, constant := stringText(a)
		switch {
		case constant && plainWord.MatchString(text):
			words = append(words, text)
			continue
		case constant:
			return "", "", false
		case a.Kind() == "template_string" && freeHoles(a):
			words = append(words, a.Text()[1:len(a.Text())-1])
		case simple(a) && free(a):
			words = append(words, "${"+a.Text()+"}")
		default:
			return "", "", false
		}
		if first == "" {
			first = a.Text()
		}
	}
	return strings.Join(words, " "), first, true
}

// throughShell makes an execFile call an exec call with a command line.
func (f file) throughShell(call syntax.Node, line string) ([]plant.Edit, bool) {
	object, name := callee(call)
	fresh := map[string]string{"execFile": "exec", "execFileSync": "execSync"}[name]
	head := fresh
	var more []plant.Edit
	if object.Valid() {
		head = object.Text() + "." + fresh
	} else {
		if !f.from(name, "child_process") {
			return nil, false
		}
		var ok bool
		if more, ok = f.reimport(name, 1, fresh); !ok {
			return nil, false
		}
	}
	return f.Edit(call.Start(), arguments(call)[1].End(), head+"("+line).And(more...), true
}

// freeHoles says whether a template has holes, all of which can hold any text.
func freeHoles(template syntax.Node) bool {
	holes := 0
	for n := range template.NamedChildren() {
		if n.Kind() != "template_substitution" {
			continue
		}
		holes++
		if !simple(n.NamedChild(0)) || !free(n.NamedChild(0)) {
			return false
		}
	}
	return holes > 0
}
