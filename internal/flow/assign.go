package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

func (f *frame) assign(s *ir.Stmt) {
	v := f.eval(s.Value)
	added := v
	if s.Text != "" { // augmented
		old := f.eval(s.Target)
		v = f.binary(s.Text, old, v)
	}
	if s.Type != "" {
		v = f.typed(v, s.Type)
	}
	if f.file.Language == "php" && s.Text == "." && s.Target.Op == ir.Name && page.MatchString(s.Target.Text) &&
		strings.Contains(v.literal(), "<") {
		sink := model.Sink{Kind: model.KindOf("xss")}
		f.harm(sink, hitKey{sink.Kind, f.file, s.Value.Node}, s.Target.Text, added, nil, s.Value)
	}
	f.set(s.Target, v)
	f.appended(s, v)
	f.noteRelative(s)
	if t := s.Target; t.Op == ir.Name && scripts[f.file.Language] { // const ok = x.startsWith('/') && !x.startsWith('//')
		f.noteCheck(t.Text, s)
	}
	if t := s.Target; f.file.Language == "go" && t.Op == ir.List && len(t.Args) == 2 && t.Args[1].Op == ir.Name {
		f.noteCheck(t.Args[1].Text, s)
	}
}

// maxChecks bounds the checks of a function whose outcomes are remembered, and maxCheck their expressions: each assignment asks whether
// they speak of it.
const maxChecks, maxCheck = 64, 100

// sizeOf is how many expressions one is made of, or some number above maxCheck.
func sizeOf(x *ir.Expr) int {
	n := 1
	for _, a := range x.Args {
		if a != nil && n <= maxCheck {
			n += sizeOf(a)
		}
	}
	return n
}

// noteCheck remembers the check whose outcome a variable holds.
func (f *frame) noteCheck(name string, s *ir.Stmt) {
	delete(f.checks, name)
	switch op := s.Value.Op; {
	case s.Text != "" || s.Target.Op == ir.List && op != ir.Index || len(f.checks) >= maxChecks || sizeOf(s.Value) > maxCheck:
	case op == ir.Index || op == ir.Both || op == ir.Either || op == ir.Not || op == ir.Binary && strings.ContainsAny(s.Value.Text, "=<>!"):
		if f.checks == nil {
			f.checks = map[string]*ir.Expr{}
		}
		f.checks[name] = s.Value
	}
}

// page is what the text of a page is kept in.
var page = pattern.New(`(?i)html|output|content|body|page|markup`)

// set assigns a value to what stands on the left of an assignment.
func (f *frame) set(target *ir.Expr, v *value) {
	if f.env == nil || target == nil {
		return
	}
	switch target.Op {
	case ir.Name:
		if len(v.taint()) > 0 {
			v = v.stepped(f.step(target))
			for i, p := range f.fn.Params {
				if p.Shared && p.Name == target.Text {
					f.effect(&value{labels: []label{{fn: f.fn, param: i}}}, "", v)
				}
			}
		}
		f.bind(target.Text, v)
	case ir.Same, ir.Spread, ir.Typed:
		f.set(target.Args[0], v)
	case ir.List:
		if target.Text == "range" {
			if len(target.Args) == 2 {
				f.set(target.Args[0], f.keyOf(v))
			}
			f.set(target.Args[len(target.Args)-1], v)
			return
		}
		if f.file.Language == "go" && !v.holds() { // a result and an error
			for i, t := range target.Args {
				if i > 0 && (i == 2 || len(target.Args) == 2) {
					v = nil
				}
				f.set(t, v)
			}
			return
		}
		for i, t := range target.Args {
			if t.Op == ir.Spread {
				f.set(t.Args[0], v.contents())
				continue
			}
			f.set(t, v.item(constant(ir.Number, itoa(i))))
		}
	case ir.Map:
		for i, t := range target.Args {
			if t.Op == ir.Spread || target.Names[i] == "" {
				f.set(t, v)
				continue
			}
			f.set(t, f.member(target, v, target.Names[i]))
		}
	case ir.Set: // a default: { a = 1 }
		f.set(target.Args[0], join(v, f.eval(target.Args[1])))
	case ir.Member:
		f.sinkOfAssignment(target, v)
		f.share(target, target.Text, v)
		f.put(target.Args[0], constant(ir.Text, target.Text), v, 0)
	case ir.Index:
		var key *value
		if len(target.Args) > 1 {
			key = f.eval(target.Args[1])
		}
		f.sinkOfAssignment(target, v)
		if k, ok := key.text(); ok {
			f.share(target, k, v)
		}
		if old := f.eval(target.Args[0]); len(target.Args) == 1 && (!old.holds() || old.isList) { // PHP's $list[] = v
			f.effect(old, "", v)
			f.store(target.Args[0], old.push(v))
			return
		}
		f.put(target.Args[0], key, v, 0)
	}
}

// keyOf is the key that stands with an item of what a request brought by name.
func (f *frame) keyOf(item *value) *value {
	if item != nil && byName.MatchString(item.full) {
		return carrying(item.labels)
	}
	return nil
}

