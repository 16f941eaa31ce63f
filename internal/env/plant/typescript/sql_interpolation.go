package typescript

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	sqlText      = regexp.MustCompile(`(?is)^\s*(select|insert|update|delete)\b`)
	placeholders = regexp.MustCompile(`\?|\$\d+`)
)

// SQLInterpolation moves a bound parameter into the statement's text. Between the quotes the value is no longer data: a
// quote in it ends the literal, and the rest is read as SQL.
func (*operators) SQLInterpolation(f file) {
	for call := range f.Root.Find("call_expression") {
		q, ok := sqlCall(call)
		if !ok {
			continue
		}
		for i, v := range q.values {
			if (v.Kind() != "identifier" && v.Kind() != "member_expression") || !simple(v) || narrow(v) {
				continue
			}
			text := q.inline(i)
			if lines(text) > maxLines {
				break
			}
			f.Report(f.Edit(q.text.Start(), q.params.End(), text),
				"%s pastes %s into the text of its SQL statement, so a quote in that value changes what the database runs.", where(call),
				short(v.Text()))
			break
		}
	}
}

// sql is a call with a statement and its parameters, as many as it has placeholders.
type sql struct {
	call, text, params syntax.Node
	statement          string
	values             []syntax.Node
	marks              [][]int // of the placeholders in statement
}

func sqlCall(call syntax.Node) (sql, bool) {
	args := arguments(call)
	if len(args) != 2 || args[1].Kind() != "array" {
		return sql{}, false
	}
	text, ok := stringText(args[0])
	if !ok || !sqlText.MatchString(text) || strings.Contains(text, "`") || strings.Contains(text, "\\") {
		return sql{}, false
	}
	q := sql{call: call, text: args[0], params: args[1], statement: text, marks: placeholders.FindAllStringIndex(text, -1)}
	for v := range args[1].NamedChildren() {
		if v.Kind() == "spread_element" || v.Kind() == "comment" {
			return sql{}, false
		}
		q.values = append(q.values, v)
	}
	if len(q.values) != len(q.marks) || len(q.values) == 0 {
		return sql{}, false
	}
	if object, _ := callee(call); !object.Valid() && !strings.Contains(strings.ToUpper(text), " WHERE ") &&
		!strings.Contains(strings.ToUpper(text), " VALUES") {
		return sql{}, false // a sentence, not a statement
	}
	for i, m := range q.marks {
		if mark := text[m[0]:m[1]]; mark != "?" && mark != "$"+strconv.Itoa(i+1) {
			return sql{}, false
		}
	}
	return q, true
}

// inline writes the two arguments with the i-th value in the statement's text.
func (q sql) inline(i int) string {
	var b strings.Builder
	at := 0
	for k, m := range q.marks {
		b.WriteString(q.statement[at:m[0]])
		mark := q.statement[m[0]:m[1]]
		switch {
		case k == i:
			mark = "'${" + q.values[i].Text() + "}'"
		case k > i && mark != "?":
			mark = "$" + strconv.Itoa(k)
		}
		b.WriteString(mark)
		at = m[1]
	}
	b.WriteString(q.statement[at:])
	var rest []string
	for k, v := range q.values {
		if k != i {
			rest = append(rest, v.Text())
		}
	}
	text := "`" + b.String() + "`"
	if len(rest) > 0 {
		text += ", [" + strings.Join(rest, ", ") + "]"
	}
	return text
}

// narrow says whether a value is known to be no text: a parameter annotated to be a number, or a variable that is
// reckoned.
func narrow(v syntax.Node) bool {
	if v.Kind() != "identifier" {
		return false
	}
	for fn := function(v); fn.Valid(); fn = function(fn) {
		if parameter(fn, v.Text()).Valid() {
			return !free(v)
		}
		for d := range fn.Find("variable_declarator") {
			if d.ChildByField("name").Text() != v.Text() {
				continue
			}
			value := unwrap(d.ChildByField("value"))
			_, name := callee(value)
			return value.Kind() == "binary_expression" || value.Kind() == "number" || name == "Number" || name == "now"
		}
	}
	return false
}
