package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// refine notes what holds where a condition does, or does not.
func (f *frame) refine(x *ir.Expr, holds bool) {
	if f.env == nil || x == nil {
		return
	}
	switch x.Op {
	case ir.Same, ir.Typed:
		f.refine(x.Args[0], holds)
	case ir.Not:
		f.refine(x.Args[0], !holds)
	case ir.Both, ir.Either:
		if holds == (x.Op == ir.Both) {
			f.refine(x.Args[0], holds)
			f.refine(x.Args[1], holds)
			return
		}
		before := f.env // one of both, at least
		f.env = before.copy()
		f.refine(x.Args[0], holds)
		one := f.env
		f.env = before.copy()
		f.refine(x.Args[0], !holds)
		f.refine(x.Args[1], holds)
		f.env = meet(one, f.env)
	case ir.Binary:
		f.compared(x, holds)
	case ir.Call:
		f.validated(x, holds)
	case ir.Index: // allowed[x]
		if holds && len(x.Args) == 2 {
			f.among(x.Args[1], x.Args[0], true)
		}
	case ir.Name:
		if check := f.checks[x.Text]; check != nil { // _, ok := allowed[x]
			delete(f.checks, x.Text) // it may speak of itself
			f.refine(check, holds)
			f.checks[x.Text] = check
		}
	}
}

// compared notes what a comparison says of its operands.
func (f *frame) compared(x *ir.Expr, holds bool) {
	a, b := x.Args[0], x.Args[1]
	switch x.Text {
	case "==", "===", "is", "eq":
		if f.ofClassByEquality(a, b, holds) {
			return
		}
		if holds {
			f.equal(a, b)
			f.equal(b, a)
		}
		f.comparedCall(a, b, holds)
	case "!=", "!==", "is not", "ne":
		if !holds {
			f.equal(a, b)
			f.equal(b, a)
		}
		f.comparedCall(a, b, !holds)
	case "in":
		f.among(a, b, holds)
	case "not in":
		f.among(a, b, !holds)
	case "=~", "!~":
		if k := f.pattern([]*ir.Expr{b}); holds == (x.Text == "=~") {
			f.clear(a, k)
		}
	case ">=", "<":
		f.holdsPart(a, b, "0", holds == (x.Text == ">="))
	case ">", "<=":
		f.holdsPart(a, b, "-1", holds == (x.Text == ">"))
	}
}

// comparedCall: preg_match(p, x) === 1, x.indexOf("..") == -1, strpos(x, "..") === false.
func (f *frame) comparedCall(a, b *ir.Expr, equal bool) {
	if a.Op != ir.Call || b.Op != ir.Const {
		return
	}
	switch name := strings.ToLower(lastPart(a.Args[0].Text)); {
	case (name == "strpos" || name == "indexof" || name == "find" || name == "index") && b.Text == "0":
		var on *ir.Expr
		if a.Args[0].Op == ir.Member {
			on = a.Args[0].Args[0]
		}
		f.begins(on, a.Args[1:], equal)
		return
	}
	switch strings.ToLower(b.Text) {
	case "1", "true":
		f.validated(a, equal)
	case "0", "-1", "false", "":
		f.validated(a, !equal)
	}
}

// equal: a value that equals a constant is that constant.
func (f *frame) equal(a, b *ir.Expr) {
	if a.Op == ir.Call && a.Args[0].Op == ir.Name && a.Args[0].Text == "typeof" && b.Op == ir.Const {
		switch b.Text {
		case "string":
			f.clear(a.Args[1], model.KindOf("nosql")|model.KindOf("pollution"))
		case "number", "boolean":
			f.clear(a.Args[1], model.All)
		}
		return
	}
	if v := f.eval(b); v.known() && v.con.Kind != ir.Null {
		f.clear(a, model.All)
	} else if len(v.taint()) == 0 && !v.known() {
		if v != nil && v.clean {
			f.clear(a, model.All)
		}
		f.clearHost(a, model.All)
	}
}

// among: a value that is one of a list of constants is harmless, and so is a path without "..".
func (f *frame) among(a, b *ir.Expr, holds bool) {
	if s, ok := f.eval(a).text(); ok {
		if !holds {
			f.clear(b, without(s))
		}
		if !holds && (s == "'" || s == `"`) && b.Op == ir.Index && len(b.Args) == 1 { // nothing but a quoted text
			f.clear(b.Args[0], without(s)|model.KindOf("code"))
		}
		return
	}
	if v := f.eval(b); holds && len(v.taint()) == 0 {
		f.clear(a, model.All)
	}
}

// Names of functions that tell by their truth that what they are given is in order.
var validates = pattern.New(`(?i)^(is[_A-Z]\w*|is(valid|safe|digit|alnum|alpha|decimal|identifier|numeric|local|nan)|` +
	`has_?(valid|safe|allowed)\w*|` +
	`check\w*|(path|file|name|dir|folder|ur[il]|host)_?(check|valid)\w*|valid\w*|allow\w*|permit\w*|` +
	`verif\w*|ensure\w*|safe\w*|trusted\w*|known\w*|local_?\w*|url_has_allowed_host\w*|same_?origin|` +
	`in_?array|is_numeric|ctype_\w+|array_key_exists|contains_?key|matches|fullmatch|match|test|preg_match|matchstring|white_?list\w*|` +
	`allow_?list\w*)$`)

