package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// container is what the methods of texts, lists and maps give that all languages have in one form or another; done is false for a
// call that is none of theirs.
func (f *frame) container(c *call) (v *value, done bool) {
	callee := c.x.Args[0]
	if callee.Op != ir.Member {
		return nil, false
	}
	if on := c.on; on != nil && !on.holds() && !on.known() && len(on.taint()) == 0 && len(on.pieces) == 0 &&
		f.table.PassesExactly(c.full) {
		return nil, false // of a library
	}
	store := func(now *value) { f.store(callee.Args[0], now) }
	on, first := c.on, c.first()
	switch c.short {
	case "charAt":
		if s, ok := on.text(); ok {
			if k, ok := first.number(); ok && k >= 0 && k < len(s) {
				return constant(ir.Text, s[k:k+1]), true
			}
		}
	case "append", "add", "push", "addLast", "appendleft", "addElement", "<<":
		if on.known() && on.con.Kind == ir.Number {
			return nil, true
		}
		if on != nil && !on.known() && len(on.pieces) == 0 && (on.isList || on.full == "" || !on.holds() &&
			on.full != "StringBuilder" && on.full != "StringBuffer") && len(c.args) == 1 &&
			!strings.Contains(on.full, "Builder") && on.full != "string" {
			now := on.push(first)
			store(now)
			return now, true
		}
		if len(c.args) > 0 { // a text that is built, or files by name
			now := concat(on.textual(), first).named(on.name())
			store(now)
			return now, true
		}
	case "WriteString", "WriteByte", "WriteRune", "Write":
		if on != nil && (on.full == "strings.Builder" || on.full == "bytes.Buffer") {
			store(concat(on.textual(), first).named(on.full))
			return nil, true
		}
	case "unshift", "insert", "addFirst", "prepend":
		for _, a := range c.args {
			on = on.put(nil, a)
		}
		store(on)
		return on, true
	case "extend", "addAll", "update", "putAll", "merge", "concat":
		if c.short == "concat" && !on.holds() {
			return concat(on, first), true
		}
		now := on
		for _, a := range c.args {
			if now == nil {
				now = &value{}
			}
			now = now.spread(a)
		}
		if c.short != "concat" {
			store(now)
		}
		return now, true
	case "remove", "pop", "delete", "removeAt", "shift", "popleft", "removeFirst":
		return f.remove(c, store)
	case "put", "set", "setdefault", "putIfAbsent", "setProperty", "setAttribute", "__setitem__":
		switch len(c.args) {
		case 2:
			store(on.put(first, c.args[1]))
			return nil, true
		case 3: // a section, a key, a value
			store(on.put(joinKey(first, c.args[1]), c.args[2]))
			return nil, true
		}
	case "get", "getOrDefault", "fetch", "getProperty", "at", "elementAt", "dig", "__getitem__", "getItem", "get_or_default":
		if on.holds() && len(c.args) > 0 {
			key := first
			if len(c.args) == 2 && c.short == "get" && on.hasSection(first) {
				key = joinKey(first, c.args[1])
			} else if len(c.args) == 2 {
				return joined(on.item(key), c.args[1], 0), true
			}
			return on.item(key), true
		}
	case "keys", "keySet":
		if on.holds() && len(on.labels) == 0 {
			return nil, true
		}
	case "values", "items", "entries", "iterator", "entrySet", "listIterator", "elements", "toArray", "next", "nextElement", "getValue",
		"copy", "clone", "slice", "reverse", "reversed", "sort", "sorted", "flat", "to_a", "to_h", "all", "first", "last",
		"toList", "collect",
		"stream", "select", "reject", "sort_by", "uniq", "compact", "each", "tap", "find_all", "take", "drop", "presence",
		"peek", "getFirst", "getLast", "to_dict", "toObject", "toJSON", "filter", "findFirst", "orElse", "orElseGet", "orElseThrow":
		if on.holds() || len(on.taint()) > 0 {
			if c.short == "next" || c.short == "getFirst" || c.short == "first" || c.short == "last" || c.short == "getLast" ||
				c.short == "nextElement" || c.short == "getValue" || c.short == "peek" || c.short == "findFirst" {
				return on.contents(), true
			}
			if c.short == "items" || c.short == "entries" || c.short == "entrySet" {
				return &value{rest: on.contents()}, true
			}
			f.callbacks(c)
			return on, true
		}
	case "join":
		switch {
		case on.holds() || f.file.Language == "javascript" || f.file.Language == "typescript" || f.file.Language == "tsx" ||
			f.file.Language == "ruby":
			return concat(joinedItems(on, first)...), true
		case on.name() == "" || on.known() || len(on.pieces) > 0:
			return concat(joinedItems(first, on)...), true
		}
	case "format":
		if s, ok := on.text(); ok && s != "" {
			return f.braces(s, c), true
		}
	case "toString", "trim", "strip", "to_s", "String", "intern", "lstrip", "rstrip", "chomp":
		return on, on != nil
	}
	return nil, false
}

