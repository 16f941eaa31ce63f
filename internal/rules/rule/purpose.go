package rule

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Purpose is what names say about a value: those it is given, in order, and those of what is put into it.
type Purpose struct {
	To   []string // variables, fields, keys, parameters' names, functions that return it, functions that take it
	From []string // what the calls on it are given: the text that a hash object digests
}

const (
	purposeHops  = 4   // variables and functions a value is followed through
	purposeUses  = 40  // uses of one variable that are looked at
	purposeSteps = 400 // uses of all
)

// Purpose follows the value of n through the variables of its function, and through the function's result to the file's own
// calls of it, and gathers the names that it meets. A value that only decides a condition has none.
func (p *Pass) Purpose(n Node) Purpose {
	w := purposeWalk{p: p, seen: map[Node]bool{}, followed: map[string]bool{}}
	w.climb(n, 0)
	return w.found
}

type purposeWalk struct {
	p        *Pass
	found    Purpose
	seen     map[Node]bool
	followed map[string]bool
}

func (w *purposeWalk) to(names ...string) {
	for _, name := range names {
		if name != "" && len(name) <= 200 && !slices.Contains(w.found.To, name) {
			w.found.To = append(w.found.To, name)
		}
	}
}

// climb goes from a value up to the statement that uses it.
func (w *purposeWalk) climb(n Node, hops int) {
	p := w.p
	if hops > purposeHops || w.seen[n] || len(w.seen) > purposeSteps {
		return
	}
	w.seen[n] = true
	child := n
	for up := n.Parent(); up.Valid(); child, up = up, up.Parent() {
		kind := up.Kind()
		fields, assigns := p.grammar.assigns[kind]
		switch {
		case assigns:
			w.assigned(up, child, fields, hops)
			return
		case p.IsCall(up), slices.Contains(p.grammar.news, kind):
			if child.Field() == "arguments" || child.Is("arguments", "argument_list") {
				if !w.argument(up, n, hops) {
					return
				}
				continue
			}
			for _, a := range p.Args(up) {
				w.found.From = append(w.found.From, p.Names(a)...)
				if p.Method(up) == "nextBytes" && p.IsName(a) {
					w.follow(a, hops)
				}
			}
		case OneOf(kind, "keyword_argument", "pair", "keyed_element"), kind == "array_element_initializer" && up.NumNamed() == 2:
			key := Either(Either(up.ChildByField("key"), up.ChildByField("name")), up.NamedChild(0))
			if child != key {
				w.to(strings.Trim(key.Text(), `:"'`))
			}
			return
		case OneOf(kind, "return_statement", "return", "yield"),
			kind == "body_statement" && child.NextElement() == Node{} && p.Language == "ruby":
			w.result(p.Function(up), hops)
			return
		case slices.Contains(p.grammar.functions, kind):
			if slices.Contains(p.grammar.blocks, child.Kind()) || !OneOf(kind, "lambda", "lambda_expression", "arrow_function") {
				return
			}
		case p.grammar.indexes[kind] != "" && child != up.ChildByField(p.grammar.indexes[kind]) &&
			secretWord.MatchString(Words(up.ChildByField(p.grammar.indexes[kind]).Text())):
			return // one of several tokens is chosen
		case child.Field() == "condition", kind == "comparison_operator", OneOf(kind, "binary_expression", "binary") &&
			OneOf(up.Operator(), "<", ">", "<=", ">=", "==", "!=", "===", "!=="):
			return
		case strings.HasSuffix(kind, "_statement"), slices.Contains(p.grammar.blocks, kind):
			return
		}
	}
}

// assigned notes what a value is assigned to, and follows it when that is a variable.
func (w *purposeWalk) assigned(assignment, child Node, fields [2]string, hops int) {
	if assignment.Is("for_statement", "for_in_clause", "for_in_statement", "enhanced_for_statement", "range_clause") {
		return
	}
	target := assignment.ChildByField(fields[0])
	if child == target {
		return
	}
	targets := []Node{target}
	if target.Is("expression_list", "pattern_list", "left_assignment_list") {
		targets = target.Elements()
	}
	for _, t := range targets {
		w.to(t.Text())
		if w.p.IsName(t) {
			w.follow(t, hops)
		}
		for name := range t.NamedChildren() { // session[key]: what the key says
			w.text(name)
		}
	}
}

// text notes the constant text that n is, begins with or is the name of.
func (w *purposeWalk) text(n Node) {
	v := w.p.Only(w.p.Scope(n), n)
	for v.Is("binary_expression", "binary_operator") {
		v = v.ChildByField("left")
	}
	if s, _, ok := w.p.String(v); ok {
		w.to(s)
	}
}

