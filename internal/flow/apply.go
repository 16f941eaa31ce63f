package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

// apply is what a call of a function gives, and what it does, by the function's summary.
func (f *frame) apply(c *call, fn *ir.Func, s *summary) *value {
	given := f.bound(c, fn)
	for i, v := range given {
		given[i] = f.opened(c.x, v)
	}
	at := f.step(c.x)
	carries := false
	for _, v := range given {
		carries = carries || v.carries()
	}
	if !carries && c.x.Op != ir.New && !isConstructor(fn) && len(s.effects) == 0 { // nothing goes in, so nothing of it does harm
		return s.result.replace(fn, given, at, 0)
	}
	for _, r := range s.sinks {
		v := r.val.replace(fn, given, at, 0).stepped(at)
		hit, after := r.hit, r.trail
		if f.states(r, v, fn) {
			hit, after = hitKey{r.sink.Kind, f.file, c.x.Node}, (*trail)(nil).add(at)
		}
		f.harm(r.sink, hit, r.what, v, after, nil)
	}
	for _, k := range keys(s.effects) {
		f.affect(c, fn, k, s.effects[k].replace(fn, given, at, 0))
	}
	v := s.result.replace(fn, given, at, 0)
	if fn.File != f.file {
		v = v.through(step{fn.File.Path, fn.Node})
	}
	switch made := c.x.Op == ir.New || isConstructor(fn); {
	case made:
		v = &value{full: c.full, fields: map[string]*value{}}
	case !f.givesSelf(fn, s.result):
		return v
	case c.on.name() != "":
		v = v.named(c.on.full)
	}
	for _, k := range keys(s.effects) {
		if field, ok := strings.CutPrefix(k, f.selfKey(fn)+"."); ok && !strings.Contains(field, ".") {
			v = v.put(constant(ir.Text, field), s.effects[k].replace(fn, given, at, 0))
		}
	}
	return v
}

// through is a value that came back from a function of another file: who reads its path needs that file, too.
func (v *value) through(s step) *value {
	return v.relabel(0, func(l label) label {
		if l.source != nil && !l.trail.visits(s.file) {
			l.trail = l.trail.add(s)
		}
		return l
	})
}

// visits reports a path that leads through a file.
func (t *trail) visits(file string) bool {
	for at := t; at != nil; at = at.before {
		if at.step.file == file {
			return true
		}
	}
	return false
}

// states reports a statement of SQL that is put together here and handed to a function that runs any: the fault is here.
func (f *frame) states(r reach, v *value, fn *ir.Func) bool {
	if r.sink.Kind != model.KindOf("sql") || len(r.val.pieces) > 0 || len(r.val.labels) != 1 || r.val.labels[0].fn != fn ||
		v == nil || len(v.pieces) == 0 {
		return false
	}
	return sqlText.MatchString(v.literal())
}

// givesSelf reports a method whose result is its instance.
func (f *frame) givesSelf(fn *ir.Func, result *value) bool {
	return result != nil && len(result.labels) == 1 && result.labels[0].fn == fn && result.labels[0].fields == "" &&
		itoa(result.labels[0].param) == f.selfKey(fn)
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
	for on != nil && on.Op == ir.Same {
		on = on.Args[0]
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
		if c.on != nil && c.on.fields[fn.Class] != nil && fn.File.Language == "go" { // what the instance is made of
			given[0] = c.on.fields[fn.Class]
		}
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
	if fn.File.Language != "python" { // where an instance of nothing is no class
		return false
	}
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
			if one.storedBy(field) {
				continue
			}
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
	return merge(into, v.narrowed(l.clean).taint())
}

// replace is a value of a summary with what a caller handed in, in place of the parameters.
func (v *value) replace(fn *ir.Func, given map[int]*value, at step, depth int) *value {
	if v == nil || depth > maxNested+2 {
		return nil
	}
	if len(v.labels) == 1 && v.pieces == nil && v.fields == nil && v.list == nil && v.rest == nil && v.labels[0].fn == fn &&
		v.labels[0].fields == "" && v.labels[0].source == nil { // the parameter itself
		if w := given[v.labels[0].param]; w != nil {
			return w.narrowed(v.labels[0].clean)
		}
	}
	if !v.carries() {
		return v
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
			if len(q.val.labels) > 0 { // of what it was joined with: x || ""
				w.pieces = addPiece(w.pieces, hole(q.val.labels))
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
	if depth == 0 {
		return (&w).bounded()
	}
	return &w
}

// carries reports a value that has a label, or holds one that has.
func (v *value) carries() bool { return v.holdsLabel(0) }

func (v *value) holdsLabel(depth int) bool {
	if v == nil || depth > maxNested+2 {
		return false
	}
	if len(v.labels) > 0 || v.rest.holdsLabel(depth+1) {
		return true
	}
	for _, p := range v.pieces {
		if p.val.holdsLabel(depth + 1) {
			return true
		}
	}
	for _, i := range v.list {
		if i.holdsLabel(depth + 1) {
			return true
		}
	}
	for _, x := range v.fields {
		if x.holdsLabel(depth + 1) {
			return true
		}
	}
	return false
}

// opened is a request, or the like, with the untrusted values that can be taken from it.
func (f *frame) opened(x *ir.Expr, v *value) *value {
	if v == nil || v.full == "" || v.full == "this" || v.full == "?" || v.fields != nil || v.isList || v.known() {
		return v
	}
	names := f.table.Members(v.full)
	if len(names) == 0 || len(names) > maxItems {
		return v
	}
	w := *v
	w.fields = map[string]*value{}
	for _, name := range names {
		w.fields[name] = f.source(x, v.full+"."+name)
	}
	return &w
}