// textual is a value as a text that more can be joined to.
func (v *value) textual() *value {
	if v.known() && v.con.Kind == ir.Null {
		return constant(ir.Text, "")
	}
	if v == nil || v.known() || len(v.pieces) > 0 || len(v.labels) > 0 {
		return v
	}
	return constant(ir.Text, "")
}

// store gives what on names another value.
func (f *frame) store(on *ir.Expr, now *value) {
	for {
		switch {
		case on.Op == ir.Same: // (list as any[]).push(a)
			on = on.Args[0]
			continue
		case on.Op == ir.Call && on.Args[0].Op == ir.Member: // sb.append(a).append(b)
			on = on.Args[0].Args[0]
			continue
		}
		break
	}
	switch on.Op {
	case ir.Name:
		if !f.grown(on.Text, now) {
			f.bind(on.Text, now)
		}
	case ir.Member:
		f.put(on.Args[0], constant(ir.Text, on.Text), now, 1)
	case ir.Index:
		if len(on.Args) > 1 {
			f.put(on.Args[0], f.eval(on.Args[1]), now, 1)
		}
	}
}

func joinKey(section, key *value) *value {
	a, okA := section.text()
	b, okB := key.text()
	if !okA || !okB {
		return nil
	}
	return constant(ir.Text, a+"\x00"+b)
}

func (v *value) hasSection(section *value) bool {
	s, ok := section.text()
	for k := range v.fields {
		if ok && strings.HasPrefix(k, s+"\x00") {
			return true
		}
	}
	return false
}

func (f *frame) remove(c *call, store func(*value)) (*value, bool) {
	on := c.on
	if on == nil || !on.isList {
		if on.holds() && len(c.args) > 0 {
			return on.item(c.first()), true
		}
		return nil, false
	}
	i := len(on.list) - 1
	if c.short == "shift" || c.short == "popleft" || c.short == "removeFirst" {
		i = 0
	}
	if k, ok := c.first().number(); ok && c.first().con.Kind == ir.Number {
		if i = k; k < 0 {
			i += len(on.list)
		}
	} else if len(c.args) > 0 {
		return on.contents(), true // by value: any of them may be gone
	}
	if i < 0 || i >= len(on.list) {
		return on.contents(), true
	}
	item := on.list[i]
	store(on.drop(i))
	return item, true
}

// joinedItems are a list's items with a text between them.
func joinedItems(list, between *value) []*value {
	if list == nil {
		return []*value{nil}
	}
	if !list.isList || list.rest != nil {
		return []*value{list.contents()}
	}
	var all []*value
	for i, item := range list.list {
		if i > 0 {
			all = append(all, between)
		}
		all = append(all, item)
	}
	return all
}

// braces is what Python's str.format makes.
func (f *frame) braces(template string, c *call) *value {
	var parts []*value
	next := 0
	for {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			break
		}
		shut := strings.IndexByte(template[open:], '}')
		if shut < 0 {
			break
		}
		parts = append(parts, constant(ir.Text, template[:open]))
		name := template[open+1 : open+shut]
		template = template[open+shut+1:]
		name, spec, _ := strings.Cut(name, ":")
		name, _, _ = strings.Cut(name, "!")
		name, _, _ = strings.Cut(name, ".")
		name, _, _ = strings.Cut(name, "[")
		var v *value
		switch {
		case strings.HasSuffix(spec, "d"):
			v = &value{clean: true}
			next++
		case name == "":
			v, _ = c.arg(position(next, ""))
			next++
		case name[0] >= '0' && name[0] <= '9':
			v, _ = c.arg(position(int(name[0]-'0'), ""))
		default:
			v, _ = c.arg(position(-100, name))
		}
		parts = append(parts, v)
	}
	return concat(append(parts, constant(ir.Text, template))...)
}
