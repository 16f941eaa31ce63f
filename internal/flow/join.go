package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

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
	if a.isList && b.isList { // of two lengths, the longer one
		v.isList = true
		short, long := a.list, b.list
		if len(short) > len(long) {
			short, long = long, short
		}
		for i := range short {
			v.list = append(v.list, joined(a.list[i], b.list[i], depth+1))
		}
		v.list = append(v.list, long[len(short):]...)
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
	if depth == 0 {
		return v.bounded()
	}
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

// maxConstant bounds the constant texts that are put together, in bytes: beyond it a text is known to be constant, and not which.
const maxConstant = 1 << 14

// concat is the text of values one after the other.
func concat(parts ...*value) *value {
	if v, ok := constants(parts); ok {
		return v
	}
	var all []piece
	for _, p := range parts {
		if s, ok := p.text(); ok {
			all = addPiece(all, piece{lit: s})
			continue
		}
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
	if len(all) > maxPieces {
		var labels []label
		for _, p := range all {
			labels = merge(labels, p.val.taint())
		}
		return &value{labels: labels, pieces: all[:1]}
	}
	return &value{pieces: all}
}

// constants is the text of values that all are constant texts.
func constants(parts []*value) (*value, bool) {
	n := 0
	for _, p := range parts {
		s, ok := p.text()
		if !ok {
			return nil, false
		}
		n += len(s)
	}
	if n > maxConstant {
		return &value{clean: true}, true
	}
	var whole strings.Builder
	for _, p := range parts {
		s, _ := p.text()
		whole.WriteString(s)
	}
	return constant(ir.Text, whole.String()), true
}

// hole is a part of a text that is not constant.
func hole(labels []label) piece { return piece{val: &value{labels: labels}} }

func addPiece(all []piece, p piece) []piece {
	if k := len(all); k > 0 && p.val == nil && all[k-1].val == nil {
		if len(all[k-1].lit) > maxConstant {
			return all
		}
		all = append([]piece(nil), all...)
		all[k-1].lit += p.lit
		return all
	}
	return append(all[:len(all):len(all)], p)
}
