package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// CheckThenAct splits one step on a concurrent map into a question and a change: two threads may both get the answer no,
// and the second one's value replaces the first's.
func (*operators) CheckThenAct(f file) {
	for call := range f.Root.Find("method_invocation") {
		if locked(call) {
			continue
		}
		if e, more, ok := split(f, call); ok {
			f.ReportAll(e.And(more...),
				"%s asks %s for a key and puts it in a second step: two threads can both find it absent, and one value is lost", methodName(call),
				receiver(call).Text())
		}
	}
}

// split turns computeIfAbsent or putIfAbsent on a concurrent map into two steps.
func split(f file, call syntax.Node) (e plant.Edit, more []plant.Edit, ok bool) {
	on, as := receiver(call), args(call)
	if len(as) != 2 || on.Kind() != "identifier" && on.Kind() != "field_access" || !plain(as[0]) {
		return e, nil, false
	}
	name := strings.TrimPrefix(on.Text(), "this.")
	if !strings.HasPrefix(base(typeOf(call, name)), "Concurrent") &&
		base(initial(class(call), name).ChildByField("type").Text()) != "ConcurrentHashMap" {
		return e, nil, false
	}
	m, k := on.Text(), as[0].Text()
	switch called(call) {
	case "putIfAbsent":
		test := call.Enclosing("if_statement")
		c := bare(test.ChildByField("condition"))
		if operator(c) != "!=" || left(c) != call || right(c).Text() != "null" || !guard(test) || test.Parent().Kind() != "block" {
			return e, nil, false
		}
		return f.Replace(c, m+".containsKey("+k+")"),
			[]plant.Edit{f.Edit(test.End(), test.End(), "\n"+f.Indent(test.Start())+m+".put("+k+", "+as[1].Text()+");")}, true
	case "computeIfAbsent":
		s := call.Enclosing("expression_statement", "local_variable_declaration", "return_statement")
		if as[1].Kind() != "lambda_expression" || s.Parent().Kind() != "block" || method(call) != method(s) {
			return e, nil, false
		}
		value := as[1].ChildByField("body")
		if value.Kind() == "block" || value.Mentions(strings.Trim(as[1].ChildByField("parameters").Text(), "()")) {
			return e, nil, false
		}
		in := f.Indent(s.Start())
		step := "  "
		if d := method(s).ChildByField("body"); d.Valid() {
			step = strings.TrimPrefix(f.Indent(d.Elements()[0].Start()), f.Indent(d.Start()))
		}
		text := fmt.Sprintf("if (!%s.containsKey(%s)) {\n%s%s%s.put(%s, %s);\n%s}\n%s", m, k, in, step, m, k, value.Text(), in, in)
		text += f.Text[s.Start():call.Start()] + m + ".get(" + k + ")" + f.Text[call.End():s.End()]
		return f.Replace(s, text), nil, strings.Count(text, "\n") < 6
	}
	return e, nil, false
}
