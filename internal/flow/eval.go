package flow

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

func itoa(i int) string { return strconv.Itoa(i) }

// eval gives what an expression is worth, and notes what comes from outside.
func (f *frame) eval(x *ir.Expr) *value {
	v := f.worth(x)
	if v == nil || len(v.labels)+len(v.pieces) == 0 {
		return v
	}
	switch x.Op {
	case ir.Name, ir.Member, ir.Index, ir.Call, ir.New:
		for _, l := range v.taint() {
			if l.source != nil && l.clean|model.KindOf("xss") != model.All {
				f.e.untrusted[x.Node] = true
				break
			}
		}
	}
	return v
}

func (f *frame) worth(x *ir.Expr) *value {
	if x == nil || f.env == nil || f.e.steps < 0 {
		return nil
	}
	f.e.steps--
	switch x.Op {
	case ir.Const:
		return &value{con: x}
	case ir.Name:
		if v, ok := f.bare(x); ok {
			return v
		}
		return f.variable(x)
	case ir.Member:
		if v, ok := f.env.checked(x); ok {
			return v
		}
		return f.member(x, f.eval(x.Args[0]), x.Text)
	case ir.Index:
		if v, ok := f.env.checked(x); ok {
			return v
		}
		return f.index(x)
	case ir.Call, ir.New:
		if v, ok := f.env.checked(x); ok {
			return v
		}
		return f.call(x)
	case ir.Concat:
		parts := make([]*value, len(x.Args))
		for i, a := range x.Args {
			parts[i] = f.eval(a)
		}
		return concat(parts...)
	case ir.Binary:
		return f.binary(x.Text, f.eval(x.Args[0]), f.eval(x.Args[1]))
	case ir.Not:
		v := f.eval(x.Args[0])
		if yes, known := f.truth(v); known {
			return truth(!yes)
		}
		return &value{clean: true}
	case ir.List:
		v := &value{isList: true}
		for _, a := range x.Args {
			if a.Op == ir.Spread {
				v = v.spread(f.eval(a.Args[0]))
			} else {
				v = v.push(f.eval(a))
			}
		}
		return v
	case ir.Map:
		v := &value{fields: map[string]*value{}}
		for i, a := range x.Args {
			item := f.eval(a)
			if a.Op == ir.Spread {
				v = v.spread(f.eval(a.Args[0]))
			} else if x.Names[i] == "" {
				v = v.put(nil, item)
			} else {
				v = v.put(constant(ir.Text, x.Names[i]), item)
			}
		}
		return v
	case ir.Spread, ir.Same:
		return f.eval(x.Args[0])
	case ir.Choose:
		return f.chosen(x)
	case ir.Either:
		return f.either(x)
	case ir.Both:
		return f.both(x)
	case ir.Lambda:
		return &value{fns: []*closure{{x.Func, f.env}}}
	case ir.Set:
		v := f.eval(x.Args[1])
		if op := strings.TrimSuffix(x.Text, "="); op != "" && op != ":" {
			v = f.binary(op, f.eval(x.Args[0]), v)
		}
		f.set(x.Args[0], v)
		return v
	case ir.Typed:
		v := f.eval(x.Args[0])
		if f.file.Language == "go" {
			v = f.byField(v, x.Text)
		}
		if f.file.Language == "go" && v.holds() { // what the functions in the fields of a struct are
			for _, k := range keys(v.fields) {
				if inner := v.fields[k]; len(inner.closures()) > 0 || inner.holds() && len(inner.contents().closures()) > 0 {
					f.e.learnField(lastPart(x.Text), k, inner)
				}
			}
		}
		return f.typed(v, x.Text)
	case ir.Each:
		return f.each(x)
	case ir.Yield:
		if f.file.Language == "ruby" {
			for i, a := range x.Args {
				if i == len(f.sum.yields) {
					f.sum.yields = append(f.sum.yields, nil)
				}
				f.sum.yields[i] = joined(f.sum.yields[i], f.eval(a), 0)
			}
			return nil
		}
		v := f.eval(x.Args[0])
		f.sum.result = join2(f.sum.result, &value{rest: v})
		return nil
	}
	for _, a := range x.Args {
		f.eval(a)
	}
	return nil
}

