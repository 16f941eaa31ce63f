package flow

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

func truth(yes bool) *value { return constant(ir.Bool, strconv.FormatBool(yes)) }

// truth tells whether a condition holds, where that is known.
func (f *frame) truth(v *value) (yes, known bool) {
	if !v.known() {
		return false, false
	}
	return v.con.Text == "true", v.con.Kind == ir.Bool
}

// binary is what an operator gives.
func (f *frame) binary(op string, a, b *value) *value {
	sa, oka := a.text()
	sb, okb := b.text()
	if oka && okb {
		if v := fold(op, a.con, b.con); v != nil {
			return v
		}
	}
	switch op {
	case "+", ".", "..": // PHP joins texts with a dot
		if a != nil && b != nil && a.isList && b.isList {
			return a.spread(b)
		}
		if a != nil && a.clean && b != nil && (b.clean || b.con != nil && b.con.Kind == ir.Number) {
			return a
		}
		return concat(a, b)
	case "%":
		if oka && a.con.Kind == ir.Text {
			return format(sa, b)
		}
		if a != nil && len(a.pieces) > 0 {
			return concat(a, b)
		}
	case "*":
		if okb && sb != "" {
			return a.vague()
		}
	case "<<":
		return concat(a, b)
	case "/":
		if a.name() != "" && (len(b.taint()) > 0 || strings.Contains(a.name(), "Path")) { // pathlib
			return concat(a, b).named(a.full)
		}
	case "|": // of flags
		if a.name() != "" && b.name() != "" {
			return (&value{clean: true}).named(a.full + "|" + b.full)
		}
	case "??", "?:", "||", "&&":
		return join(a, b)
	}
	return &value{clean: true}
}

// format is the text of a template with %s and kin, and what is put into it.
func format(template string, args *value) *value {
	parts, i := []*value{}, 0
	next := func() *value {
		if args != nil && args.isList {
			i++
			return args.item(constant(ir.Number, itoa(i-1)))
		}
		return args
	}
	for template != "" {
		at := strings.IndexByte(template, '%')
		if at < 0 || at+1 >= len(template) {
			break
		}
		end := at + 1
		name := ""
		if template[end] == '(' {
			if k := strings.IndexByte(template[end:], ')'); k > 0 {
				name = template[end+1 : end+k]
				end += k + 1
			}
		}
		for end < len(template) && strings.IndexByte("0123456789.-+# $*", template[end]) >= 0 {
			end++
		}
		if end >= len(template) {
			break
		}
		parts = append(parts, constant(ir.Text, template[:at]))
		switch verb := template[end]; {
		case verb == '%':
			parts = append(parts, constant(ir.Text, "%"))
		case strings.IndexByte("dioufFeEgGxXcbt", verb) >= 0:
			next()
			parts = append(parts, &value{clean: true})
		case verb == 'q':
			parts = append(parts, next().cleaned(model.KindOf("log")|model.KindOf("header")))
		case name != "":
			parts = append(parts, args.item(constant(ir.Text, name)))
		default:
			parts = append(parts, next())
		}
		template = template[end+1:]
	}
	parts = append(parts, constant(ir.Text, template))
	return concat(parts...)
}

// fold computes with constants; nil where it cannot.
func fold(op string, a, b *ir.Expr) *value {
	if a.Kind == ir.Number && b.Kind == ir.Number {
		x, errX := strconv.ParseFloat(a.Text, 64)
		y, errY := strconv.ParseFloat(b.Text, 64)
		if errX != nil || errY != nil {
			return nil
		}
		whole := !strings.ContainsAny(a.Text+b.Text, ".eE")
		number := func(v float64) *value {
			if whole {
				v = float64(int64(v))
			}
			return constant(ir.Number, strconv.FormatFloat(v, 'f', -1, 64))
		}
		switch op {
		case "+":
			return number(x + y)
		case "-":
			return number(x - y)
		case "*":
			return number(x * y)
		case "/":
			if y != 0 {
				return number(x / y)
			}
		case "%":
			if y != 0 && whole {
				return number(float64(int64(x) % int64(y)))
			}
		case "<":
			return truth(x < y)
		case ">":
			return truth(x > y)
		case "<=":
			return truth(x <= y)
		case ">=":
			return truth(x >= y)
		case "==", "===", "is":
			return truth(x == y)
		case "!=", "!==", "is not":
			return truth(x != y)
		}
		return nil
	}
	switch op {
	case "+", ".":
		if a.Kind == ir.Text || b.Kind == ir.Text {
			return constant(ir.Text, a.Text+b.Text)
		}
	case "==", "===":
		return truth(a.Text == b.Text)
	case "!=", "!==":
		return truth(a.Text != b.Text)
	case "in":
		return truth(strings.Contains(b.Text, a.Text))
	case "not in":
		return truth(!strings.Contains(b.Text, a.Text))
	}
	return nil
}
