package flow

import (
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

func position(i int, name string) model.Position { return model.Position{Arg: i, Name: name} }

// summarize reads a function once. A function that is being read, or that calls itself, counts as one that does nothing.
func (e *engine) summarize(fn *ir.Func) *summary {
	if s := e.summaries[fn]; s != nil {
		return s
	}
	s := &summary{effects: map[string]*value{}}
	if e.depth > maxChain {
		e.fail(fn, "too many functions call one another") // it is read when its own turn comes
		return s
	}
	e.summaries[fn] = s
	if e.ctx.Err() != nil {
		return s
	}
	e.read(fn, s, nil)
	return s
}

// read fills a function's summary, with what is given of its parameters.
func (e *engine) read(fn *ir.Func, s *summary, given map[int]*value) {
	e.within(fn, func() {
		f := &frame{e: e, fn: fn, file: fn.File, table: tableOf(fn.File), sum: s, env: newEnv(nil)}
		f.parameters(given)
		f.run(fn.Body)
	})
}

// global reads the top level of a file.
func (e *engine) global(file *ir.File) {
	fn := file.Funcs[0]
	start := newEnv(nil)
	e.globals[file] = start
	e.within(fn, func() {
		f := &frame{e: e, fn: fn, file: file, table: tableOf(file), sum: &summary{effects: map[string]*value{}}, env: start}
		f.run(fn.Body)
		if f.env != nil {
			e.globals[file] = f.env
		}
		e.export(file)
	})
}

// parameters gives a function's parameters what they are known to be: what a framework hands in, or what a caller did.
func (f *frame) parameters(given map[int]*value) {
	fn := f.fn
	routed := f.routed()
	f.page = f.page || routed && (f.file.Language == "python" && f.pages() || scripts[f.file.Language]) || f.verb() == "MethodView"
	for i, p := range fn.Params {
		v, ok := given[i]
		if !ok {
			v = f.parameter(i, p, routed)
		}
		switch {
		case p.Pattern != nil:
			f.set(p.Pattern, v)
		case p.Name != "":
			f.env.set(p.Name, v)
		}
	}
}

// What a command is handed that a parser of command lines finds by the same name as others do what serves requests.
var commandLine = words(`argv args yargs options opts`)

func (f *frame) parameter(i int, p ir.Param, routed bool) *value {
	t := f.table
	v := &value{labels: []label{{fn: f.fn, param: i}}}
	if harmlessType(p.Type) {
		v = &value{clean: true}
	}
	full := f.typeName(p.Type)
	if mapped := t.Type(full); mapped != "" {
		full = mapped
	}
	if full != "" && !ordinaryType(p.Type) {
		v = v.named(full)
	}
	for _, d := range p.Decorators {
		if t.Annotated(callName(d)) && !harmlessType(p.Type) {
			return f.entered(p)
		}
	}
	if i == 0 && explicitSelf(f.fn) {
		return &value{full: f.selfName(p), labels: v.labels}
	}
	if v.full == "" && i == 0 && f.fn.Outer != nil && f.fn.Outer.Outer == nil && !commandLine[p.Name] {
		for _, cb := range t.Callbacks("export:" + f.fn.Name) {
			v = v.named(cb.Params[0])
		}
	}
	if v.full == "" {
		if named := t.Named(p.Name); named != "" && (named != "koa.Context" || f.e.koa) {
			v = v.named(named)
		}
	}
	if routed && f.isBody(p) {
		return f.entered(p)
	}
	if !routed && f.handed(i, p) {
		return f.entered(p).cleaned(model.KindOf("path"))
	}
	if routed && f.fromAddress(p) {
		if sort, ok := f.inAddress(p); ok && sort != "path" {
			return f.entered(p).cleaned(model.KindOf("path")) // a part of an address holds no slash
		}
		return f.entered(p)
	}
	if _, ok := f.inAddress(p); ok && routed {
		return &value{clean: true}
	}
	return v
}

func (f *frame) selfName(p ir.Param) string {
	if f.file.Language == "go" {
		return f.typeName(p.Type)
	}
	return f.thisName()
}

// entered is what a framework hands in.
func (f *frame) entered(p ir.Param) *value {
	x := &ir.Expr{Op: ir.Name, Text: p.Name, Node: p.Node}
	return f.source(x, f.typeName(p.Type))
}

// callName is the name of what a decorator is, or calls.
func callName(d *ir.Expr) string {
	if d.Op == ir.Call {
		return callName(d.Args[0])
	}
	if d.Op == ir.Member {
		return callName(d.Args[0]) + "." + d.Text
	}
	return d.Text
}

// inline reads a closure where it is called, with what its variables hold there.
func (f *frame) inline(c *closure, args []*value) *value {
	return f.inlineGiven(c, func(g *frame) map[int]*value {
		given := map[int]*value{}
		for i, p := range c.fn.Params {
			switch {
			case p.Rest:
				for j := i; j < len(args); j++ {
					given[i] = joined(given[i], &value{rest: args[j]}, 0)
				}
			case i < len(args):
				given[i] = args[i]
			default:
				given[i] = nil
				if p.Default != nil {
					given[i] = g.eval(p.Default)
				}
			}
		}
		return given
	})
}

func (f *frame) inlineGiven(c *closure, args func(*frame) map[int]*value) *value {
	if f.depth >= maxInline || c.env == nil {
		return nil
	}
	g := &frame{e: f.e, fn: c.fn, file: c.fn.File, table: tableOf(c.fn.File), depth: f.depth + 1,
		sum: &summary{effects: f.sum.effects, sinks: f.sum.sinks, yields: f.sum.yields}}
	f.e.inlined[c.fn] = true
	g.env = newEnv(c.env)
	g.parameters(args(g))
	g.run(c.fn.Body)
	f.sum.sinks = g.sum.sinks
	f.sum.yields = g.sum.yields
	if c.fn.Generator {
		return &value{rest: g.sum.result.contents()}
	}
	return g.sum.result
}

// callbacks reads the functions that a call is handed, with what it is known to call them with, and gives what they give.
func (f *frame) callbacks(c *call) *value {
	var out *value
	for i, a := range c.args {
		fn := a.closures()
		if len(fn) == 0 || fn[0].env == nil {
			continue
		}
		var given []*value
		known := f.table.Callbacks(c.full)
		for _, name := range c.also {
			known = append(known, f.table.Callbacks(name)...)
		}
		for _, cb := range known {
			if cb.Arg != i && cb.Arg != model.AnyArg {
				continue
			}
			given = f.calledWith(c, fn[0].fn, cb.Params)
		}
		if given == nil && overItems[c.short] {
			given = []*value{f.element(c.on), nil, c.on}
			if f.file.Language == "ruby" && len(fn[0].fn.Params) == 2 && !indexed[c.short] && !(c.on != nil && c.on.isList) {
				given = []*value{f.keyOf(f.element(c.on)), f.element(c.on)} // of a map
			}
			if c.short == "then" || c.short == "tap" || c.short == "map" && !c.on.holds() {
				given = []*value{c.on}
			}
			if c.short == "reduce" {
				given = []*value{nil, f.element(c.on)}
				if i == 0 && len(c.args) > 1 {
					given[0] = c.args[1]
				}
			}
		}
		if f.depth >= maxInline {
			continue
		}
		if f.isRoute(c) {
			f.route(fn[0])
			continue
		}
		v := f.closureGiven(fn[0], given)
		switch c.short {
		case "map", "flatMap", "collect", "mapToObj", "flat_map", "filter_map":
			out = joined(out, &value{rest: v}, 0)
		case "then", "reduce", "replace", "inject", "apply", "call", "orElseGet", "computeIfAbsent":
			out = joined(out, v, 0)
		}
	}
	return out
}

// Methods that call a function with the items of what they belong to.
var overItems = words(`map forEach filter flatMap reduce some every find each then collect select reject sort each_with_index inject
	tap mapToObj anyMatch allMatch ifPresent peek findIndex each_pair any all none`)

// closureGiven reads a closure of whose parameters only the first may be known; the others are what they are by custom.
func (f *frame) closureGiven(c *closure, args []*value) *value {
	return f.inlineGiven(c, func(g *frame) map[int]*value {
		given := map[int]*value{}
		for i, p := range c.fn.Params {
			switch {
			case i < len(args) && args[i] != nil:
				given[i] = args[i]
			default:
				v := g.parameter(i, p, false)
				if v != nil && len(v.labels) > 0 && v.labels[0].source == nil {
					v = (*value)(nil).named(v.full) // nobody else calls it
				}
				given[i] = v
			}
		}
		return given
	})
}
