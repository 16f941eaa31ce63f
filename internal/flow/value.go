package flow

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

// Bounds of one value: what goes beyond them is known less exactly.
const (
	maxLabels = 6  // origins
	maxPieces = 40 // of a text
	maxItems  = 64 // of a list or map
	maxNested = 4  // containers in containers
	maxFields = 3  // names after a parameter
	maxFull   = 160
	maxSteps  = 16 // of a path
)

// label says that a value carries what came from one origin.
type label struct {
	source *step       // where an untrusted value entered; nil for a parameter
	fn     *ir.Func    // whose parameter
	param  int         // which; thisParam for the instance
	fields string      // names after it: ".user.name"
	clean  model.Kinds // harms that it can do no more
	trail  *trail
}

const thisParam = -1

func (l label) same(o label) bool {
	return l.source == o.source && l.fn == o.fn && l.param == o.param && l.fields == o.fields
}

// trail is a path so far, the last step first.
type trail struct {
	step   step
	before *trail
	n      int
}

func (t *trail) add(s step) *trail {
	if t != nil && (t.step.file == s.file && t.step.line() == s.line() || t.n >= maxSteps) {
		return t
	}
	n := 1
	if t != nil {
		n += t.n
	}
	return &trail{s, t, n}
}

// value is what the engine knows of a value. It never changes; nil is one of which nothing is known, and which carries nothing.
type value struct {
	labels []label
	full   string     // the name under which the tables know it: "flask.request.args"
	con    *ir.Expr   // a Const
	alts   []string   // the texts of the constants that it may be, where it is one of several
	pieces []piece    // of a text, in order
	fns    []*closure // that it may be
	isList bool
	list   []*value          // the items, in order
	fields map[string]*value // by constant key, or of an object
	rest   *value            // under other keys
	clean  bool              // of a type that can do no harm: a number
}

// piece is a part of a text: what is constant of it, or a value.
type piece struct {
	lit string
	val *value
}

type closure struct {
	fn  *ir.Func
	env *env
}

func (v *value) name() string {
	if v == nil {
		return ""
	}
	return v.full
}

// text is the text of a constant.
func (v *value) text() (string, bool) {
	if v == nil || v.con == nil || v.con.Kind == ir.Null {
		return "", false
	}
	return v.con.Text, true
}

func constant(kind ir.Kind, text string) *value {
	return &value{con: &ir.Expr{Op: ir.Const, Kind: kind, Text: text}}
}

func (v *value) known() bool { return v != nil && v.con != nil }

// with gives a copy under another name.
func (v *value) named(full string) *value {
	if len(full) > maxFull {
		full = "?"
	}
	if v == nil {
		return &value{full: full}
	}
	w := *v
	w.full = full
	return &w
}

// taint gives all labels of a value and of what it holds.
func (v *value) taint() []label { return v.collect(nil, 0) }

func (v *value) collect(into []label, depth int) []label {
	if v == nil || depth > maxNested+2 {
		return into
	}
	into = merge(into, v.labels)
	for _, p := range v.pieces {
		into = p.val.collect(into, depth+1)
	}
	for _, i := range v.list {
		into = i.collect(into, depth+1)
	}
	for _, k := range keys(v.fields) {
		into = v.fields[k].collect(into, depth+1)
	}
	return v.rest.collect(into, depth+1)
}

// merge joins labels: one of the same origin is as clean as both of them are.
func merge(into, more []label) []label {
	for _, l := range more {
		found := false
		for i := range into {
			if into[i].same(l) {
				if found = true; into[i].clean&l.clean != into[i].clean {
					into = append([]label(nil), into...)
					into[i].clean &= l.clean
				}
				break
			}
		}
		if !found && len(into) < maxLabels {
			into = append(into[:len(into):len(into)], l)
		}
	}
	return into
}

// carrying is a value of which only the labels are known.
func carrying(labels []label) *value {
	if len(labels) == 0 {
		return nil
	}
	return &value{labels: labels}
}

// join is what a value is that is one of two.
func join(a, b *value) *value {
	switch {
	case a == b:
		return a
	case b == nil:
		return a.vague()
	case a == nil:
		return b.vague()
	}
	return joined(a, b, 0)
}

