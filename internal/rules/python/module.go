package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// imports maps the names that import statements bind to what they stand for: sp -> subprocess, run -> subprocess.run.
func imports(p *rule.Pass) map[string]string {
	return rule.Memo(p, "python.imports", func() map[string]string {
		bound := map[string]string{}
		for _, n := range p.Nodes("import_statement") {
			for c := range n.NamedChildren() {
				if c.Kind() == "aliased_import" {
					bound[c.ChildByField("alias").Text()] = c.ChildByField("name").Text()
				} else if top, _, _ := strings.Cut(c.Text(), "."); top != "" {
					bound[top] = top
				}
			}
		}
		for _, n := range p.Nodes("import_from_statement") {
			module := n.ChildByField("module_name")
			for c := range n.NamedChildren() {
				if c == module {
					continue
				}
				name, alias := c.Text(), c.Text()
				if c.Kind() == "aliased_import" {
					name, alias = c.ChildByField("name").Text(), c.ChildByField("alias").Text()
				}
				bound[alias] = module.Text() + "." + name
			}
		}
		return bound
	})
}

// imported tells whether the file imports one of the modules or something out of them.
func imported(p *rule.Pass, modules ...string) bool {
	for _, full := range imports(p) {
		for _, m := range modules {
			if full == m || strings.HasPrefix(full, m+".") {
				return true
			}
		}
	}
	return false
}

// callsTo gives the calls whose callee is one of the names.
func callsTo(p *rule.Pass, names ...string) []rule.Node {
	return rule.Where(p.Calls(), func(call rule.Node) bool { return slices.Contains(names, callee(p, call)) })
}

// callee is the name of what a call calls with import aliases resolved: "subprocess.run" for sp.run.
func callee(p *rule.Pass, call rule.Node) string { return resolve(p, p.Callee(call)) }

func resolve(p *rule.Pass, dotted string) string {
	first, rest, more := strings.Cut(dotted, ".")
	full, ok := imports(p)[first]
	if !ok {
		return dotted
	}
	if more {
		return full + "." + rest
	}
	return full
}

// piece is one part of a text that an expression builds: constant text, or an expression put in.
type piece struct {
	text string
	node rule.Node // valid for an expression
}

// pieces takes a text-building expression apart: f-strings, +, %, .format, and names assigned once in the same
// function before the use. built is false when the expression builds nothing.
func pieces(p *rule.Pass, n rule.Node) (parts []piece, built bool) {
	parts = takeApart(p, n, n, 0)
	texts, holes := 0, 0
	for _, q := range parts {
		if q.node.Valid() {
			holes++
		} else if q.text != "" {
			texts++
		}
	}
	return parts, texts > 0 && holes > 0
}

func takeApart(p *rule.Pass, n, use rule.Node, depth int) []piece {
	if depth > 8 || !n.Valid() {
		return []piece{{node: n}}
	}
	switch n.Kind() {
	case "string":
		var parts []piece
		for c := range n.NamedChildren() {
			switch c.Kind() {
			case "string_content":
				parts = append(parts, piece{text: c.Text()})
			case "interpolation":
				if e := rule.Either(c.ChildByField("expression"), c.NamedChild(0)); e.Valid() {
					parts = append(parts, takeApart(p, e, use, depth+1)...)
				}
			}
		}
		return parts
	case "concatenated_string", "parenthesized_expression":
		var parts []piece
		for c := range n.NamedChildren() {
			if c.Kind() != "comment" {
				parts = append(parts, takeApart(p, c, use, depth+1)...)
			}
		}
		return parts
	case "binary_operator":
		left, right := n.ChildByField("left"), n.ChildByField("right")
		switch n.Operator() {
		case "+":
			return append(takeApart(p, left, use, depth+1), takeApart(p, right, use, depth+1)...)
		case "%":
			if !p.IsString(left) && left.Kind() != "parenthesized_expression" && left.Kind() != "identifier" {
				break
			}
			holes := []rule.Node{right}
			named := map[string]rule.Node{}
			if right.Kind() == "dictionary" {
				for c := range right.NamedChildren() {
					if k, _, ok := p.String(c.ChildByField("key")); ok {
						named[k] = c.ChildByField("value")
					}
				}
			}
			if right.Kind() == "tuple" {
				holes = slices.Collect(right.NamedChildren())
			}
			return fill(p, takeApart(p, left, use, depth+1), percent, holes, named)
		}
	case "call":
		f := n.ChildByField("function")
		if f.Kind() == "attribute" && f.ChildByField("attribute").Text() == "format" {
			named := map[string]rule.Node{}
			for c := range n.ChildByField("arguments").NamedChildren() {
				if c.Kind() == "keyword_argument" {
					named[c.ChildByField("name").Text()] = c.ChildByField("value")
				}
			}
			object := f.ChildByField("object")
			if p.IsString(object) || object.Kind() == "identifier" || object.Kind() == "parenthesized_expression" {
				return fill(p, takeApart(p, object, use, depth+1), braces, p.Args(n), named)
			}
		}
	case "identifier":
		if v, ok := assigned(p, n, use); ok {
			return takeApart(p, v, v, depth+1)
		}
	}
	return []piece{{node: n}}
}

