package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/graph"
)

// call is one call at hand, with what it is given.
type call struct {
	x     *ir.Expr
	full  string // the tables' name of what is called
	short string // its last part
	on    *value // the receiver
	args  []*value
	names []string
}

// arg is what the call is given at a place; ok says that it is given something there.
func (c *call) arg(p model.Position) (v *value, ok bool) {
	switch {
	case p.Arg == model.Receiver:
		return c.on, true
	case p.Arg == model.Words, p.Arg == model.Rest && len(c.args) > 0:
		list := c.args
		if p.Arg == model.Rest {
			list = list[1:]
		}
		if len(list) == 1 && list[0] != nil && list[0].isList {
			return list[0], true
		}
		return &value{isList: true, list: list}, len(list) > 0
	case p.Arg == model.AnyArg:
		for _, a := range c.args {
			v = joined(v, a, 0)
		}
		return v, len(c.args) > 0
	}
	if n := len(c.args); p.Name != "" && n > 0 && c.args[n-1] != nil && c.args[n-1].fields != nil {
		if v, ok := c.args[n-1].fields[p.Name]; ok {
			return v, true
		}
	}
	k := 0
	for i, n := range c.names {
		switch {
		case p.Name != "" && n == p.Name:
			return c.args[i], true
		case n == "" && p.Name == "":
			if k == p.Arg {
				return c.args[i], true
			}
			k++
		}
	}
	return nil, false
}

func (c *call) first() *value {
	v, _ := c.arg(model.Position{})
	return v
}

func (f *frame) call(x *ir.Expr) *value {
	c := &call{x: x}
	callee := x.Args[0]
	var called *value
	switch callee.Op {
	case ir.Member:
		c.on = f.eval(callee.Args[0])
		c.full = f.full(c.on, callee.Text)
		if c.on != nil {
			called = c.on.fields[callee.Text]
		}
	case ir.Name:
		called = f.variable(callee)
		c.full = called.name()
		if c.full == "" {
			c.full = callee.Text
		}
	default:
		called = f.eval(callee)
		if c.full = called.name(); c.full == "" {
			c.full = "?"
		}
	}
	if x.Op == ir.New && callee.Op == ir.Name && c.full == "" {
		c.full = callee.Text
	}
	c.short = c.full[strings.LastIndexByte(c.full, '.')+1:]
	for i, a := range x.Args[1:] {
		v := f.eval(a)
		n := x.Names[i+1]
		if a.Op == ir.Spread && n == "" && v != nil && v.isList {
			for _, item := range v.list {
				c.args, c.names = append(c.args, item), append(c.names, "")
			}
			continue
		}
		c.args, c.names = append(c.args, v), append(c.names, n)
	}
	f.sinks(c)
	if callee.Op == ir.Name && strings.HasPrefix(callee.Text, "$") && len(called.taint()) > 0 &&
		(len(called.pieces) == 0 || called.pieces[0].val != nil) {
		s := model.Sink{Kind: model.KindOf("code")}
		f.harm(s, hitKey{s.Kind, f.file, x.Node}, callee.Text, called, nil, x)
	}
	return f.outcome(c, called)
}

// outcome is what a call gives.
func (f *frame) outcome(c *call, called *value) *value {
	if f.table.Source(c.full) {
		f.callbacks(c)
		return f.source(c.x, c.full)
	}
	kind := f.table.Type(c.full)
	if fn := called.closures(); len(fn) > 0 && !fn[0].outermost() && f.depth < maxInline && fn[0].env != nil {
		var v *value
		for i, one := range fn {
			if w := f.inline(one, c.args); i == 0 {
				v = w
			} else {
				v = join(v, w)
			}
		}
		return v
	}
	switch {
	case c.full == "require" && f.table.Type("require") == "":
		if module, ok := c.first().text(); ok {
			return &value{full: strings.TrimPrefix(module, "node:")}
		}
	case c.short == "promisify":
		return c.first()
	case formats[c.full]:
		return formatted(c.args)
	}
	if v, resolved := f.resolved(c, called); resolved {
		f.callbacks(c)
		if kind != "" {
			return v.named(kind)
		}
		return v
	}
	if k := f.table.Clean(c.full); k != 0 {
		f.callbacks(c)
		if k == model.All {
			return &value{full: kind, clean: true}
		}
		return c.all().cleaned(k).named(kind)
	}
	if c.x.Op == ir.New {
		full := c.full
		if kind != "" {
			full = kind
		}
		v := f.passed(c)
		f.callbacks(c)
		return v.named(full)
	}
	for i, n := range c.names {
		if n == "type" && harmlessType(c.args[i].name()) {
			return &value{clean: true}
		}
	}
	if k := lineBreaks(c); k != 0 && c.on != nil {
		return c.on.cleaned(k)
	}
	if v, done := f.container(c); done {
		return v
	}
	v := f.passed(c)
	if w := f.callbacks(c); w != nil && v == nil {
		return w
	}
	if c.on != nil && c.x.Args[0].Op == ir.Member && !harmlessMethod[c.short] && !f.isThisValue(c.on) && len(c.on.labels)+len(c.on.pieces) > 0 {
		from := c.on.taint()
		if fetches.MatchString(c.short) { // what a parameter gives is not the parameter
			from = slices.Clone(from)
			for i := range from {
				if from[i].source == nil {
					from[i].fields += "." + c.short + "()"
				}
			}
		}
		v = joined(v, carrying(from), 0)
	}
	switch {
	case kind != "":
		return v.named(kind)
	case v.name() == "":
		return v.named(c.full + "()")
	}
	return v
}

