package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// LockDropped takes the lock out of a method that changes a map of its receiver.
func (*operators) LockDropped(s *source) {
	for _, fn := range s.kinds["method_declaration"] {
		lock, unlock := locked(fn, "Lock")
		field := changedMap(s, fn)
		if !lock.Valid() || field == "" {
			continue
		}
		if e, ok := s.drop(lock, unlock); ok {
			s.Report(e,
				"%s changes the map %s without holding the mutex that guards it: concurrent calls race and can crash the program.", nameOf(fn), field)
		}
	}
}

// locked gives the statements x.Lock() and defer x.Unlock(), one after the other, that a method has of its receiver's
// mutex, for the first of the names (Lock, RLock) that it calls.
func locked(fn syntax.Node, names ...string) (lock, unlock syntax.Node) {
	self := receiver(fn)
	body := fn.ChildByField("body").Statements()
	for _, name := range names {
		for i := 0; i+1 < len(body); i++ {
			x, m := method(body[i].NamedChild(0))
			y, n := method(body[i+1].NamedChild(0))
			if body[i].Kind() == "expression_statement" && body[i+1].Kind() == "defer_statement" &&
				m == name && n == strings.Replace(name, "Lock", "Unlock", 1) && x.Text() == y.Text() && self != "" &&
				(x.Text() == self || strings.HasPrefix(x.Text(), self+".")) {
				return body[i], body[i+1]
			}
		}
	}
	return syntax.Node{}, syntax.Node{}
}

// changedMap is the field of map type of its receiver that a method writes or deletes from, as self.field, "" for none.
func changedMap(s *source, fn syntax.Node) string {
	fields := map[string]bool{}
	for _, spec := range s.kinds["type_spec"] {
		if spec.ChildByField("name").Text() == receiverType(fn) {
			for f := range spec.Find("field_declaration") {
				for c := range f.Children() {
					if c.Field() == "name" && f.ChildByField("type").Kind() == "map_type" {
						fields[receiver(fn)+"."+c.Text()] = true
					}
				}
			}
		}
	}
	for n := range fn.ChildByField("body").Find("assignment_statement", "inc_statement", "dec_statement", "call_expression") {
		target := n.ChildByField("left").NamedChild(0)
		switch n.Kind() {
		case "inc_statement", "dec_statement":
			target = n.NamedChild(0)
		case "call_expression":
			if args := arguments(n); n.ChildByField("function").Text() == "delete" && len(args) == 2 && fields[args[0].Text()] {
				return args[0].Text()
			}
			continue
		}
		if m := target.ChildByField("operand"); target.Kind() == "index_expression" && fields[m.Text()] {
			return m.Text()
		}
	}
	return ""
}
