package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var lenPlusOne = regexp.MustCompile(`^len\(([\w.]+)\)\s*\+\s*1$`)

func (*checks) OffByOne(p *rule.Pass) {
	for _, n := range p.Nodes("subscript") {
		if s := n.ChildByField("subscript"); s.Text() == "len("+n.ChildByField("value").Text()+")" && reads(n) {
			if fn := p.Function(n); fn.Valid() && !maybeDict(p, fn, n.ChildByField("value")) {
				p.Report(n, "")
			}
		}
	}
	for _, loop := range p.Nodes("for_statement") {
		pastEnd(p, loop)
	}
}

func reads(n rule.Node) bool {
	parent := n.Parent()
	switch parent.Kind() {
	case "assignment", "augmented_assignment":
		return parent.ChildByField("left") != n
	case "delete_statement", "pattern_list":
		return false
	}
	return true
}

// maybeDict: a mapping keyed by numbers may well have a key len(d).
func maybeDict(p *rule.Pass, fn, container rule.Node) bool {
	name := strings.ToLower(container.Text())
	return strings.Contains(name, "dict") || strings.Contains(name, "map") ||
		slices.ContainsFunc(assignments(p, fn), func(a rule.Assignment) bool {
			return a.Target.Text() == container.Text() &&
				(a.Value.Is("dictionary") || strings.Contains(strings.ToLower(a.Value.Text()), "dict"))
		})
}

func pastEnd(p *rule.Pass, loop rule.Node) {
	i, right, body := loop.ChildByField("left"), loop.ChildByField("right"), loop.ChildByField("body")
	if i.Kind() != "identifier" || right.Kind() != "call" || p.Callee(right) != "range" {
		return
	}
	args := p.Args(right)
	if len(args) == 0 || len(args) > 2 {
		return
	}
	bound := args[len(args)-1].Text()
	over, list := "", ""
	if m := lenPlusOne.FindStringSubmatch(bound); m != nil {
		list, over = m[1], i.Text()
	} else if strings.HasPrefix(bound, "len(") && strings.HasSuffix(bound, ")") && !strings.ContainsAny(bound[4:len(bound)-1], "()[+-*") {
		list, over = bound[4:len(bound)-1], i.Text()+" + 1"
	} else {
		return
	}
	for n := range body.Find("if_statement", "try_statement", "conditional_expression", "break_statement", "boolean_operator",
		"while_statement") {
		if k := n.Kind(); k == "try_statement" || k == "break_statement" || slices.Contains(p.Names(n), i.Text()) {
			return // somebody looks out
		}
	}
	if loop.Enclosing("try_statement").Valid() || changesLength(body, list) {
		return
	}
	for n := range body.Find("subscript") {
		s := strings.ReplaceAll(n.ChildByField("subscript").Text(), i.Text()+"+1", i.Text()+" + 1")
		if n.ChildByField("value").Text() == list && s == over && reads(n) && n.NumNamed() == 2 {
			p.Report(n, "in the loop over "+right.Text())
			return
		}
	}
}

func changesLength(body rule.Node, list string) bool {
	text := body.Text()
	return slices.ContainsFunc([]string{".append(", ".pop(", ".insert(", ".extend(", ".remove(", " = ", " += "},
		func(change string) bool { return strings.Contains(text, list+change) })
}
