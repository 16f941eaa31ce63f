package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// library is what PHP's functions for arrays and texts give, which other languages have as methods; done is false for another call.
func (f *frame) library(c *call) (v *value, done bool) {
	if f.file.Language != "php" || c.x.Args[0].Op != ir.Name || len(c.args) == 0 {
		return nil, false
	}
	first, second := c.args[0], (*value)(nil)
	if len(c.args) > 1 {
		second = c.args[1]
	}
	store := func(now *value) { f.store(c.x.Args[1], now) }
	switch c.full {
	case "implode", "join":
		if second == nil {
			first, second = nil, first
		}
		if first.holds() {
			first, second = second, first
		}
		return concat(joinedItems(second, first)...), true
	case "array_push":
		for _, a := range c.args[1:] {
			first = first.push(a)
		}
		store(first)
		return nil, true
	case "array_pop", "array_shift":
		if first == nil || !first.isList || len(first.list) == 0 {
			return first.contents(), true
		}
		i := 0
		if c.full == "array_pop" {
			i = len(first.list) - 1
		}
		item := first.list[i]
		store(first.drop(i))
		return item, true
	case "array_unshift":
		for _, a := range c.args[1:] {
			first = first.put(nil, a)
		}
		store(first.vague())
		return nil, true
	case "array_merge", "array_replace":
		now := first
		for _, a := range c.args[1:] {
			if now == nil {
				now = &value{}
			}
			now = now.spread(a)
		}
		return now, true
	case "array_map", "array_filter", "array_walk", "usort", "call_user_func", "call_user_func_array":
		return f.mapped(c)
	case "array_keys", "array_flip", "array_key_first", "array_key_last":
		if first.holds() && len(first.labels) == 0 {
			return &value{clean: true}, true
		}
		return carrying(first.taint()), true
	case "str_replace", "preg_replace", "str_ireplace":
		if len(c.args) > 2 {
			v = c.args[2]
			if labels := second.taint(); len(labels) > 0 {
				v = carrying(merge(v.taint(), labels))
			}
			return v.cleaned(stripped(first, second)), true
		}
	case "compact":
		now := &value{fields: map[string]*value{}}
		for _, a := range c.args {
			if s, ok := a.text(); ok {
				v, _ := f.env.get("$" + s)
				now = now.put(a, v)
			}
		}
		return now, true
	case "define":
		if s, ok := first.text(); ok {
			f.env.set(s, second)
		}
		return nil, true
	}
	return nil, false
}

// dots is what a text without any dot is clean for.
var dots = map[string]model.Kinds{".": model.KindOf("path") | model.KindOf("include")}

// mapped is what a function gives that is called with the items of an array, or with arguments.
func (f *frame) mapped(c *call) (v *value, done bool) {
	if len(c.args) < 2 {
		return nil, false
	}
	fn, over := c.args[0], c.args[1]
	if c.full == "array_filter" || c.full == "array_walk" || c.full == "usort" {
		fn, over = over, fn
	}
	args := []*value{over.contents()}
	switch c.full {
	case "call_user_func":
		args = c.args[1:]
	case "call_user_func_array":
		if over != nil && over.isList {
			args = over.list
		}
	}
	var given *value
	if name, ok := fn.text(); ok {
		name = strings.ToLower(name)
		given = f.outcome(&call{x: c.x, full: name, short: name, args: args, names: make([]string, len(args))}, nil)
	} else {
		for _, one := range fn.closures() {
			given = joined(given, f.closureGiven(one, args), 0)
		}
	}
	switch c.full {
	case "array_map":
		return &value{rest: given}, true
	case "array_filter":
		return over, true
	case "array_walk", "usort":
		return nil, true
	}
	return given, true
}

// replaced is what a text is clean for when a call has replaced something in it.
func (f *frame) replaced(c *call) model.Kinds {
	if c.short != "replace" && c.short != "replaceAll" && c.short != "gsub" && c.short != "tr" && c.short != "delete" {
		return 0
	}
	second, _ := c.arg(position(1, ""))
	k := stripped(c.first(), second)
	everywhere := c.short != "replace" || !scripts[f.file.Language] || len(c.x.Args) > 1 && globally.MatchString(c.x.Args[1].Node.Text())
	what, _ := c.first().text()
	what = strings.Trim(what, "[]")
	switch with, _ := second.text(); {
	case !everywhere:
	case slices.Contains(quotationMarks, what) && (with == what+what || with == "$&$&"): // as SQL writes it within a text
		k |= model.Quoted
	case what == "<" && with == "&lt;":
		k |= model.KindOf("xss")
	}
	return k
}

var (
	quotationMarks = []string{"'", `"`, "`"}
	globally       = pattern.New(`^/.*/\w*g\w*$`) // JavaScript's replace is for the first place otherwise
)

// stripped is what a text is clean for when all that a pattern says is taken out, or a list of texts.
func stripped(pattern, by *value) (k model.Kinds) {
	for _, v := range append([]*value{pattern}, pattern.items()...) {
		s, ok := v.text()
		if ok && strings.ContainsAny(s, "\r\n") || strings.Contains(s, `\r`) || strings.Contains(s, `\n`) {
			k |= model.KindOf("log") | model.KindOf("header")
		}
		if with, _ := by.text(); strings.Contains(with, `\$&`) && strings.Contains(s, "*") && strings.Contains(s, "+") &&
			strings.Contains(s, "(") {
			k |= model.KindOf("regex") // each letter that means something there has a backslash before it
		}
		if m := onlySuch.FindStringSubmatch(s); m != nil {
			if with, ok := by.text(); !ok || strings.ContainsAny(with, `'"<>;&|$/\`) {
				continue
			}
			switch {
			case !strings.ContainsAny(m[1], `'"<>;&|$/:`+"`"):
				k = model.All
			case !strings.ContainsAny(m[1], `'"<>;&|$`+"`"):
				k |= model.All &^ (model.KindOf("path") | model.KindOf("ssrf") | model.KindOf("redirect") | model.KindOf("include"))
			}
		}
	}
	return k
}

// What a pattern leaves that takes out everything but some letters.
var onlySuch = pattern.New(`^[/#~@]?\[\^((?:[^\]\\]|\\.)+)\][+*]?(?:[/#~@]\w*)?$`)

func (v *value) items() []*value {
	if v == nil {
		return nil
	}
	return v.list
}