// vague is a value that may also be another, of which nothing is known.
func (v *value) vague() *value {
	if v == nil || v.con == nil && !v.clean && !v.isList {
		return v
	}
	w := *v
	w.pieces, w.con, w.clean = v.asPieces(), nil, false
	if w.isList {
		w.isList, w.list, w.rest = false, nil, v.contents()
	}
	return &w
}

func joined(a, b *value, depth int) *value {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case depth > maxNested:
		return carrying(merge(a.taint(), b.taint()))
	}
	v := &value{labels: merge(a.labels, b.labels), fns: a.fns, clean: a.clean && b.clean}
	for _, c := range b.fns {
		if !slices.Contains(v.fns, c) && len(v.fns) < maxTargets {
			v.fns = append(v.fns[:len(v.fns):len(v.fns)], c)
		}
	}
	v.full = a.full
	if a.full == "" || len(a.taint()) == 0 && len(b.taint()) > 0 && b.full != "" {
		v.full = b.full
	}
	if a.con != nil && b.con != nil && a.con.Text == b.con.Text && a.con.Kind == b.con.Kind {
		v.con = a.con
	}
	if v.con == nil {
		v.alts = alternatives(a, b)
	}
	switch pa, pb := a.asPieces(), b.asPieces(); {
	case len(pa) == 0:
		v.pieces = pb
	case len(pb) == 0, samePieces(pa, pb):
		v.pieces = pa
	default: // the one that carries something tells more
		if len(b.taint()) > 0 && len(a.taint()) == 0 {
			pa, pb = pb, pa
		}
		v.pieces = pa
		for _, p := range pb {
			v.labels = merge(v.labels, p.val.taint())
		}
	}
	if v.con != nil {
		v.pieces = nil
	}
	if a.isList && b.isList && len(a.list) == len(b.list) {
		v.isList = true
		for i := range a.list {
			v.list = append(v.list, joined(a.list[i], b.list[i], depth+1))
		}
	} else {
		for _, l := range [][]*value{a.list, b.list} {
			for _, i := range l {
				v.rest = joined(v.rest, i, depth+1)
			}
		}
	}
	for _, fields := range []map[string]*value{a.fields, b.fields} {
		for _, k := range keys(fields) {
			if v.fields == nil {
				v.fields = map[string]*value{}
			}
			v.fields[k] = joined(v.fields[k], fields[k], depth+1)
		}
	}
	v.rest = joined(v.rest, joined(a.rest, b.rest, depth+1), depth+1)
	return v
}

// alternatives are the constants that one of two values may be.
func alternatives(a, b *value) []string {
	all := append(a.constants(), b.constants()...)
	if len(all) > maxLabels {
		return nil
	}
	return all
}

// constants are the texts that a value may be.
func (v *value) constants() []string {
	if s, ok := v.text(); ok {
		return []string{s}
	}
	if v == nil {
		return nil
	}
	return v.alts[:len(v.alts):len(v.alts)]
}

func samePieces(a, b []piece) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// asPieces is a value as parts of a text.
func (v *value) asPieces() []piece {
	if v == nil {
		return nil
	}
	if s, ok := v.text(); ok {
		return []piece{{lit: s}}
	}
	return v.pieces
}

// concat is the text of values one after the other.
func concat(parts ...*value) *value {
	whole, constantOnly := "", true
	var all []piece
	for _, p := range parts {
		if s, ok := p.text(); ok {
			whole += s
			all = addPiece(all, piece{lit: s})
			continue
		}
		constantOnly = false
		if p != nil && len(p.pieces) > 0 {
			for _, q := range p.pieces {
				all = addPiece(all, q)
			}
			if len(p.labels) > 0 { // of what it was joined with
				all = addPiece(all, hole(p.labels))
			}
			continue
		}
		all = addPiece(all, hole(p.taint()))
	}
	if constantOnly {
		return constant(ir.Text, whole)
	}
	if len(all) > maxPieces {
		var labels []label
		for _, p := range all {
			labels = merge(labels, p.val.taint())
		}
		return &value{labels: labels, pieces: all[:1]}
	}
	return &value{pieces: all}
}

// hole is a part of a text that is not constant.
func hole(labels []label) piece { return piece{val: &value{labels: labels}} }

func addPiece(all []piece, p piece) []piece {
	if k := len(all); k > 0 && p.val == nil && all[k-1].val == nil {
		all = append([]piece(nil), all...)
		all[k-1].lit += p.lit
		return all
	}
	return append(all[:len(all):len(all)], p)
}