// Functions whose first text says where the others go.
var formats = words(`String.format fmt.Sprintf sprintf vsprintf util.format format Kernel.format printf.format`)

// formatted is what such a function gives.
func formatted(args []*value) *value {
	for i, a := range args {
		if template, ok := a.text(); ok {
			return format(template, &value{isList: true, list: args[i+1:]})
		}
		if i == 1 || a != nil && (len(a.labels) > 0 || len(a.pieces) > 0) {
			break // the template is none that is known; a locale may stand before it
		}
	}
	return concat(args...)
}

var fetches = regexp.MustCompile(`^(get|read|open|load|find|fetch|query|execute|list|accept|recv|receive)`)

func (f *frame) isThisValue(v *value) bool {
	return len(v.labels) > 0 && v.labels[0].source == nil && v.labels[0].param == thisParam && v.labels[0].fields == ""
}

// lineBreaks is what a text is clean for when its line breaks are taken out.
func lineBreaks(c *call) model.Kinds {
	if c.short != "replace" && c.short != "replaceAll" && c.short != "gsub" && c.short != "tr" && c.short != "delete" {
		return 0
	}
	if s, ok := c.first().text(); ok && strings.ContainsAny(s, "\r\n") {
		return model.KindOf("log") | model.KindOf("header")
	}
	return 0
}

func (v *value) closures() []*closure {
	if v == nil {
		return nil
	}
	return v.fns
}

// outermost reports a function that stands in no other, so that its summary says all of it.
func (c *closure) outermost() bool {
	return c.fn.Name != "" && (c.fn.Outer == nil || c.fn.Outer.Outer == nil)
}

// all is everything that a call is given, its receiver last.
func (c *call) all() *value {
	var v *value
	for i, a := range c.args {
		if i == 0 {
			v = a
		} else {
			v = joined(v, carrying(a.taint()), 0)
		}
	}
	if len(c.args) == 0 {
		return c.on
	}
	return v
}

// passed is what a call hands on by the tables.
func (f *frame) passed(c *call) *value {
	var out *value
	for _, p := range f.table.Passes(c.full) {
		v, ok := c.arg(p.From)
		if !ok {
			continue
		}
		switch p.To.Arg {
		case model.Result:
			out = joined(out, v, 0)
			if out.known() {
				out = out.vague()
			}
		case model.Receiver:
			if callee := c.x.Args[0]; callee.Op == ir.Member {
				f.put(callee.Args[0], nil, carrying(v.taint()), 0)
			}
		}
	}
	return out
}

// Methods of an untrusted value whose results are not such.
var harmlessMethod = words(`startswith endswith startsWith endsWith isdigit isalnum isEmpty empty? nil? equals equalsIgnoreCase includes
	contains has indexOf lastIndexOf find index hashCode include? start_with? end_with? to_i to_f match? present? blank? hexdigest
	digest test intValue longValue matches isnumeric key? length size count compareTo isBlank isPresent hasMoreElements hasNext
	containsKey exists is_file is_dir getSession session isalpha has_key hasOwnProperty isValid is_valid close write flush setStatus
	getStatus isAdmin is_authenticated charCodeAt rfind localeCompare search`)

// resolved answers a call by the summaries of what the code graph says is called.
func (f *frame) resolved(c *call, called *value) (v *value, ok bool) {
	targets := f.targets(c)
	if len(targets) == 0 {
		for _, one := range called.closures() {
			if one.outermost() && one.fn != f.fn {
				targets = append(targets, one.fn)
			}
		}
	}
	for _, fn := range targets {
		s := f.e.summarize(fn)
		one := f.apply(c, fn, s)
		if !ok {
			v = one
		} else {
			v = join(v, one)
		}
		ok = true
	}
	return v, ok
}

// maxTargets bounds the functions that one call may be of.
const maxTargets = 6

