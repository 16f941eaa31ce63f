package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CheckThenAct lets go of the lock between looking into a map and writing to it.
func (*operators) CheckThenAct(s *source) {
	for _, fn := range s.kinds["method_declaration"] {
		lock, unlock := locked(fn, "Lock")
		field := changedMap(s, fn)
		test := unlock.NextElement()
		if !lock.Valid() || field == "" || test.Kind() != "if_statement" || test.ChildByField("alternative").Valid() {
			continue
		}
		look := test.ChildByField("initializer")
		body := test.ChildByField("consequence").Statements()
		if look.Kind() != "short_var_declaration" || len(body) != 1 || body[0].Kind() != "return_statement" ||
			!strings.HasPrefix(look.ChildByField("right").Text(), field+"[") || mentionsOutside(fn, test, look) {
			continue
		}
		in := s.indent(test)
		call := unlock.NamedChild(0).Text()
		head := s.Edit(unlock.Start(), test.ChildByField("condition").Start(), look.Text()+"\n"+in+call+"\n"+in+"if ")
		tail := s.Edit(test.End(), test.End(), "\n"+in+lock.Text()+"\n"+in+unlock.Text())
		s.ReportAll(head.And(tail),
			"%s looks into %s under the lock but lets go of it before it writes: two callers at once both pass the check.", nameOf(fn), field)
	}
}

// mentionsOutside says whether a name that look declares stands in fn outside of test.
func mentionsOutside(fn, test, look syntax.Node) bool {
	names := map[string]bool{}
	for c := range look.ChildByField("left").NamedChildren() {
		names[c.Text()] = c.Text() != "_"
	}
	return syntax.Any(fn.Find("identifier"), func(n syntax.Node) bool {
		return names[n.Text()] && (n.Start() < test.Start() || n.Start() >= test.End())
	})
}
