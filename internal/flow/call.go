package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// call is one call at hand, with what it is given.
type call struct {
	x     *ir.Expr
	full  string // the tables' name of what is called
	short string // its last part
	on    *value // the receiver
	args  []*value
	names []string
	also  []string // names by what it is given
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
	case p.Arg == model.Form:
		for i := 0; i < len(c.args) && i < 2; i++ { // what it is written to may stand before
			if _, ok := c.args[i].text(); ok {
				return formatted(c.args[i:]), true
			}
		}
		return c.arg(model.Position{Arg: model.AnyArg})
	case p.Arg == model.AnyArg:
		for _, a := range c.args {
			v = joined(v, a, 0)
		}
		return v, len(c.args) > 0
	}
	for i := len(c.args) - 1; p.Name != "" && i >= 0 && i >= len(c.args)-2; i-- { // options, and perhaps a callback behind them
		if a := c.args[i]; a != nil && a.fields != nil {
			if v, ok := a.fields[p.Name]; ok {
				return v, true
			}
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

func (c *call) second() *value {
	v, _ := c.arg(position(1, ""))
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
			if len(c.on.fns) > 0 && (callee.Text == "call" || callee.Text == "yield") {
				called = c.on
			}
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
	c.also = f.given(c)
	f.sinks(c)
	if callee.Op == ir.Name && strings.HasPrefix(callee.Text, "$") && len(called.taint()) > 0 &&
		(len(called.pieces) == 0 || called.pieces[0].val != nil) {
		s := model.Sink{Kind: model.KindOf("code")}
		f.harm(s, hitKey{s.Kind, f.file, x.Node}, callee.Text, called, nil, x)
	}
	v := f.outcome(c, called)
	if s, ok := c.first().text(); ok && cameFrom.MatchString(s) {
		v = v.cleaned(model.KindOf("redirect"))
	}
	return v
}

// Names of functions that say that what they give may stand in a page.
var escapes = pattern.New(`(?i)(^|_)esc_(attr|html|url|js|xml|textarea)|` +
	`(^|_)(html_?(escape|encode)|escape_?html|sanitize_(html|version|title|text|int))`)

// outcome is what a call gives.
func (f *frame) outcome(c *call, called *value) *value {
	clean := f.table.Clean(c.full)
	if escapes.MatchString(c.short) {
		clean |= model.KindOf("xss")
	}
	for _, name := range c.also {
		clean |= f.table.Clean(name)
	}
	if f.table.Source(c.full) || slices.ContainsFunc(c.also, f.table.Source) {
		f.callbacks(c)
		return f.source(c.x, c.full).cleaned(clean)
	}
	if f.file.Language == "ruby" && len(c.args) == 0 && c.on != nil && c.on.fields != nil { // a field
		if v, ok := c.on.fields[c.short]; ok && c.x.Args[0].Op == ir.Member {
			return v
		}
	}
	kind := f.table.Type(c.full)
	if c.x.Op == ir.New && strings.HasPrefix(kind, "express.") { // a request that the program makes itself
		kind = ""
	}
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
			if v := f.required(module); v != nil {
				return v
			}
			return &value{full: strings.TrimPrefix(module, "node:")}
		}
	case c.full == "explode" && len(c.args) > 1: // nothing that it gives holds what it divides by
		at, _ := c.first().text()
		return &value{rest: c.args[1].cleaned(without(at) | dots[at])}
	case c.short == "promisify", c.full == "Promise.all", c.full == "Promise.allSettled":
		return c.first()
	case c.full == "regexp.MustCompile" && c.first().known():
		return c.first()
	case c.short == "ReplaceAllString" && c.on.known() && len(c.args) == 2:
		return joined(c.first().cleaned(stripped(c.on, c.args[1])), c.args[1], 0)
	case c.short == "toString" && encoded(c.first()):
		return &value{clean: true}
	case c.full == "Promise" && c.x.Op == ir.New:
		return f.promised(c)
	case c.full == settles:
		f.sum.yields = []*value{joined(c.first(), f.settled(), 0)}
		return nil
	case formats[c.full], c.full == "format" && f.file.Language == "ruby":
		return formatted(c.args)
	}
	if v, resolved := f.resolved(c, called); resolved {
		f.callbacks(c)
		if k := clean & (model.KindOf("xss") | model.KindOf("regex")); k != 0 { // the name says it, whatever its body does
			v = v.cleaned(k)
		}
		if kind != "" {
			return v.named(kind)
		}
		return v
	}
	if rooted[c.full] && c.first().literal() != "" && c.first().literal()[0] == '/' { // no ".." leads out of /
		clean |= model.KindOf("path")
	}
	if clean == model.All {
		f.callbacks(c)
		return &value{full: kind, clean: true}
	} else if clean != 0 {
		f.callbacks(c)
		return c.all().cleaned(clean).named(kind)
	}
	f.started(c)
	if f.table.Stored(c.full) && len(sources(c.on.taint())) == 0 {
		f.callbacks(c)
		return f.source(c.x, c.full).cleaned(onlyPages)
	}
	if v, done := f.library(c); done {
		return v
	}
	if v := f.dictOfPairs(c); v != nil {
		return v
	}
	if v := f.record(c); v != nil {
		return v
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
	if k := f.replaced(c); k != 0 && c.on != nil {
		return c.on.cleaned(k)
	}
	if lastName(c) && c.on != nil {
		return c.on.cleaned(model.KindOf("path") | model.KindOf("include"))
	}
	if v, done := f.container(c); done {
		return v
	}
	v := f.passed(c)
	if w := f.callbacks(c); w != nil && v == nil {
		return w
	}
	if c.on != nil && c.x.Args[0].Op == ir.Member && !harmlessMethod[c.short] && !f.isThisValue(c.on) &&
		len(c.on.labels)+len(c.on.pieces) > 0 {
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
	case v.name() == "" && f.file.Language == "ruby" && len(c.args) == 0:
		return v.named(c.full) // a method's name says as much
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

var rooted = words(`filepath.Clean path.Clean`)

var fetches = pattern.New(`^(get|read|open|load|find|fetch|query|execute|list|accept|recv|receive)`)

func (f *frame) isThisValue(v *value) bool {
	return len(v.labels) > 0 && v.labels[0].source == nil && v.labels[0].param == thisParam && v.labels[0].fields == ""
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
	if c.on != nil && c.on.fields == nil && len(c.on.labels)+len(c.on.pieces) > 0 {
		v = joined(v, carrying(c.on.taint()), 0)
	}
	return v
}

// passed is what a call hands on by the tables.
func (f *frame) passed(c *call) *value {
	var out *value
	for _, p := range f.table.Enters(c.full) {
		if p.Arg+1 < len(c.x.Args) {
			f.fill(c.x.Args[p.Arg+1], f.source(c.x, c.full))
		}
	}
	passes := f.table.Passes(c.full)
	for _, name := range c.also {
		passes = append(passes, f.table.Passes(name)...)
	}
	for _, p := range passes {
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
			if c.full == "JSON.parse" && out != nil && len(out.pieces) > 0 { // no text any more
				out = carrying(out.taint())
			}
		default:
			if p.To.Arg >= 0 && p.To.Arg+1 < len(c.x.Args) {
				f.fill(c.x.Args[p.To.Arg+1], v)
			}
		case model.Receiver:
			if callee := c.x.Args[0]; callee.Op == ir.Member {
				f.put(callee.Args[0], nil, carrying(v.taint()), 0)
			}
		}
	}
	return out
}

// fill stores a value in a variable that a call is handed to fill.
func (f *frame) fill(target *ir.Expr, v *value) {
	for target.Op == ir.Same || target.Op == ir.Typed {
		target = target.Args[0]
	}
	if labels := v.taint(); len(labels) > 0 && (target.Op == ir.Name || target.Op == ir.Member || target.Op == ir.Index) {
		old := f.eval(target)
		f.effect(old, "", carrying(labels))
		f.set(target, carrying(labels).named(old.name()))
	}
}

// Methods of an untrusted value whose results are not such.
var harmlessMethod = words(`startswith endswith startsWith endsWith isdigit isalnum isEmpty empty? nil? equals equalsIgnoreCase includes
	contains has indexOf lastIndexOf find index hashCode include? start_with? end_with? to_i to_f match? present? blank? hexdigest
	digest test intValue longValue matches isnumeric key? length size count compareTo isBlank isPresent hasMoreElements hasNext
	containsKey exists is_file is_dir getSession session isalpha has_key hasOwnProperty isValid is_valid close write flush setStatus
	hash unpack unpack1 hex ord crypt object_id getStatus isAdmin is_authenticated charCodeAt rfind localeCompare search`)