// targets are the functions that a call may enter.
func (f *frame) targets(c *call) []*ir.Func {
	callee := c.x.Args[0]
	name := callee.Text
	if callee.Op != ir.Name && callee.Op != ir.Member {
		return nil
	}
	lines := []int{callee.Node.Line()}
	if n := calleeName(c.x); n != lines[0] {
		lines = append(lines, n)
	}
	var list []*ir.Func
	add := func(s *graph.Symbol) {
		if fn := f.e.functions[s]; fn != nil && !slices.Contains(list, fn) && len(list) < maxTargets && fn != f.fn {
			list = append(list, fn)
		}
	}
	for _, line := range lines {
		for _, s := range f.e.calls[place{f.file.Path, line}] {
			switch {
			case s.Kind == graph.KindClass || s.Kind == graph.KindType || s.Kind == graph.KindInterface:
				if s.Name == lastPart(name) {
					for _, m := range f.e.methods(s, "__init__", "constructor", "__construct", "initialize", s.Name) {
						add(m)
					}
				}
			case s.Name == lastPart(name):
				add(s)
				for _, m := range f.e.overriding(s) {
					add(m)
				}
			}
		}
	}
	return list
}

func lastPart(name string) string { return name[strings.LastIndexAny(name, `.\`)+1:] }

// calleeName is the line of the name that is called, where a chain of calls goes over many lines.
func calleeName(x *ir.Expr) int {
	n := x.Node
	for _, field := range []string{"function", "name", "method", "property", "attribute", "field"} {
		if c := n.ChildByField(field); c.Valid() {
			if field == "function" {
				for _, inner := range []string{"property", "attribute", "field", "name"} {
					if d := c.ChildByField(inner); d.Valid() {
						return d.Line()
					}
				}
			}
			return c.Line()
		}
	}
	return n.Line()
}

// methods finds methods of a class by their names.
func (e *engine) methods(class *graph.Symbol, names ...string) []*graph.Symbol {
	var list []*graph.Symbol
	for _, s := range e.g.Symbols(class.File) {
		if s.Parent == class.Qualified && slices.Contains(names, s.Name) && s.Line >= class.Line && s.EndLine <= class.EndLine {
			list = append(list, s)
		}
	}
	return list
}

// overriding finds what stands in place of a method in classes that build on its own.
func (e *engine) overriding(s *graph.Symbol) []*graph.Symbol {
	if s.Parent == "" {
		return nil
	}
	var list []*graph.Symbol
	for _, class := range e.g.Symbols(s.File) {
		if class.Qualified != s.Parent {
			continue
		}
		for _, sub := range e.over[class] {
			if sub != nil {
				list = append(list, e.methods(sub, s.Name)...)
			}
		}
	}
	return list
}

// apply is what a call of a function gives, and what it does, by the function's summary.
func (f *frame) apply(c *call, fn *ir.Func, s *summary) *value {
	given := f.bound(c, fn)
	at := f.step(c.x)
	for _, r := range s.sinks {
		v := r.val.replace(fn, given, at, 0).stepped(at)
		f.harm(r.sink, r.hit, r.what, v, r.trail, nil)
	}
	for _, k := range keys(s.effects) {
		f.affect(c, fn, k, s.effects[k].replace(fn, given, at, 0))
	}
	if c.x.Op == ir.New {
		v := &value{full: c.full, fields: map[string]*value{}}
		for _, k := range keys(s.effects) {
			if field, ok := strings.CutPrefix(k, f.selfKey(fn)+"."); ok && !strings.Contains(field, ".") {
				v.fields[field] = s.effects[k].replace(fn, given, at, 0)
			}
		}
		return v
	}
	if isConstructor(fn) {
		v := &value{full: c.full, fields: map[string]*value{}}
		for _, k := range keys(s.effects) {
			if field, ok := strings.CutPrefix(k, f.selfKey(fn)+"."); ok && !strings.Contains(field, ".") {
				v.fields[field] = s.effects[k].replace(fn, given, at, 0)
			}
		}
		return v
	}
	return s.result.replace(fn, given, at, 0)
}

func isConstructor(fn *ir.Func) bool {
	return fn.Name == "__init__" || fn.Name == "initialize" && fn.File.Language == "ruby"
}

// selfKey is the number of the instance among a function's parameters.
func (f *frame) selfKey(fn *ir.Func) string {
	if explicitSelf(fn) {
		return "0"
	}
	return itoa(thisParam)
}

// explicitSelf reports a method whose first parameter is the instance.
func explicitSelf(fn *ir.Func) bool {
	return fn.Class != "" && !fn.Static && (fn.File.Language == "python" || fn.File.Language == "go") && len(fn.Params) > 0
}

// affect stores what a function put into one of its parameters.
func (f *frame) affect(c *call, fn *ir.Func, k string, v *value) {
	number, fields, _ := strings.Cut(k, ".")
	var on *ir.Expr
	switch {
	case number == f.selfKey(fn):
		if callee := c.x.Args[0]; callee.Op == ir.Member {
			on = callee.Args[0]
		}
	default:
		for i := range fn.Params {
			if itoa(i) == number {
				j := i
				if explicitSelf(fn) {
					j--
				}
				if j >= 0 && j+1 < len(c.x.Args) {
					on = c.x.Args[j+1]
				}
			}
		}
	}
	if on == nil || on.Op != ir.Name && on.Op != ir.Member || strings.Contains(fields, ".") {
		return
	}
	if fields == "" {
		f.put(on, nil, v, 0)
	} else {
		f.put(on, constant(ir.Text, fields), v, 0)
	}
}

// bound gives what a call hands to each parameter of a function.
func (f *frame) bound(c *call, fn *ir.Func) map[int]*value {
	given := map[int]*value{}
	shift := 0
	if explicitSelf(fn) && !(c.x.Args[0].Op == ir.Member && f.isClassName(c.on, fn)) {
		given[0], shift = c.on, 1
	}
	given[thisParam] = c.on
	for i, p := range fn.Params {
		if i < shift {
			continue
		}
		if p.Rest {
			var rest *value
			k := i - shift
			for j, a := range c.args {
				if j >= k {
					rest = joined(rest, &value{rest: a}, 0)
				}
			}
			given[i] = rest
			break
		}
		if v, ok := c.arg(model.Position{Arg: i - shift}); ok {
			given[i] = v
		} else if v, ok := c.arg(model.Position{Arg: -100, Name: p.Name}); ok {
			given[i] = v
		} else if p.Default != nil && p.Default.Op == ir.Const {
			given[i] = &value{con: p.Default}
		}
	}
	return given
}

// isClassName reports a method that is called on its class, with the instance as an argument.
func (f *frame) isClassName(on *value, fn *ir.Func) bool {
	return on != nil && len(on.labels) == 0 && on.fields == nil && lastPart(on.full) == fn.Class && fn.Class != ""
}

// substitute gives the labels of what a caller handed to a parameter, for a label of that parameter.
func substitute(l label, fn *ir.Func, given map[int]*value, into []label) []label {
	if l.source != nil || l.fn != fn {
		return append(into, l)
	}
	v := given[l.param]
	for _, field := range strings.Split(strings.TrimPrefix(l.fields, "."), ".") {
		if field == "" || v == nil {
			continue
		}
		if inner, ok := v.fields[field]; ok {
			v = inner
			continue
		}
		if v.isList {
			v = v.item(constant(ir.Number, field))
			continue
		}
		rest := v.rest
		var labels []label
		for _, one := range v.labels {
			if one.source == nil {
				if strings.Count(one.fields, ".") >= maxFields {
					continue
				}
				one.fields += "." + field
			}
			labels = append(labels, one)
		}
		v = joined(rest, carrying(labels), 0)
	}
	for _, one := range v.taint() {
		one.clean |= l.clean
		into = merge(into, []label{one})
	}
	return into
}

// replace is a value of a summary with what a caller handed in, in place of the parameters.
func (v *value) replace(fn *ir.Func, given map[int]*value, at step, depth int) *value {
	if v == nil || depth > maxNested+2 {
		return nil
	}
	if len(v.labels) == 1 && v.pieces == nil && v.fields == nil && v.list == nil && v.rest == nil && v.labels[0].fn == fn &&
		v.labels[0].fields == "" && v.labels[0].source == nil { // the parameter itself
		if w := given[v.labels[0].param]; w != nil {
			return w.cleaned(v.labels[0].clean)
		}
	}
	w := *v
	w.labels = nil
	for _, l := range v.labels {
		w.labels = merge(w.labels, substitute(l, fn, given, nil))
	}
	w.pieces = nil
	for _, p := range v.pieces {
		q := piece{p.lit, p.val.replace(fn, given, at, depth+1)}
		if s, ok := q.val.text(); ok && p.val != nil {
			q = piece{lit: s}
		} else if q.val != nil && len(q.val.pieces) > 0 {
			for _, inner := range q.val.pieces {
				w.pieces = addPiece(w.pieces, inner)
			}
			continue
		} else if p.val != nil && q.val == nil {
			q.val = &value{}
		}
		w.pieces = addPiece(w.pieces, q)
	}
	w.list = nil
	for _, i := range v.list {
		w.list = append(w.list, i.replace(fn, given, at, depth+1))
	}
	if v.fields != nil {
		w.fields = map[string]*value{}
		for k, x := range v.fields {
			w.fields[k] = x.replace(fn, given, at, depth+1)
		}
	}
	w.rest = v.rest.replace(fn, given, at, depth+1)
	return &w
}
