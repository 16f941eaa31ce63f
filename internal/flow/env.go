package flow

import (
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// env holds what variables are worth at a point of a function. What stands under a name that begins with "?" is an expression
// that was checked: it is forgotten where two ways meet of which one did not check it.
//
// Two such names are no expressions: what is said of the response at hand. No variable's name begins like them.
type env struct {
	vars   map[string]*value
	outer  *env // of the function around a closure
	checks bool // there may be expressions that were checked among vars
}

const (
	plainFlag = "?\x00plain" // the response is said to hold no page
	pageFlag  = "?\x00page"  // it is said to hold one
)

func newEnv(outer *env) *env { return &env{vars: map[string]*value{}, outer: outer} }

func (n *env) copy() *env { return &env{maps.Clone(n.vars), n.outer, n.checks} }

func (n *env) get(name string) (*value, bool) {
	for at := n; at != nil; at = at.outer {
		if v, ok := at.vars[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// set gives a variable of this function a value. What a closure assigns to a variable of the function around it stays its own.
func (n *env) set(name string, v *value) {
	n.vars[name] = v
	n.checks = n.checks || name[0] == '?'
}

// checked is what an expression is worth that was checked.
func (n *env) checked(x *ir.Expr) (*value, bool) {
	for at := n; at != nil; at = at.outer {
		if at.checks {
			return n.get("?" + x.Node.Text())
		}
	}
	return nil, false
}

// meet is what holds where two ways come together; nil is a way that nobody comes.
func meet(a, b *env) *env {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	out := &env{make(map[string]*value, len(a.vars)), a.outer, a.checks && b.checks}
	for _, k := range slices.Sorted(maps.Keys(a.vars)) {
		va := a.vars[k]
		vb, both := b.vars[k]
		switch {
		case both:
			out.vars[k] = join(va, vb)
		case k[0] == '?':
		case a.outer != nil:
			old, _ := a.outer.get(k)
			out.vars[k] = joined(va, old, 0)
		default:
			out.vars[k] = va
		}
	}
	for k, vb := range b.vars {
		if _, both := a.vars[k]; !both && k != "" && k[0] != '?' {
			out.vars[k] = vb
		}
	}
	return out
}