// item is what a container gives for a key; an unknown key, nil, may be any of them.
func (v *value) item(key *value) *value {
	if v == nil {
		return nil
	}
	k, known := key.text()
	if v.isList {
		if i, err := strconv.Atoi(k); known && err == nil {
			if i < 0 {
				i += len(v.list)
			}
			if i >= 0 && i < len(v.list) {
				return v.list[i]
			}
			return v.rest
		}
		return v.contents()
	}
	if v.fields == nil && v.rest == nil {
		return carrying(v.taint())
	}
	if known {
		if f, ok := v.fields[k]; ok {
			return f
		}
		return joined(v.rest, carrying(v.labels), 0)
	}
	return v.contents()
}

// contents is any of what a container holds.
func (v *value) contents() *value {
	if v == nil {
		return nil
	}
	out := joined(v.rest, carrying(v.labels), 0)
	for _, i := range v.list {
		out = joined(out, i, 0)
	}
	for _, k := range keys(v.fields) {
		out = joined(out, v.fields[k], 0)
	}
	if len(v.pieces) > 0 {
		out = joined(out, carrying(v.taint()), 0)
	}
	return out
}

// put is a container with one more value under a key; nil stands for an unknown key.
func (v *value) put(key, item *value) *value {
	w := value{}
	if v != nil {
		w = *v
	}
	k, known := key.text()
	if w.isList {
		i, err := strconv.Atoi(k)
		if known && err == nil && i >= 0 && i < len(w.list) {
			w.list = append([]*value(nil), w.list...)
			w.list[i] = item
			return &w
		}
		w.rest = joined(w.rest, item, 0)
		return &w
	}
	if known && len(w.fields) < maxItems {
		fields := map[string]*value{k: item}
		for old, f := range w.fields {
			if old != k {
				fields[old] = f
			}
		}
		w.fields, w.con, w.pieces = fields, nil, nil
		return &w
	}
	w.rest = joined(w.rest, item, 0)
	return &w
}

// push is a list with one more item at its end.
func (v *value) push(item *value) *value {
	w := value{isList: true}
	if v != nil {
		w = *v
	}
	w.isList = w.isList || w.rest == nil && w.fields == nil && len(w.labels) == 0 && len(w.pieces) == 0
	if w.isList && len(w.list) < maxItems {
		w.list = append(w.list[:len(w.list):len(w.list)], item)
		return &w
	}
	w.rest = joined(w.rest, item, 0)
	return &w
}

// drop is a list without its i-th item.
func (v *value) drop(i int) *value {
	if v == nil || !v.isList || i < 0 || i >= len(v.list) {
		return v
	}
	w := *v
	w.list = append(append([]*value(nil), v.list[:i]...), v.list[i+1:]...)
	return &w
}

// cleaned is a value that can do less harm.
func (v *value) cleaned(k model.Kinds) *value {
	return v.relabel(0, func(l label) label { l.clean |= k; return l })
}

// stepped is a value that has come to a place.
func (v *value) stepped(s step) *value {
	return v.relabel(0, func(l label) label { l.trail = l.trail.add(s); return l })
}

// relabel changes all labels of a value and of what it holds.
func (v *value) relabel(depth int, change func(label) label) *value {
	if v == nil || depth > maxNested+2 {
		return nil
	}
	if v.fields == nil && v.list == nil && v.rest == nil && v.pieces == nil && len(v.labels) == 0 {
		return v
	}
	w := *v
	w.labels = nil
	for _, l := range v.labels {
		w.labels = append(w.labels, change(l))
	}
	w.pieces = nil
	for _, p := range v.pieces {
		w.pieces = append(w.pieces, piece{p.lit, p.val.relabel(depth+1, change)})
	}
	w.list = nil
	for _, i := range v.list {
		w.list = append(w.list, i.relabel(depth+1, change))
	}
	if v.fields != nil {
		w.fields = map[string]*value{}
		for k, f := range v.fields {
			w.fields[k] = f.relabel(depth+1, change)
		}
	}
	w.rest = v.rest.relabel(depth+1, change)
	return &w
}

// literal is the constant text of a value, with a NUL for each part that is not.
func (v *value) literal() string {
	var b strings.Builder
	for _, p := range v.asPieces() {
		b.WriteString(p.lit)
		if p.val != nil {
			b.WriteByte(0)
		}
	}
	return b.String()
}