// spread is a container with all that another holds.
func (v *value) spread(more *value) *value {
	if more == nil {
		return v
	}
	switch {
	case v.isList && more.isList && more.rest == nil:
		for _, i := range more.list {
			v = v.push(i)
		}
		return v
	case !v.isList && more.fields != nil:
		for _, k := range keys(more.fields) {
			v = v.put(constant(ir.Text, k), more.fields[k])
		}
		w := *v
		w.rest = joined(w.rest, more.rest, 0)
		return &w
	}
	w := *v
	w.rest = joined(w.rest, more.contents(), 0)
	return &w
}

func (f *frame) index(x *ir.Expr) *value {
	on := f.eval(x.Args[0])
	if len(x.Args) == 1 { // a slice
		if on == nil {
			return nil
		}
		return carrying(on.taint()).named(on.full)
	}
	key := f.eval(x.Args[1])
	if s, known := on.text(); known { // a letter of a text
		if k, ok := key.text(); ok {
			if i, err := strconv.Atoi(k); err == nil && i >= 0 && i < len(s) {
				return constant(ir.Text, s[i:i+1])
			}
		}
		return nil
	}
	var clean model.Kinds
	if k, known := key.text(); known && !on.holds() {
		if k == "tmp_name" && f.file.Language == "php" { // of an upload: PHP has made it up
			return &value{clean: true}
		}
		full := f.full(on, k)
		if f.table.Source(full) {
			return f.source(x, full)
		}
		if clean = f.table.Clean(full); clean == model.All {
			return &value{clean: true}
		}
		if v := f.shared(on, k); v != nil {
			return v
		}
	}
	if on != nil && !on.holds() && len(on.labels) > 0 && on.labels[0].source == nil {
		if k, known := key.text(); known {
			return f.member(x, on, k)
		}
	}
	v := on.item(key)
	if v.name() == "" && on.name() != "" {
		v = v.named(on.full + "[]")
	}
	if clean != 0 {
		v = v.cleaned(clean)
	}
	return v
}

// holds reports a container whose contents are known.
func (v *value) holds() bool { return v != nil && (v.isList || v.fields != nil || v.rest != nil) }

func (f *frame) chosen(x *ir.Expr) *value {
	test := f.eval(x.Args[0])
	yes, known := f.truth(test)
	before := f.env
	var a, b *value
	if !known || yes {
		f.env = before.copy()
		f.refine(x.Args[0], true)
		a = f.eval(x.Args[1])
	}
	if !known || !yes {
		f.env = before.copy()
		f.refine(x.Args[0], false)
		b = f.eval(x.Args[2])
	}
	f.env = before
	switch {
	case !known:
		return join(a, b)
	case yes:
		return a
	}
	return b
}

func (f *frame) either(x *ir.Expr) *value {
	a := f.eval(x.Args[0])
	if a.known() && a.con.Kind != ir.Null && a.con.Text != "" && a.con.Text != "false" && a.con.Text != "0" {
		return a
	}
	before := f.env
	f.env = before.copy()
	f.refine(x.Args[0], false)
	b := f.eval(x.Args[1])
	f.env = before
	if a.known() {
		return b
	}
	return join(a, b)
}

func (f *frame) both(x *ir.Expr) *value {
	a := f.eval(x.Args[0])
	if yes, known := f.truth(a); known && !yes {
		return truth(false)
	}
	before := f.env
	f.env = before.copy()
	f.refine(x.Args[0], true)
	b := f.eval(x.Args[1])
	f.env = before
	if yes, known := f.truth(b); known && !yes {
		return truth(false)
	}
	return b.vague()
}

// each is what a comprehension makes.
func (f *frame) each(x *ir.Expr) *value {
	over := f.eval(x.Args[0])
	before := f.env
	f.env = before.copy()
	f.set(x.Args[1], f.element(over))
	for _, c := range x.Args[3:] {
		f.eval(c)
		f.refine(c, true)
	}
	v := f.eval(x.Args[2])
	f.env = before
	return &value{rest: v}
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
