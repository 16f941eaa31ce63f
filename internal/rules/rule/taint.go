package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Taint says where untrusted text comes from and what makes it safe.
type Taint struct {
	Source    func(n syntax.Node) bool                   // Defaults to UserInput
	Parameter func(fn, param syntax.Node) bool           // parameters untrusted from the start. Defaults to none
	Sanitizer func(call syntax.Node, callee string) bool // calls whose result is safe. Defaults to none; numeric conversions always are
	Propagate func(call syntax.Node, callee string) bool // further calls that hand their arguments' text on. Defaults to none
}

// Flow knows which expressions of one file carry untrusted text. It follows assignments, concatenation, interpolation,
// formatting and methods of untrusted values inside a function and from a function into its closures, in source order.
// By itself it follows no call into another function (see FlowThrough), so it misses more than it invents. A value that an
// if statement tested against a list or a pattern before its use counts as safe.
type Flow struct {
	p      *Pass
	t      Taint
	events map[string][]event
	guards map[string][]syntax.Node // conditions that look like a validation of the name, in source order
}

type event struct {
	at      int // the end of the assignment: it holds for uses that start there or later
	tainted bool
	fn      syntax.Node // function of the assignment, zero at top level
	block   syntax.Node // an assignment of a clean value holds only inside
}

// Flow computes the flow of t over the file.
func (p *Pass) Flow(t Taint) *Flow {
	if t.Source == nil {
		t.Source = p.UserInput
	}
	f := &Flow{p: p, t: t, events: map[string][]event{}, guards: map[string][]syntax.Node{}}
	for _, kind := range []string{"if_statement", "if", "unless", "if_modifier", "unless_modifier", "elif_clause", "assert_statement"} {
		for _, n := range p.Nodes(kind) {
			c := n.ChildByField("condition")
			if !c.Valid() && n.NumNamed() > 0 {
				c = n.NamedChild(0)
			}
			if c.Valid() && validation.MatchString(c.Text()) {
				for _, name := range p.Names(c) {
					f.guards[name] = append(f.guards[name], c)
				}
			}
		}
	}
	for _, list := range f.guards {
		slices.SortFunc(list, func(a, b syntax.Node) int { return a.Start() - b.Start() })
	}
	g := p.grammar
	p.Tree.Root().Walk(func(n syntax.Node) bool {
		if !n.Named() {
			return false
		}
		kind := n.Kind()
		if slices.Contains(g.functions, kind) {
			for _, prm := range p.Parameters(n) {
				tainted := t.Parameter != nil && t.Parameter(n, prm)
				for _, name := range p.parameterNames(prm) {
					f.events[name] = append(f.events[name], event{prm.End(), tainted, n, n})
				}
			}
		}
		if fields, ok := g.assigns[kind]; ok {
			for _, a := range p.split(n, fields) {
				f.assign(a)
			}
		}
		if slices.Contains(g.calls, kind) {
			f.mutate(n)
		}
		return true
	})
	return f
}

var validation = regexp.MustCompile(`(?i)\bin\b|includes|contains|in_array|include\?|\bhas\b|match|valid|allow|isdigit|` +
	`isalnum|is_numeric|ctype_|starts_?with|hasprefix|hasPrefix|isidentifier|is_safe|issafe|within|array_key_exists|isLocal|` +
	`is_relative_to|commonpath`)

func (f *Flow) assign(a Assignment) {
	tainted := f.Tainted(a.Value)
	target := a.Target
	key := target
	if c, ok := f.p.grammar.indexes[target.Kind()]; ok { // d[k] = v taints d and never cleans it
		if !tainted {
			return
		}
		if key = target.ChildByField(c); c == "" && target.NumNamed() > 0 {
			key = target.NamedChild(0)
		}
	}
	if a.Augmented && !tainted {
		return
	}
	at := max(a.Value.End(), a.Target.End())
	if a.Node.Kind() == "as_pattern" {
		at = a.Node.End()
	}
	e := event{at, tainted, f.p.Function(a.Node), a.Node.Enclosing(f.p.grammar.blocks...)}
	if _, member := f.p.grammar.members[key.Kind()]; member {
		f.events[key.Text()] = append(f.events[key.Text()], e)
		return
	}
	for _, name := range f.p.Names(key) {
		f.events[name] = append(f.events[name], e)
	}
}