// argument notes the call that takes the value as an argument, and tells whether the call's result still is about the value.
func (w *purposeWalk) argument(call, n Node, hops int) bool {
	p := w.p
	method := p.Method(call)
	if OneOf(method, "print", "println", "printf", "log", "debug", "info", "warn", "error", "sleep", "range", "setTimeout", "setInterval",
		"len", "isinstance", "equals", "compare_digest", "usleep", "Sleep", "after") {
		return false
	}
	if taker.MatchString(Words(method)) {
		w.to(method)
	}
	for _, a := range p.Args(call) {
		if !Inside(n, a) {
			w.text(a)
		}
	}
	receiver := Either(call.ChildByField("object"), Either(call.ChildByField("receiver"), call.ChildByField("function").NamedChild(0)))
	if OneOf(method, "append", "push", "add", "insert", "concat", "WriteString", "WriteByte", "WriteRune") && p.IsName(receiver) {
		w.follow(receiver, hops)
	}
	return carrier.MatchString(method)
}

// taker matches calls whose own name says what they do with the value.
var taker = regexp.MustCompile(`^_(set|add|save|store|put|assign|update|with|send|sign|encrypt|cookie|reset|change|new|create)_`)

// carrier matches calls whose result still is the value, in another form or with more around it.
var carrier = regexp.MustCompile(`(?i)^(str|string|strval|to\w*str(ing)?|to_s|format|sprintf?|sprint(ln)?|hex|dechex|oct|bin2hex|` +
	`join|implode|sub_?str(ing)?|slice|floor|ceil|round|trunc|abs|int|parseint|intval|number|chr|char|charat|char_?codeat|` +
	`fromcharcode|bytes|valueof|pad\w*|zfill|repeat|(to)?(upper|lower)(case)?|strto(upper|lower)|str_\w+|ba?se?\d+\w*|b64\w*|` +
	`base_convert|(url)?_?(safe)?encode\w*|md5\w*|sha_?\d*\w*|hash|(hex)?digest|update|append|push|add|concat|insert|from|list|` +
	`tuple|array|fill|map|array_map|itoa|format(u?int|float)|new|uniqid|crypt|choices?|sample|rand\w*|mt_rand|copyof(range)?|` +
	`stringbuilder|stringbuffer|printhexbinary|wrap|hexlify|(to|as|bytes)_?(to)?_?hex\w*)$`)

// result notes the function that returns the value, and follows what the file's own calls of it give.
func (w *purposeWalk) result(fn Node, hops int) {
	name := w.p.functionName(fn)
	if name == "" {
		return
	}
	w.to(name)
	if w.followed["()"+name] {
		return
	}
	w.followed["()"+name] = true
	for i, call := range w.p.MethodCalls(name) {
		if i < purposeUses && !Inside(call, fn) && !strings.HasPrefix(w.p.Callee(call), "Math.") {
			w.climb(call, hops+1)
		}
	}
}

// functionName is the name a function is declared with, or that of the variable or key it is given to.
func (p *Pass) functionName(fn Node) string {
	if name := fn.ChildByField("name"); name.Valid() {
		return name.Text()
	}
	up := fn.Parent()
	for _, field := range []string{"name", "left", "key"} {
		if t := up.ChildByField(field); up.Is("variable_declarator", "assignment_expression", "pair") && t.Valid() && t != fn {
			return LastName(t.Text())
		}
	}
	return ""
}

// follow goes on from the uses of a variable in its function.
func (w *purposeWalk) follow(name Node, hops int) {
	p := w.p
	scope := p.Scope(name)
	if strings.HasPrefix(name.Text(), "@") {
		return
	}
	if key := name.Text() + string(rune(scope.Start())); w.followed[key] {
		return
	} else {
		w.followed[key] = true
	}
	uses := 0
	for _, use := range p.uses()[name.Text()] {
		if uses < purposeUses && use != name && use.Start() > scope.Start() && Inside(use, scope) {
			uses++
			w.climb(use, hops+1)
		}
	}
}

// uses gives the variable names of the file by their text.
func (p *Pass) uses() map[string][]Node {
	return Memo(p, "rule.uses", func() map[string][]Node {
		by := map[string][]Node{}
		for _, n := range p.sorted(p.grammar.names) {
			by[n.Text()] = append(by[n.Text()], n)
		}
		return by
	})
}

// Words writes a name, or a text with names in it, as its words in lower case between underscores: userToken and user.token
// are both "_user_token_". Patterns can so ask for whole words.
func Words(s string) string {
	var b strings.Builder
	b.WriteByte('_')
	last := '_'
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = '_'
		case unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsDigit(last)):
			b.WriteByte('_')
		}
		if r != '_' || last != '_' {
			b.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	if last != '_' {
		b.WriteByte('_')
	}
	return b.String()
}