// validated notes what a call that holds says of what it is given.
func (f *frame) validated(x *ir.Expr, holds bool) {
	callee := x.Args[0]
	short := callee.Text
	full := short
	var on *ir.Expr
	if callee.Op == ir.Member {
		on = callee.Args[0]
		full = f.full(f.eval(on), callee.Text)
	} else if imported, ok := f.file.Imports[short]; ok {
		full = imported
	}
	args := x.Args[1:]
	if k := f.table.Guard(full); k != 0 {
		if holds {
			for _, a := range append(args, on) {
				f.clearAll(a, k, 0)
			}
		}
		return
	}
	lower := strings.ToLower(strings.TrimRight(short, "?!"))
	if f.file.Language == "go" && on != nil && on.Op == ir.Name && f.file.Imports[on.Text] != "" {
		on = nil // a function of a package
	}
	switch lower {
	case "includes", "contains", "include", "has", "contain", "containskey", "indexof", "strpos", "str_contains", "member":
		f.contains(on, args, holds)
		return
	case "startswith", "start_with", "starts_with", "hasprefix", "str_starts_with", "startwith":
		f.begins(on, args, holds)
		return
	case "equals", "equalsignorecase", "eql":
		if holds && on != nil && len(args) == 1 {
			f.equal(on, args[0])
			f.equal(args[0], on)
		}
		return
	case "isnan":
		holds = !holds
	case "is_a", "kind_of", "instance_of", "isinstance":
		if lower == "isinstance" && len(args) == 2 {
			on, args = args[0], args[1:]
		}
		if on != nil && len(args) == 1 {
			f.ofClass(on, args, holds)
		}
		return
	}
	k := model.All
	if matching[lower] {
		if k = f.pattern(append(args, on)); !holds {
			k = f.refused(append(args, on))
		}
	} else if !holds {
		return
	}
	if saysNothing[lower] || !validates.MatchString(lower) || f.empty(x) {
		return
	}
	for _, a := range args {
		f.clear(a, k)
	}
	if on != nil && !f.isThis(on) {
		f.clear(on, k)
	}
}

// What tells by its truth only that something is there.
var saysNothing = words(`isset is_string is_array is_null is_object is_file is_dir is_readable is_writable is_link is_callable is_iterable
	is_scalar is_uploaded_file is_set isnull isarray isstring isobject isfile isdirectory`)

// empty reports a validator of the codebase that always says yes.
func (f *frame) empty(x *ir.Expr) bool {
	for _, line := range []int{x.Node.Line()} {
		for _, s := range f.e.calls[place{f.file.Path, line}] {
			if fn := f.e.functions[s]; fn != nil && s.Kind != graph.KindClass && s.Name == lastPart(x.Args[0].Text) {
				sum := f.e.summarize(fn)
				if v := sum.result; v.known() && v.con.Kind == ir.Bool {
					return true
				}
			}
		}
	}
	return false
}

// without is what a text is clean for that does not hold another: a path without "..", a quoted text without the quote.
func without(s string) model.Kinds {
	switch {
	case strings.Contains(s, ".."), s == "/":
		return model.KindOf("path") | model.KindOf("include")
	case s == "'" || s == `"`:
		return model.KindOf("xpath") | model.KindOf("sql")
	}
	return 0
}

// contains: LIST.includes(x) makes x harmless; x.includes("..") being false makes it a path that stays.
func (f *frame) contains(on *ir.Expr, args []*ir.Expr, holds bool) {
	if on == nil {
		if len(args) == 2 { // strpos($x, "..")
			on, args = args[0], args[1:]
		} else {
			return
		}
	}
	if len(args) == 0 {
		return
	}
	if s, ok := f.eval(args[0]).text(); ok {
		if !holds {
			f.clear(on, without(s))
		}
		if !holds && (s == "//" || s == ":" || s == "://") {
			f.clear(on, model.KindOf("redirect")|model.KindOf("ssrf"))
		}
		if holds && len(f.eval(on).taint()) > 0 {
			return
		}
		return
	}
	if holds && len(f.eval(on).taint()) == 0 {
		f.clearParts(args[0])
	}
}

// slashed marks in an env that a text begins with a slash.
const slashed = "\x00/"

// begins: x.startsWith(base) makes x a path or an address that stays where it must.
func (f *frame) begins(on *ir.Expr, args []*ir.Expr, holds bool) {
	if on == nil && len(args) == 2 {
		on, args = args[0], args[1:]
	}
	if on == nil || len(args) == 0 {
		return
	}
	if s, _ := f.eval(args[0]).text(); strings.HasPrefix(s, "..") {
		if !holds && f.relative(on) != nil {
			f.clear(on, model.KindOf("path")|model.KindOf("include"))
		}
		return
	}
	if s, _ := f.eval(args[0]).text(); !holds && s == "//" { // and it begins with a slash: a path of this site
		if _, ok := f.env.get("?" + on.Node.Text() + slashed); ok {
			f.clear(on, model.KindOf("redirect")|model.KindOf("ssrf"))
		}
	}
	if !holds {
		return
	}
	if v := f.eval(args[0]); f.own(v) {
		k := model.KindOf("path") | model.KindOf("ssrf") | model.KindOf("redirect") | model.KindOf("include")
		slash := "?" + on.Node.Text() + slashed
		if s, ok := v.text(); ok && s == "/" {
			f.env.set(slash, nil)
		}
		if s, ok := v.text(); ok && (s == "/" || s == "http" || s == "http://" || s == "https://" || s == "https") {
			k = 0
		} else if ok && s != "" && s[0] == '/' && scripts[f.file.Language] && on.Op == ir.Member && requested[on.Text] {
			k &^= model.KindOf("path") | model.KindOf("include") // that says which page is asked for, and ".." may follow
		}
		f.clear(on, k)
	}
}

// own reports a value that comes from nowhere but the instance at hand.
func (f *frame) own(v *value) bool {
	return !slices.ContainsFunc(v.taint(), func(l label) bool { return l.source != nil || l.param != thisParam || l.fn != f.fn })
}