var (
	percent = regexp.MustCompile(`%(\([^)]*\))?[-+ #0]*[0-9*]*(\.[0-9]+)?[a-zA-Z]`)
	braces  = regexp.MustCompile(`\{([A-Za-z0-9_]*)[^{}]*\}`)
)

// fill puts the expressions into the holes of a format.
func fill(p *rule.Pass, format []piece, hole *regexp.Regexp, values []rule.Node, named map[string]rule.Node) []piece {
	var out []piece
	next := 0
	for _, f := range format {
		if f.node.Valid() {
			out = append(out, f)
			continue
		}
		rest := f.text
		for {
			at := hole.FindStringSubmatchIndex(rest)
			if at == nil {
				break
			}
			spec := rest[at[0]:at[1]]
			out = append(out, piece{text: rest[:at[0]]})
			var v rule.Node
			name := ""
			if at[2] >= 0 {
				name = strings.Trim(rest[at[2]:at[3]], "()")
			}
			switch {
			case named[name].Valid():
				v = named[name]
			case len(values) > 0:
				v = values[min(next, len(values)-1)]
				next++
			}
			if v.Valid() && !(hole == percent && (strings.HasSuffix(spec, "d") || strings.HasSuffix(spec, "x"))) {
				out = append(out, piece{node: v})
			}
			rest = rest[at[1]:]
		}
		out = append(out, piece{text: rest})
	}
	return out
}

// scoped is a name in the function, or the file, that it belongs to.
type scoped struct {
	scope rule.Node
	name  string
}

// assigned gives the value of a name when its function (or the module's top level) assigns it exactly once, before use.
func assigned(p *rule.Pass, name, use rule.Node) (rule.Node, bool) {
	by := rule.Memo(p, "python.assigned", func() map[scoped][]rule.Assignment {
		by := map[scoped][]rule.Assignment{}
		for _, a := range p.Assignments(p.Tree.Root()) {
			if a.Target.Kind() == "identifier" {
				key := scoped{p.Scope(a.Node), a.Target.Text()}
				by[key] = append(by[key], a)
			}
		}
		return by
	})
	var value rule.Node
	count := 0
	for _, a := range by[scoped{p.Scope(use), name.Text()}] {
		if a.Augmented || a.Node.Kind() != "assignment" && a.Node.Kind() != "named_expression" {
			return value, false
		}
		if count++; count > 1 {
			return value, false
		}
		if a.Node.End() <= use.Start() {
			value = a.Value
		}
	}
	return value, count == 1 && value.Valid()
}

// assignments gives the assignments of a scope, those of nested functions left out.
func assignments(p *rule.Pass, scope rule.Node) []rule.Assignment {
	all := rule.Memo(p, "python.assignments", func() map[rule.Node][]rule.Assignment {
		by := map[rule.Node][]rule.Assignment{}
		for _, a := range p.Assignments(p.Tree.Root()) {
			s := p.Scope(a.Node)
			by[s] = append(by[s], a)
		}
		return by
	})
	return all[scope]
}

// lastWord is the last name in a name, an attribute or a subscript with a constant key, "" for anything else.
func lastWord(n rule.Node) string {
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "attribute":
		return n.ChildByField("attribute").Text()
	case "subscript":
		if s := n.ChildByField("subscript"); s.Kind() == "string" {
			return strings.Trim(s.Text(), `"'`)
		}
	}
	return ""
}
