package c

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnboundedCopy(p *rule.Pass) {
	for _, call := range p.Calls() {
		name, args := p.Callee(call), p.Args(call)
		if len(args) < 2 || !rule.OneOf(name, "strcpy", "strcat", "stpcpy", "sprintf") {
			continue
		}
		function := p.Function(call)
		vars := variables(p, function)
		buffer, ok := vars[args[0].Text()]
		if !ok || !buffer.chars() || p.InTest() {
			continue
		}
		sources := args[1:2]
		if name == "sprintf" {
			format, _, literal := p.String(args[1])
			if !literal || !unboundedCopyWholeString.MatchString(format) {
				continue
			}
			sources = args[2:]
		}
		at := slices.IndexFunc(sources, func(s rule.Node) bool {
			return outside(p, vars, s) && !measured(p, function, s, call.Start()) && !reassigned(p, function, rule.Bare(s).Text())
		})
		if at < 0 || compared(function, call.Start(), args[0].Text()) {
			continue
		}
		severity := "high"
		if rule.Bare(sources[at]).Kind() == "identifier" {
			severity = "medium" // some callers may keep to a length
		}
		p.ReportAs(call, severity, rule.Bare(sources[at]).Text())
	}
}

var unboundedCopyWholeString = regexp.MustCompile(`%-?[0-9]*s`) // a %s whose output no precision bounds

// reassigned tells whether the function gives the variable another value, which may be bounded.
func reassigned(p *rule.Pass, function rule.Node, name string) bool {
	return slices.ContainsFunc(p.Assignments(function), func(a rule.Assignment) bool { return a.Target.Text() == name })
}

// compared tells whether some condition before at looks at the size of the buffer.
func compared(function rule.Node, at int, buffer string) bool {
	return rule.Any(function.Find("sizeof_expression"), func(s rule.Node) bool {
		return s.Start() < at && sizeofName(s) == buffer && s.Enclosing("binary_expression").Valid()
	})
}
