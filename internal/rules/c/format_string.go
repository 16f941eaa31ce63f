package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FormatString(p *rule.Pass) {
	position := map[string]int{"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2, "syslog": 1, "dprintf": 1, "warnx": 0,
		"warn": 0, "err": 1, "errx": 1}
	for _, call := range p.Calls() {
		at, ok := position[p.Callee(call)]
		args := p.Args(call)
		if !ok || len(args) != at+1 {
			continue
		}
		function, format := p.Function(call), rule.Bare(args[at])
		vars := variables(p, function)
		if name := format.Text(); format.Kind() == "identifier" {
			v, ok := vars[name]
			low := strings.ToLower(name)
			if !ok || v.constant && v.array || strings.Contains(low, "fmt") || strings.Contains(low, "format") ||
				!strings.HasSuffix(v.typ, "char") {
				continue
			}
			if !v.param && !v.chars() || onlyConstants(p, v, p.Assignments(function)) {
				continue
			}
			if v.chars() && !filled(p, call.Start(), name) {
				continue
			}
			p.Report(call, "")
		} else if outside(p, vars, format) {
			p.Report(call, "")
		}
	}
}

// onlyConstants tells whether every value that a local is given in its function is a constant.
func onlyConstants(p *rule.Pass, v variable, assignments []rule.Assignment) bool {
	if v.param {
		return false
	}
	seen := false
	for _, a := range assignments {
		if a.Target.Text() == v.name || strings.TrimLeft(a.Target.Text(), "* ") == v.name {
			seen = true
			if !p.Constant(a.Value) {
				return false
			}
		}
	}
	return seen
}

// filled tells whether a call before at writes text from elsewhere into the array.
func filled(p *rule.Pass, at int, name string) bool {
	for _, c := range p.Calls() {
		if c.Start() >= at || !rule.OneOf(p.Callee(c), "fgets", "gets", "read", "recv", "recvfrom", "fread", "strcpy", "strncpy",
			"strcat", "strncat", "snprintf", "sprintf", "memcpy", "strlcpy", "vsnprintf", "vsprintf") {
			continue
		}
		args := p.Args(c)
		for i, a := range args {
			if i < 2 && rule.Bare(a).Text() == name {
				rest := args[i+1:]
				return !slices.ContainsFunc(rest, p.IsString) || len(rest) > 2
			}
		}
	}
	return false
}