// mutate notes x.append(tainted) and its kin.
func (f *Flow) mutate(call syntax.Node) {
	callee := f.p.Callee(call)
	i := strings.LastIndexByte(callee, '.')
	if i <= 0 || !OneOf(callee[i+1:], "append", "add", "push", "extend", "insert", "unshift", "WriteString", "appendleft") {
		return
	}
	for _, a := range f.p.Args(call) {
		if f.Tainted(a) {
			name := callee[:i]
			if j := strings.Index(name, ".append"); j > 0 { // sb.append(a).append(b)
				name = name[:j]
			}
			f.events[name] = append(f.events[name], event{call.End(), true, f.p.Function(call), call.Enclosing(f.p.grammar.blocks...)})
			return
		}
	}
}

// Tainted tells whether the value of expression n may carry untrusted text.
func (f *Flow) Tainted(n syntax.Node) bool { return f.eval(n, 0) }

// AnyTainted tells whether one of the expressions is tainted.
func (f *Flow) AnyTainted(nodes []syntax.Node) bool { return slices.ContainsFunc(nodes, f.Tainted) }

func (f *Flow) eval(n syntax.Node, depth int) bool {
	if !n.Valid() || !n.Named() || depth > 100 {
		return false
	}
	g, kind := f.p.grammar, n.Kind()
	if f.t.Source(n) {
		return true
	}
	switch {
	case slices.Contains(g.functions, kind), slices.Contains(g.classes, kind), slices.Contains(g.logic, kind), kind == "comment":
		return false
	case slices.Contains(g.names, kind):
		return f.lookup(n.Text(), n)
	case slices.Contains(g.calls, kind), slices.Contains(g.news, kind):
		return f.evalCall(n, depth)
	}
	if m, ok := g.members[kind]; ok {
		if m[0] == "" {
			return false
		}
		if _, known := f.events[n.Text()]; known {
			return f.lookup(n.Text(), n)
		}
		name := n.ChildByField(m[1]).Text()
		return !slices.Contains(harmless, name) && f.eval(n.ChildByField(m[0]), depth+1)
	}
	if c, ok := g.indexes[kind]; ok {
		container := n.ChildByField(c)
		if c == "" && n.NumNamed() > 0 {
			container = n.NamedChild(0)
		}
		return f.eval(container, depth+1)
	}
	if fields, ok := g.conditions[kind]; ok {
		if fields == nil { // Python: value if condition else other
			return n.NumNamed() == 3 && (f.eval(n.NamedChild(0), depth+1) || f.eval(n.NamedChild(2), depth+1))
		}
		return slices.ContainsFunc(fields, func(s string) bool { return f.eval(n.ChildByField(s), depth+1) })
	}
	if op := n.ChildByField("operator"); op.Valid() && slices.Contains(g.logic, op.Text()) {
		return false
	}
	if t := n.ChildByField("type"); t.Valid() && OneOf(t.Text(), "int", "long", "float", "double", "short", "byte", "boolean") {
		return false
	}
	switch kind {
	case "keyword_argument", "pair":
		return f.eval(n.ChildByField("value"), depth+1)
	}
	for c := range n.NamedChildren() {
		if f.eval(c, depth+1) {
			return true
		}
	}
	return false
}

var (
	// Results of these carry no text of what they were given.
	numeric = []string{"int", "float", "len", "bool", "round", "hash", "ord", "parseInt", "parseFloat", "Number", "Boolean", "strconv.Atoi",
		"strconv.ParseInt", "strconv.ParseUint", "strconv.ParseFloat", "strconv.ParseBool", "Integer.parseInt", "Long.parseLong",
		"Integer.valueOf", "Long.valueOf", "UUID.fromString", "uuid.UUID", "UUID", "uuid.Parse", "intval", "floatval", "count",
		"strlen", "is_numeric", "Integer", "Float", "int64", "int32", "uint", "uint64", "float64", "isinstance", "filter_var",
		"Double.parseDouble", "Boolean.parseBoolean"}
	// Members and methods of untrusted text that are not such text themselves.
	harmless = []string{"length", "size", "count", "Len", "startswith", "endswith", "startsWith", "endsWith", "isdigit", "isalnum",
		"isEmpty", "empty?", "nil?", "equals", "equalsIgnoreCase", "includes", "contains", "has", "indexOf", "lastIndexOf", "find",
		"index", "hashCode", "include?", "start_with?", "end_with?", "to_i", "to_f", "match?", "present?", "blank?", "hexdigest",
		"digest", "test", "intValue", "longValue", "matches", "isnumeric", "status_code", "key?"}
)

