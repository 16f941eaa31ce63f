package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

// clearParts makes a text harmless that is one of a list of constants, and what it is put together from.
func (f *frame) clearParts(x *ir.Expr) {
	f.clear(x, model.All)
	if x.Op == ir.Concat {
		for _, part := range x.Args {
			f.clearParts(part)
		}
	}
}

// clearAll clears an expression and what calls in it are given.
func (f *frame) clearAll(x *ir.Expr, k model.Kinds, depth int) {
	if x == nil || depth > 4 {
		return
	}
	f.clear(x, k)
	if x.Op == ir.Call || x.Op == ir.Member || x.Op == ir.Concat || x.Op == ir.Binary {
		for _, a := range x.Args {
			f.clearAll(a, k, depth+1)
		}
	}
}

// clear makes what an expression names harmless for some kinds, as long as nobody assigns to it.
func (f *frame) clear(x *ir.Expr, k model.Kinds) {
	if x == nil || f.env == nil || k == 0 {
		return
	}
	if of := f.relative(x); of != nil {
		f.clear(of, k&(model.KindOf("path")|model.KindOf("include")))
	}
	switch x.Op {
	case ir.Name:
		if v, ok := f.env.get(x.Text); ok && len(v.taint()) > 0 {
			f.env.set(x.Text, v.narrowed(k))
		}
	case ir.Member, ir.Index, ir.Call, ir.New:
		f.clearHost(x, k)
		if x.Op == ir.Call && x.Args[0].Op == ir.Member && sameText[strings.ToLower(x.Args[0].Text)] { // x.trim().equals("a")
			f.clear(x.Args[0].Args[0], k)
		}
		if x.Op == ir.Call && x.Args[0].Op == ir.Name && len(x.Args) == 2 && sameText[strings.ToLower(x.Args[0].Text)] {
			f.clear(x.Args[1], k)
		}
		if v := f.eval(x); len(v.taint()) > 0 {
			f.env.set("?"+x.Node.Text(), v.narrowed(k))
		}
	case ir.Same, ir.Typed:
		f.clear(x.Args[0], k)
	case ir.Set:
		f.clear(x.Args[0], k)
	}
}

// clearHost: whose host is in order, is an address that is.
func (f *frame) clearHost(x *ir.Expr, k model.Kinds) {
	k &= model.KindOf("ssrf") | model.KindOf("redirect")
	switch {
	case x.Op == ir.Member && hostOf[x.Text], x.Op == ir.Call && x.Args[0].Op == ir.Member && hostOf[x.Args[0].Text]:
		on := x.Args[0]
		if x.Op == ir.Call {
			on = on.Args[0]
		}
		f.clear(on, k)
		if on.Op == ir.Name {
			f.clearOrigin(on, k)
		}
		if on.Op == ir.Call || on.Op == ir.New {
			for _, a := range on.Args[1:] {
				f.clear(a, k)
			}
		}
	case x.Op == ir.Call && strings.Contains(strings.ToLower(lastPart(x.Args[0].Text)), "parse_url"):
		for _, a := range x.Args[1:] {
			f.clear(a, k)
		}
	}
}

// clearOrigin clears all variables of the same origin: url = parse(x) says of x what it says of url.
func (f *frame) clearOrigin(x *ir.Expr, k model.Kinds) {
	of := f.eval(x).taint()
	for _, name := range keys(f.env.vars) {
		v := f.env.vars[name]
		if name[0] != '?' && slices.ContainsFunc(v.taint(), func(l label) bool { return slices.ContainsFunc(of, l.same) }) {
			f.env.set(name, v.cleaned(k))
		}
	}
}

var hostOf = words(`host hostname netloc origin Host Hostname getHost getAuthority`)

// Methods that give the same text, as far as a comparison goes.
var sameText = words(`trim strip tolowercase touppercase lower upper tostring to_s downcase upcase casefold
	strtolower strtoupper mb_strtolower mb_strtoupper`)
