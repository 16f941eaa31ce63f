package java

import "github.com/deeprepo/deeprepo/internal/syntax"

// NullGuardSwapped swaps && and || between a test for null and what relies on it. Just when the variable is null, the second
// operand is now evaluated and throws.
func (*operators) NullGuardSwapped(f file) {
	for b := range f.Root.Find("binary_expression") {
		op, name := operator(b), ""
		wrong := ""
		switch {
		case op == "||":
			name, wrong = compared(left(b), "=="), "&&"
		case op == "&&":
			name, wrong = compared(left(b), "!="), "||"
		}
		if name == "" || !derefs(right(b), name) {
			continue
		}
		between := f.Text[left(b).End():right(b).Start()]
		sign := b.ChildByField("operator")
		text := left(b).Text() + between[:sign.Start()-left(b).End()] + wrong + between[sign.End()-left(b).End():] + right(b).Text()
		if up := operator(b.Parent()); up != "" {
			text = "(" + text + ")" // as && binds stronger than ||
		}
		f.Report(f.Replace(b, text), "%s joins the null check of %s with %s, so that %s is evaluated just when %s is null and throws",
			methodName(b), name, wrong, short(right(b).Text()), name)
	}
}

// compared is the variable that an expression compares with null.
func compared(n syntax.Node, sign string) string {
	if operator(n) != sign {
		return ""
	}
	a, b := left(n), right(n)
	if a.Kind() == "null_literal" {
		a, b = b, a
	}
	if b.Kind() != "null_literal" || a.Kind() != "identifier" && a.Kind() != "field_access" {
		return ""
	}
	return a.Text()
}

// derefs says whether an expression surely calls a method on a variable, whatever else it does.
func derefs(n syntax.Node, name string) bool {
	switch n = bare(n); n.Kind() {
	case "method_invocation":
		return receiver(n).Text() == name || derefs(receiver(n), name)
	case "unary_expression":
		return derefs(n.ChildByField("operand"), name)
	case "binary_expression":
		return derefs(left(n), name)
	}
	return false
}