var byName = pattern.New(`^(\$_\w+|getallheaders|http\.Request\.(Form|PostForm|Header|URL\.Query)|params)(\(\))?\[\]$`)

// put stores a value under a key of what on names.
func (f *frame) put(on *ir.Expr, key, v *value, depth int) {
	if depth > maxFields || f.env == nil {
		return
	}
	old := f.eval(on)
	if k, ok := key.text(); ok {
		f.effect(old, "."+k, v)
		f.learn(on, k, v)
	} else {
		f.effect(old, "", v)
	}
	now := old.put(key, v)
	switch on.Op {
	case ir.Name:
		if !f.grown(on.Text, now) {
			f.bind(on.Text, now)
		}
	case ir.Member:
		f.put(on.Args[0], constant(ir.Text, on.Text), now, depth+1)
	case ir.Index:
		if len(on.Args) > 1 {
			f.put(on.Args[0], f.eval(on.Args[1]), now, depth+1)
		}
	case ir.Same, ir.Typed:
		f.put(on.Args[0], key, v, depth+1)
	}
}

// bind gives a variable a value, in the function that declares it.
func (f *frame) bind(name string, v *value) {
	if name == "" {
		return
	}
	f.env.set(name, v)
	for _, told := range []map[string]*ir.Expr{f.checks, f.relatives} {
		for k, x := range told {
			if speaksOf(x, name) {
				delete(told, k)
			}
		}
	}
	if !f.env.checks {
		return
	}
	for k := range f.env.vars { // what was checked of it was another value
		if k[0] == '?' && strings.HasPrefix(k[1:], name) {
			delete(f.env.vars, k)
		}
	}
}

// effect notes that a function puts a value into one of its parameters.
func (f *frame) effect(on *value, under string, v *value) {
	if on == nil || v == nil || len(v.taint()) == 0 || f.sum.effects == nil {
		return
	}
	for _, l := range on.labels {
		if l.source != nil || l.fn != f.fn {
			continue
		}
		k := itoa(l.param) + l.fields + under
		f.sum.effects[k] = joined(f.sum.effects[k], v, 0)
	}
}

// learn notes what the fields of a class are given anywhere.
func (f *frame) learn(on *ir.Expr, field string, v *value) {
	if f.fn.Class == "" || !f.isThis(on) {
		return
	}
	if f.inParts(v) {
		f.e.learnType(f.fn.Class, field, v.full)
		return
	}
	f.e.learnField(f.fn.Class, field, f.withoutParts(v, 0))
}

// inParts reports a thing of which the tables say what is untrusted of it: a request, whose address and parameters are, and not itself.
func (f *frame) inParts(v *value) bool { return len(f.table.Members(v.name())) > 0 }

// withoutParts is a value without what such things in it hold: who takes one out of it asks the tables.
func (f *frame) withoutParts(v *value, depth int) *value {
	if v == nil || v.fields == nil || depth > maxNested {
		return v
	}
	w := *v
	w.fields = map[string]*value{}
	for k, x := range v.fields {
		if f.inParts(x) {
			x = &value{full: x.full}
		}
		w.fields[k] = f.withoutParts(x, depth+1)
	}
	return &w
}

// learnType notes that a field is given such a thing.
func (e *engine) learnType(class, field, full string) {
	fields := e.fields[class]
	if fields == nil {
		fields = map[string]*value{}
		e.fields[class] = fields
	}
	if fields[field].name() == "" {
		fields[field] = fields[field].named(full)
		e.learned = true
	}
}

func (e *engine) learnField(class, field string, v *value) {
	var labels []label
	for _, l := range v.taint() {
		if l.source != nil {
			labels = append(labels, l)
		}
	}
	holds := &value{fns: v.closures()}
	if inner := v.contents(); v.holds() && len(inner.closures()) > 0 {
		holds.rest = &value{fns: inner.fns}
	}
	if len(labels)+len(holds.fns) == 0 && holds.rest == nil {
		return
	}
	fields := e.fields[class]
	if fields == nil {
		fields = map[string]*value{}
		e.fields[class] = fields
	}
	if before := fields[field]; before == nil || len(merge(before.labels, labels)) > len(before.labels) {
		holds.labels = labels
		fields[field] = joined(before, holds, 0)
		e.learned = true
	}
}

// speaksOf reports an expression in which a variable stands.
func speaksOf(x *ir.Expr, name string) bool {
	return x != nil && (x.Op == ir.Name && x.Text == name || slices.ContainsFunc(x.Args, func(a *ir.Expr) bool { return speaksOf(a, name) }))
}

// isThis reports the instance that a method belongs to.
func (f *frame) isThis(x *ir.Expr) bool {
	if x.Op != ir.Name {
		return false
	}
	switch x.Text {
	case "this", "$this", "@self":
		return true
	case "self", "cls":
		return f.file.Language == "python" || f.file.Language == "ruby"
	}
	return len(f.fn.Params) > 0 && f.file.Language == "go" && f.fn.Class != "" && x.Text == f.fn.Params[0].Name
}
