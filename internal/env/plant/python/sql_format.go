package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SQLFormat moves one value out of the parameters into the text of the statement.
func (*operators) SQLFormat(s *source) {
	for c, a := range s.calls() {
		if method(c) != "execute" || len(a) != 2 || a[1].Kind() != "tuple" && a[1].Kind() != "list" {
			continue
		}
		text, delimiter, ok := plainString(a[0])
		values := a[1].Statements()
		if !ok || len(values) == 0 || strings.Count(text, "?") != len(values) || strings.ContainsAny(text, "{}") || !sqlVerb.MatchString(text) {
			continue
		}
		for i, v := range values {
			if v.Kind() != "identifier" && v.Kind() != "attribute" || numeric.MatchString(v.Text()) || vetted(c, v.Text()) {
				continue
			}
			hole := "'{" + v.Text() + "}'"
			if identity.MatchString(v.Text()) {
				hole = "{" + v.Text() + "}"
			} else if delimiter == "'" {
				continue
			}
			edits := []plant.Edit{s.Replace(a[0], "f"+delimiter+nthReplaced(text, i, hole)+delimiter)}
			switch {
			case len(values) == 1:
				edits = append(edits, s.Edit(a[0].End(), a[1].End(), ""))
			case len(values) == 2 && a[1].Kind() == "tuple":
				edits = append(edits, s.Replace(a[1], "("+values[1-i].Text()+",)"))
			case i+1 < len(values):
				edits = append(edits, s.Edit(v.Start(), values[i+1].Start(), ""))
			default:
				edits = append(edits, s.Edit(values[i-1].End(), v.End(), ""))
			}
			s.ReportAll(edits,
				"%s puts %s into the text of the SQL statement instead of passing it as a parameter: whoever chooses it can add SQL of their own.",
				where(c), v.Text())
			break
		}
	}
}

var (
	sqlVerb  = regexp.MustCompile(`(?is)^\s*(select\s.*\bfrom\b|insert\s|update\s.*\bset\b|delete\s+from\b|replace\s)`)
	numeric  = regexp.MustCompile(`(?i)(^|[._])(limit|offset|size|count|page|number|by|besides|n|at|now|since|until)$`)
	identity = regexp.MustCompile(`(?i)(^|[._])(id|number)$|_id$`)
)

// vetted says whether a function takes a value as a number, or lets only values of a list or a pattern through: none can
// hold SQL.
func vetted(call syntax.Node, name string) bool {
	fn := call.Enclosing("function_definition")
	for x := range fn.ChildByField("parameters").NamedChildren() {
		if t := x.ChildByField("type").Text(); (t == "int" || t == "float" || t == "bool") && x.NamedChild(0).Text() == name {
			return true
		}
	}
	if decorated := fn.Parent(); decorated.Kind() == "decorated_definition" && strings.Contains(decorated.Text(), "<int:"+name+">") {
		return true // the route lets only numbers through
	}
	for n := range fn.Find("comparison_operator", "call") {
		text := n.Text()
		if n.Start() >= call.Start() {
			break
		}
		if n.Kind() == "comparison_operator" && (strings.HasPrefix(text, name+" in ") || strings.HasPrefix(text, name+" not in ")) ||
			n.Kind() == "call" && strings.Contains(text, name) && strings.Contains(callee(n), "match") ||
			n.Kind() == "call" && strings.HasPrefix(callee(n), name+".is") {
			return true
		}
	}
	return false
}

// plainString is the inside of a string literal without prefix, escapes and line joints.
func plainString(n syntax.Node) (text, delimiter string, ok bool) {
	if n.Kind() != "string" {
		return "", "", false
	}
	raw := n.Text()
	for _, d := range []string{`"""`, `'''`, `"`, `'`} {
		if inner, found := strings.CutPrefix(raw, d); found {
			inner = strings.TrimSuffix(inner, d)
			return inner, d, !strings.Contains(inner, `\`)
		}
	}
	return "", "", false
}

// nthReplaced replaces the n-th question mark.
func nthReplaced(text string, n int, by string) string {
	at := -1
	for range n + 1 {
		at += 1 + strings.IndexByte(text[at+1:], '?')
	}
	return text[:at] + by + text[at+1:]
}
