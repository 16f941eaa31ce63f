package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// IdentityFirst asks for identity before equality, as the platform's own classes do: the answer is the same.
func (*operators) IdentityFirst(f file) {
	for call, as := range f.calls("equals") {
		if len(as) != 1 || !quiet(receiver(call)) || !quiet(as[0]) || methodName(call) == "equals" {
			continue
		}
		a, b := receiver(call).Text(), as[0].Text()
		f.Report(f.Replace(call, "("+a+" == "+b+" || "+call.Text()+")"),
			"%s == %s is only a short cut before equals: whether they are the same object does not change the answer", short(a), short(b))
	}
}

// quiet says whether an expression may be evaluated twice: a name, or what looks like a plain getter.
func quiet(n syntax.Node) bool {
	switch n.Kind() {
	case "identifier", "field_access":
		return true
	case "method_invocation":
		name := called(n)
		return len(args(n)) == 0 && receiver(n).Kind() == "identifier" && !strings.HasPrefix(name, "next") && !strings.HasPrefix(name, "read") &&
			!strings.HasPrefix(name, "poll") &&
			!strings.HasPrefix(name, "pop") && !strings.HasPrefix(name, "remove") && !strings.HasPrefix(name, "take")
	}
	return false
}
