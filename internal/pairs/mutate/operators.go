package mutate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// change is a range of the source and what stands there afterwards.
type change struct {
	start, end int
	text       string
}

// replace puts a text in a node's place.
func replace(n syntax.Node, text string) change { return change{n.Start(), n.End(), text} }

// operator is one kind of mistake.
type operator struct {
	name    string
	kinds   []string // of the nodes that it looks at
	changes func(syntax.Node) []change
}

// operators are all of them.
func operators() []operator {
	return []operator{
		{name: "comparison-boundary", kinds: []string{"comparison_operator"}, changes: tokens(map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"})},
		{name: "comparison-flip", kinds: []string{"comparison_operator"}, changes: tokens(map[string]string{
			"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is"})},
		{name: "wrong-operator", kinds: []string{"binary_operator"}, changes: tokens(map[string]string{
			"+": "-", "-": "+", "*": "+", "/": "//", "//": "/", "%": "//", "**": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"})},
		{name: "wrong-update", kinds: []string{"augmented_assignment"}, changes: tokens(map[string]string{
			"+=": "-=", "-=": "+=", "*=": "+=", "/=": "//=", "//=": "/=", "|=": "&=", "&=": "|=", "^=": "|="})},
		{name: "lost-update", kinds: []string{"augmented_assignment"}, changes: tokens(map[string]string{"+=": "=", "*=": "=", "|=": "="})},
		{name: "and-or", kinds: []string{"boolean_operator"}, changes: tokens(map[string]string{"and": "or", "or": "and"})},
		{name: "dropped-not", kinds: []string{"not_operator"}, changes: func(n syntax.Node) []change {
			return []change{replace(n, n.ChildByField("argument").Text())}
		}},
		{name: "wrong-truth", kinds: []string{"true", "false"}, changes: func(n syntax.Node) []change {
			return []change{replace(n, map[string]string{"True": "False", "False": "True"}[n.Text()])}
		}},
		{name: "wrong-constant", kinds: []string{"integer"}, changes: constants},
		{name: "off-by-one", kinds: []string{"call"}, changes: rangeEnds},
		{name: "off-by-one", kinds: []string{"slice", "subscript"}, changes: subscripts},
		{name: "swapped-arguments", kinds: []string{"argument_list"}, changes: swapped},
		{name: "wrong-function", kinds: []string{"call"}, changes: wrongFunction},
		{name: "wrong-variable", kinds: []string{"identifier"}, changes: wrongVariable},
		{name: "dropped-branch", kinds: []string{"if_statement"}, changes: droppedBranch},
		{name: "dropped-statement", kinds: []string{"expression_statement"}, changes: droppedStatement},
	}
}

// tokens replaces a node's operator.
func tokens(other map[string]string) func(syntax.Node) []change {
	return func(n syntax.Node) []change {
		var all []change
		for c := range n.Children() {
			if text, ok := other[c.Kind()]; ok && !c.Named() {
				all = append(all, replace(c, text))
			}
		}
		return all
	}
}

func constants(n syntax.Node) []change {
	v, err := strconv.ParseInt(n.Text(), 10, 32)
	if err != nil {
		return nil // hexadecimal, or with underscores: leave it
	}
	up := replace(n, strconv.FormatInt(v+1, 10))
	if v == 0 {
		return []change{up}
	}
	return []change{up, replace(n, strconv.FormatInt(v-1, 10))}
}

// rangeEnds moves the end of a range by one.
func rangeEnds(n syntax.Node) []change {
	args := positional(n.ChildByField("arguments"))
	if n.ChildByField("function").Text() != "range" || len(args) == 0 || len(args) > 3 {
		return nil
	}
	end := args[min(1, len(args)-1)]
	return shifted(end)
}

// subscripts moves an index, or the bounds of a slice, by one.
func subscripts(n syntax.Node) []change {
	var all []change
	if n.Kind() == "subscript" {
		if i := n.ChildByField("subscript"); i.Kind() == "identifier" {
			all = append(all, shifted(i)...)
		}
		return all
	}
	for bound := range n.NamedChildren() {
		if bound.Kind() != "integer" && bound.Kind() != "comment" { // integers are constants already
			all = append(all, shifted(bound)...)
		}
	}
	return all
}

// shifted is an expression plus and minus one; "x + 1" loses its "+ 1" rather than getting a second one.
func shifted(n syntax.Node) []change {
	text := n.Text()
	switch n.Kind() {
	case "identifier", "call", "attribute", "subscript", "parenthesized_expression":
	case "binary_operator":
		op := n.ChildByField("operator").Text()
		if right := n.ChildByField("right"); (op == "+" || op == "-") && right.Text() == "1" {
			return []change{replace(n, n.ChildByField("left").Text())}
		}
		if op != "+" && op != "-" && op != "*" && op != "//" && op != "/" && op != "%" {
			return nil
		}
	default:
		return nil
	}
	return []change{replace(n, text+" - 1"), replace(n, text+" + 1")}
}

// positional are the arguments without names and stars; none when there are any of those before the last.
func positional(list syntax.Node) []syntax.Node {
	if list.Kind() != "argument_list" {
		return nil
	}
	var args []syntax.Node
	for a := range list.NamedChildren() {
		switch a.Kind() {
		case "comment":
		case "keyword_argument", "list_splat", "dictionary_splat":
			return args
		default:
			args = append(args, a)
		}
	}
	return args
}

func swapped(n syntax.Node) []change {
	args := positional(n)
	if len(args) < 2 {
		return nil
	}
	src, at := n.Text(), n.Start()
	a, b := args[0], args[1]
	return []change{replace(n, src[:a.Start()-at]+b.Text()+src[a.End()-at:b.Start()-at]+a.Text()+src[b.End()-at:])}
}

// lookalikes are functions and methods that are mistaken for each other.
var lookalikes = map[string]string{
	"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil", "upper": "lower", "lower": "upper",
	"startswith": "endswith", "endswith": "startswith", "lstrip": "rstrip", "rstrip": "lstrip", "find": "rfind", "rfind": "find",
	"keys": "values", "values": "keys", "union": "intersection", "intersection": "union", "isupper": "islower", "islower": "isupper",
	"isdigit": "isalpha", "isalpha": "isalnum", "isalnum": "isalpha", "sum": "max", "append": "extend", "extend": "append",
	"heappush": "heappop", "appendleft": "append", "popleft": "pop", "combinations": "permutations", "permutations": "combinations",
	"search": "match", "match": "search", "fullmatch": "match", "sin": "cos", "cos": "sin", "zip_longest": "zip",
}

func wrongFunction(n syntax.Node) []change {
	f := n.ChildByField("function")
	if f.Kind() == "attribute" {
		f = f.ChildByField("attribute")
	}
	if other, ok := lookalikes[f.Text()]; ok && f.Kind() == "identifier" {
		return []change{replace(f, other)}
	}
	return nil
}

// wrongVariable uses another variable of the same function.
func wrongVariable(n syntax.Node) []change {
	fn := n.Enclosing("function_definition")
	if !fn.Valid() || !read(n) {
		return nil
	}
	names := variables(fn, n.Start())
	at := slices.Index(names, n.Text())
	if at < 0 || len(names) < 2 {
		return nil
	}
	return []change{replace(n, names[(at+1)%len(names)])}
}

// read reports an identifier whose value is used.
func read(n syntax.Node) bool {
	p := n.Parent()
	switch p.Kind() {
	case "assignment", "augmented_assignment", "for_statement", "for_in_clause", "named_expression":
		return n.Field() == "right" || n.Field() == "value"
	case "binary_operator", "comparison_operator", "boolean_operator", "not_operator", "return_statement", "argument_list", "if_statement",
		"while_statement", "parenthesized_expression", "list", "tuple", "expression_list", "conditional_expression", "unary_operator":
		return true
	case "subscript":
		return true
	}
	return false
}

// variables are a function's parameters and what it assigns to before a place, in order: a variable that has no value yet
// is a mistake of another kind.
func variables(fn syntax.Node, before int) []string {
	var names []string
	add := func(n syntax.Node) {
		if n.Kind() == "identifier" && !slices.Contains(names, n.Text()) && n.Text() != "self" && n.Text() != "_" {
			names = append(names, n.Text())
		}
	}
	for p := range fn.ChildByField("parameters").NamedChildren() {
		if p.Kind() == "identifier" {
			add(p)
		} else if name := p.ChildByField("name"); name.Valid() {
			add(name)
		} else {
			add(p.NamedChild(0)) // with a type
		}
	}
	for a := range fn.ChildByField("body").Find("assignment", "for_statement") {
		left := a.ChildByField("left")
		if a.Start() >= before || a.Kind() == "assignment" && a.End() > before {
			continue
		}
		add(left)
		if left.Kind() == "pattern_list" || left.Kind() == "tuple_pattern" {
			for part := range left.NamedChildren() {
				add(part)
			}
		}
	}
	return names
}

// droppedBranch removes a case: a whole early exit, or an elif or else.
func droppedBranch(n syntax.Node) []change {
	var all []change
	for alternative := range n.Children() {
		if alternative.Kind() == "else_clause" || alternative.Kind() == "elif_clause" {
			all = append(all, dropped(alternative))
		}
	}
	if len(all) > 0 || !hasSibling(n) {
		return all
	}
	body := n.ChildByField("consequence")
	last := body.NamedChild(body.NumNamed() - 1)
	switch last.Kind() {
	case "return_statement", "raise_statement", "continue_statement":
		return []change{dropped(n)}
	}
	return nil
}

// droppedStatement removes an update or a call for its effect.
func droppedStatement(n syntax.Node) []change {
	if !hasSibling(n) {
		return nil
	}
	what := n.NamedChild(0)
	if what.Kind() == "augmented_assignment" {
		return []change{dropped(n)}
	}
	f := what.ChildByField("function")
	if what.Kind() == "call" && f.Kind() == "attribute" {
		switch f.ChildByField("attribute").Text() {
		case "sort", "reverse", "add", "remove", "discard", "insert":
			return []change{dropped(n)}
		}
	}
	return nil
}

// hasSibling reports a statement that can go because another one is left in its block.
func hasSibling(n syntax.Node) bool {
	others := 0
	for s := range n.Parent().NamedChildren() {
		if s != n && s.Kind() != "comment" && !isText(s) {
			others++
		}
	}
	return others > 0 && n.Parent().Kind() == "block"
}

// isText reports a docstring.
func isText(n syntax.Node) bool {
	return n.Kind() == "expression_statement" && n.NamedChild(0).Kind() == "string"
}

// dropped takes out a node that has its own lines; elsewhere, behind a semicolon, "pass" stays in its place.
func dropped(n syntax.Node) change {
	src := string(n.Tree().Source())
	start := strings.LastIndexByte(src[:n.Start()], '\n') + 1
	end := n.End()
	if strings.TrimSpace(src[start:n.Start()]) != "" {
		return replace(n, "pass")
	}
	if i := strings.IndexByte(src[end:], '\n'); i >= 0 && strings.TrimSpace(src[end:end+i]) == "" {
		end += i + 1
	} else if i < 0 {
		end = len(src)
	} else {
		return replace(n, "pass")
	}
	return change{start, end, ""}
}
