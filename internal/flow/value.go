package flow

import (
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

// number is a constant whole number.
func (v *value) number() (int, bool) {
	s, ok := v.text()
	i, err := strconv.Atoi(s)
	return i, ok && err == nil
}

func constant(kind ir.Kind, text string) *value {
	return &value{con: &ir.Expr{Op: ir.Const, Kind: kind, Text: text}}
}

func (v *value) known() bool { return v != nil && v.con != nil }

// named gives a copy under another name.
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

// maxSize bounds the values that one holds in all: of more, only the labels are kept.
const maxSize = 200

// bounded is a value that holds no more than maxSize.
func (v *value) bounded() *value {
	if v.size(maxSize) >= 0 {
		return v
	}
	return carrying(v.taint()).named(v.full)
}

// size takes the values that v holds from what is left, and is negative where they are more.
func (v *value) size(left int) int {
	if v == nil || left < 0 {
		return left
	}
	left--
	for _, p := range v.pieces {
		left = p.val.size(left - 1)
	}
	for _, i := range v.list {
		left = i.size(left)
	}
	for _, x := range v.fields {
		if left < 0 {
			break
		}
		left = x.size(left)
	}
	return v.rest.size(left)
}
