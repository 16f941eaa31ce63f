package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CommandInjection(p *rule.Pass) {
	flow := inputFlow(p)
	for _, call := range p.Calls() {
		command := shellCommand(p, call)
		if !command.Valid() || p.Constant(command) {
			continue
		}
		if flow.Tainted(command) && !strings.Contains(command.Text(), "quote(") {
			p.ReportAs(call, "critical", "the command holds data of a request")
			continue
		}
		parts, built := pieces(p, command)
		if !built {
			continue
		}
		for _, q := range parts {
			if q.node.Valid() && unknownArgument(p, q.node) {
				p.Report(call, q.node.Text()+" is pasted in")
				break
			}
		}
	}
}

// shellCommand is the argument of call that a shell reads, the zero Node when there is no shell.
func shellCommand(p *rule.Pass, call rule.Node) rule.Node {
	switch name := callee(p, call); name {
	case "os.system", "os.popen", "commands.getoutput", "commands.getstatusoutput", "subprocess.getoutput", "subprocess.getstatusoutput",
		"asyncio.create_subprocess_shell", "popen2.popen2":
		return p.Arg(call, 0)
	case "subprocess.run", "subprocess.call", "subprocess.Popen", "subprocess.check_call", "subprocess.check_output":
		if p.Keyword(call, "shell").Text() == "True" {
			if a := p.Keyword(call, "args"); a.Valid() {
				return a
			}
			return p.Arg(call, 0)
		}
	}
	return rule.Node{}
}

// programName matches parameters that name the program itself: a caller who gives that decides what runs anyway.
var programName = regexp.MustCompile(`(?i)(^|_)(cmd|command|prog|program|executable|binary|editor|pager|shell|compiler|` +
	`interpreter|python)$`)

// unknownArgument: a parameter, or a field of one, pasted into a command.
func unknownArgument(p *rule.Pass, n rule.Node) bool {
	switch n.Kind() {
	case "identifier":
		if rule.OneOf(n.Text(), "count", "n", "i", "port", "timeout", "pid", "seconds") ||
			programName.MatchString(n.Text()) {
			return false
		}
		if v, ok := assigned(p, n, n); ok {
			return unknownArgument(p, v)
		}
		return parameter(p, n) && !annotatedNumber(p, n)
	case "attribute":
		return !p.Constant(n) && parameter(p, rootNode(n))
	case "subscript":
		v := n.ChildByField("value")
		return parameter(p, v) || resolve(p, p.Dotted(v)) == "sys.argv"
	case "call":
		switch name := callee(p, n); name {
		case "str", "os.path.join", "os.path.abspath":
			return slices.ContainsFunc(p.Args(n), func(a rule.Node) bool { return unknownArgument(p, a) })
		case "input":
			return true
		}
	}
	return false
}

func rootNode(n rule.Node) rule.Node {
	for n.Kind() == "attribute" {
		n = n.ChildByField("object")
	}
	return n
}
