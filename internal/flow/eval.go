package flow

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

func itoa(i int) string { return strconv.Itoa(i) }

// eval gives what an expression is worth.
func (f *frame) eval(x *ir.Expr) *value {
	if x == nil || f.env == nil || f.e.steps < 0 {
		return nil
	}
	f.e.steps--
	switch x.Op {
	case ir.Const:
		return &value{con: x}
	case ir.Name:
		return f.variable(x)
	case ir.Member:
		if v, ok := f.env.get("?" + x.Node.Text()); ok {
			return v
		}
		return f.member(x, f.eval(x.Args[0]), x.Text)
	case ir.Index:
		if v, ok := f.env.get("?" + x.Node.Text()); ok {
			return v
		}
		return f.index(x)
	case ir.Call, ir.New:
		if v, ok := f.env.get("?" + x.Node.Text()); ok {
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
		return f.typed(f.eval(x.Args[0]), x.Text)
	case ir.Each:
		return f.each(x)
	case ir.Yield:
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

func (f *frame) variable(x *ir.Expr) *value {
	if v, ok := f.env.get(x.Text); ok {
		if v == nil {
			return nil
		}
		return v
	}
	if f.isThis(x) {
		return &value{full: f.thisName(), labels: []label{{fn: f.fn, param: thisParam}}}
	}
	full := x.Text
	if imported, ok := f.file.Imports[x.Text]; ok && f.file.Language != "java" {
		full = imported
	}
	if t := f.table.Type(full); t != "" {
		full = t
	}
	if f.table.Source(full) {
		return f.source(x, full)
	}
	if c := f.e.globals[f.file]; c != nil && c != f.env {
		if v, ok := c.vars[x.Text]; ok {
			return v
		}
	}
	if f.fn.Class != "" {
		if v := f.e.fields[f.fn.Class][x.Text]; v != nil && f.file.Language == "java" {
			return v.named(f.fieldType(x.Text))
		}
		if t := f.fieldType(x.Text); t != "" {
			return &value{full: f.typeName(t), labels: []label{{fn: f.fn, param: thisParam, fields: "." + x.Text}}}
		}
	}
	return &value{full: full}
}

func (f *frame) thisName() string {
	if c := f.file.Classes[f.fn.Class]; c != nil && len(c.Bases) > 0 {
		b := c.Bases[0]
		full := f.typeName(b)
		if t := f.table.Type(full); t != "" {
			return t
		}
		if full != b {
			return full
		}
	}
	return "this"
}

// fieldType is the declared type of a field of the class at hand.
func (f *frame) fieldType(name string) string {
	if c := f.file.Classes[f.fn.Class]; c != nil {
		return c.Fields[name]
	}
	return ""
}

// source is a value that enters at x.
func (f *frame) source(x *ir.Expr, full string) *value {
	s := f.e.entry(f.file, x)
	return &value{full: full, labels: []label{{source: s, trail: (*trail)(nil).add(*s)}}}
}

// member is a field of a value.
func (f *frame) member(x *ir.Expr, on *value, field string) *value {
	full := f.full(on, field)
	if t := f.table.Type(full); t != "" {
		full = t
	}
	if f.table.Source(full) {
		return f.source(x, full)
	}
	if on == nil {
		return &value{full: full}
	}
	if v, ok := on.fields[field]; ok {
		if v.name() == "" {
			return v.named(full)
		}
		return v
	}
	if harmlessMember[field] {
		return &value{full: full, clean: true}
	}
	out := &value{full: full}
	for _, l := range on.labels {
		if l.source == nil {
			if strings.Count(l.fields, ".") >= maxFields {
				continue
			}
			l.fields += "." + field
		}
		out.labels = merge(out.labels, []label{l})
	}
	if on.rest != nil {
		out = joined(out, on.rest, 0)
	}
	if x.Op == ir.Member && f.isThis(x.Args[0]) {
		out = joined(out, f.e.fields[f.fn.Class][field], 0)
		if t := f.fieldType(field); t != "" {
			out.full = f.typeName(t)
		}
	}
	return out
}

// full is the tables' name of a member.
func (f *frame) full(on *value, field string) string {
	base := on.name()
	switch {
	case on == nil:
		base = "?"
	case on.con != nil:
		base = "string"
	case base == "":
		base = "?"
		switch {
		case on.isList:
			base = "list"
		case len(on.pieces) > 0:
			base = "string"
		}
	}
	if f.file.Language == "java" && strings.Contains(base, ".") && base == strings.ToLower(base) {
		base = "" // a package: java.util.Base64 is Base64
	}
	if base == "" {
		return field
	}
	full := base + "." + field
	if len(full) > maxFull {
		return "?." + field
	}
	return full
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
	if k, known := key.text(); known && !on.holds() {
		if full := f.full(on, k); f.table.Source(full) {
			return f.source(x, full)
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

func truth(yes bool) *value { return constant(ir.Bool, strconv.FormatBool(yes)) }

// truth tells whether a condition holds, where that is known.
func (f *frame) truth(v *value) (yes, known bool) {
	if !v.known() {
		return false, false
	}
	return v.con.Text == "true", v.con.Kind == ir.Bool
}

// binary is what an operator gives.
func (f *frame) binary(op string, a, b *value) *value {
	sa, oka := a.text()
	sb, okb := b.text()
	if oka && okb {
		if v := fold(op, a.con, b.con); v != nil {
			return v
		}
	}
	switch op {
	case "+", ".", "..", "||": // PHP joins texts with a dot
		if a != nil && b != nil && a.isList && b.isList {
			return a.spread(b)
		}
		if a != nil && a.clean && b != nil && (b.clean || b.con != nil && b.con.Kind == ir.Number) {
			return a
		}
		return concat(a, b)
	case "%":
		if oka && a.con.Kind == ir.Text {
			return format(sa, b)
		}
		if a != nil && len(a.pieces) > 0 {
			return concat(a, b)
		}
	case "*":
		if okb && sb != "" {
			return a.vague()
		}
	case "<<":
		return concat(a, b)
	case "/":
		if a.name() != "" && (len(b.taint()) > 0 || strings.Contains(a.name(), "Path")) { // pathlib
			return concat(a, b).named(a.full)
		}
	case "??", "?:":
		return join(a, b)
	}
	return &value{clean: true}
}

// format is the text of a template with %s and kin, and what is put into it.
func format(template string, args *value) *value {
	parts, i := []*value{}, 0
	next := func() *value {
		if args != nil && args.isList {
			i++
			return args.item(constant(ir.Number, itoa(i-1)))
		}
		return args
	}
	for template != "" {
		at := strings.IndexByte(template, '%')
		if at < 0 || at+1 >= len(template) {
			break
		}
		end := at + 1
		name := ""
		if template[end] == '(' {
			if k := strings.IndexByte(template[end:], ')'); k > 0 {
				name = template[end+1 : end+k]
				end += k + 1
			}
		}
		for end < len(template) && strings.IndexByte("0123456789.-+# $*", template[end]) >= 0 {
			end++
		}
		if end >= len(template) {
			break
		}
		parts = append(parts, constant(ir.Text, template[:at]))
		switch verb := template[end]; {
		case verb == '%':
			parts = append(parts, constant(ir.Text, "%"))
		case strings.IndexByte("dioufFeEgGxXcbt", verb) >= 0:
			next()
			parts = append(parts, &value{clean: true})
		case name != "":
			parts = append(parts, args.item(constant(ir.Text, name)))
		default:
			parts = append(parts, next())
		}
		template = template[end+1:]
	}
	parts = append(parts, constant(ir.Text, template))
	return concat(parts...)
}

// fold computes with constants; nil where it cannot.
func fold(op string, a, b *ir.Expr) *value {
	if a.Kind == ir.Number && b.Kind == ir.Number {
		x, errX := strconv.ParseFloat(a.Text, 64)
		y, errY := strconv.ParseFloat(b.Text, 64)
		if errX != nil || errY != nil {
			return nil
		}
		whole := !strings.ContainsAny(a.Text+b.Text, ".eE")
		number := func(v float64) *value {
			if whole {
				v = float64(int64(v))
			}
			return constant(ir.Number, strconv.FormatFloat(v, 'f', -1, 64))
		}
		switch op {
		case "+":
			return number(x + y)
		case "-":
			return number(x - y)
		case "*":
			return number(x * y)
		case "/":
			if y != 0 {
				return number(x / y)
			}
		case "%":
			if y != 0 && whole {
				return number(float64(int64(x) % int64(y)))
			}
		case "<":
			return truth(x < y)
		case ">":
			return truth(x > y)
		case "<=":
			return truth(x <= y)
		case ">=":
			return truth(x >= y)
		case "==", "===", "is":
			return truth(x == y)
		case "!=", "!==", "is not":
			return truth(x != y)
		}
		return nil
	}
	switch op {
	case "+", ".":
		if a.Kind == ir.Text || b.Kind == ir.Text {
			return constant(ir.Text, a.Text+b.Text)
		}
	case "==", "===":
		return truth(a.Text == b.Text)
	case "!=", "!==":
		return truth(a.Text != b.Text)
	case "in":
		return truth(strings.Contains(b.Text, a.Text))
	case "not in":
		return truth(!strings.Contains(b.Text, a.Text))
	}
	return nil
}

// Members of an untrusted text that are not such text themselves.
var harmlessMember = words(`length size count len empty? nil? present? blank? status_code content_length lastModified`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