func (f *Flow) evalCall(n syntax.Node, depth int) bool {
	g := f.p.grammar
	callee := f.p.Callee(n)
	method := LastName(callee)
	if slices.Contains(numeric, callee) || f.t.Sanitizer != nil && f.t.Sanitizer(n, callee) {
		return false
	}
	dotted := strings.Contains(callee, ".")
	if dotted && slices.Contains(harmless, method) {
		return false
	}
	if slices.Contains(g.pure, callee) || dotted && slices.Contains(g.pure, method) ||
		f.t.Propagate != nil && f.t.Propagate(n, callee) {
		list := n.ChildByField("arguments")
		if list.Valid() && f.eval(list, depth+1) {
			return true
		}
	}
	for _, field := range g.callee { // a method of an untrusted value gives an untrusted value
		c := n.ChildByField(field)
		if !c.Valid() || field == "name" || field == "method" {
			continue
		}
		if m, ok := g.members[c.Kind()]; ok && field == "function" {
			return f.eval(c.ChildByField(m[0]), depth+1)
		}
		if field != "function" && f.eval(c, depth+1) {
			return true
		}
	}
	return false
}

func (f *Flow) lookup(name string, use syntax.Node) bool {
	events := f.events[name]
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		if e.at > use.Start() || e.fn.Valid() && !Inside(use, e.fn) {
			continue
		}
		if e.tainted {
			return !f.guarded(name, use, e.at)
		}
		if !e.block.Valid() || Inside(use, e.block) {
			return false
		}
	}
	return false
}

// guarded tells whether a condition between the assignment at offset from and the use validates the name.
func (f *Flow) guarded(name string, use syntax.Node, from int) bool {
	list := f.guards[name]
	at, _ := slices.BinarySearchFunc(list, from, func(c syntax.Node, from int) int { return c.Start() - from })
	fn := f.p.Function(use)
	for _, c := range list[at:] {
		if c.End() > use.Start() {
			break
		}
		if f.p.Function(c) == fn {
			return true
		}
	}
	return false
}

// Parameters gives the parameter nodes of a function, annotations and default values still inside.
func (p *Pass) Parameters(fn syntax.Node) []syntax.Node {
	list := fn.ChildByField("parameters")
	if d := fn.ChildByField("declarator"); !list.Valid() && d.Valid() { // C
		for fd := range d.Find("parameter_list") {
			list = fd
			break
		}
		if !list.Valid() {
			list = d.ChildByField("parameters")
		}
	}
	if !list.Valid() {
		if one := fn.ChildByField("parameter"); one.Valid() { // x => x
			return []syntax.Node{one}
		}
		return nil
	}
	if p.IsName(list) {
		return []syntax.Node{list}
	}
	var all []syntax.Node
	for c := range list.NamedChildren() {
		if c.Kind() != "comment" {
			all = append(all, c)
		}
	}
	return all
}

// parameterNames gives the variables one parameter binds.
func (p *Pass) parameterNames(prm syntax.Node) []string {
	if p.IsName(prm) {
		return []string{prm.Text()}
	}
	var names []string
	for _, field := range []string{"name", "pattern", "left", "declarator"} {
		if c := prm.ChildByField(field); c.Valid() {
			return p.Names(c)
		}
	}
	for c := range prm.NamedChildren() { // typed_parameter, splats, Go's parameter_declaration a, b int
		if p.IsName(c) {
			names = append(names, c.Text())
		} else if !strings.Contains(c.Kind(), "type") {
			names = append(names, p.Names(c)...)
		}
	}
	return names
}

// ParameterNames gives the names of a function's parameters in order.
func (p *Pass) ParameterNames(fn syntax.Node) []string {
	var names []string
	for _, prm := range p.Parameters(fn) {
		names = append(names, p.parameterNames(prm)...)
	}
	return names
}
