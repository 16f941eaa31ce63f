package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// UnlockedConstructor writes a guarded field without the lock while nobody else has the value yet.
func (*operators) UnlockedConstructor(s *source) {
	for _, fn := range s.kinds["function_declaration"] {
		name := fn.ChildByField("name").Text()
		if !strings.HasPrefix(strings.ToLower(name), "new") {
			continue
		}
		body := fn.ChildByField("body").Statements()
		if len(body) != 1 || body[0].Kind() != "return_statement" {
			continue
		}
		rest, key, value, t := s.mapOf(body[0])
		variable := strings.ToLower(t[:min(1, len(t))])
		if key == "" || parameters(fn)[variable] != "" || uses(fn, variable) > 0 || s.imports[variable] != "" {
			continue
		}
		in := "\n" + s.indent(body[0])
		text := fmt.Sprintf("%s := &%s{%s}%s%s.%s = %s%sreturn %s", variable, t, rest, in, variable, key, value, in, variable)
		s.Report(s.Replace(body[0], text),
			"%s writes %s.%s without the lock, but no other goroutine has the value before it is returned.", name, variable, key)
	}
}

// mapOf takes an empty map out of return &T{...}, where T is a struct of the file with a mutex: the other elements, the
// map's field and value, and T. The key is "" where the return is of another shape.
func (s *source) mapOf(ret syntax.Node) (rest, key, value, t string) {
	values := ret.NamedChild(0).Elements()
	if len(values) != 1 || values[0].Kind() != "unary_expression" || values[0].NamedChild(0).Kind() != "composite_literal" {
		return "", "", "", ""
	}
	literal := values[0].NamedChild(0)
	t = literal.ChildByField("type").Text()
	guarded := false
	for _, spec := range s.kinds["type_spec"] {
		if spec.ChildByField("name").Text() == t {
			for f := range spec.Find("field_declaration") {
				guarded = guarded || strings.HasPrefix(f.ChildByField("type").Text(), "sync.") &&
					strings.HasSuffix(f.ChildByField("type").Text(), "Mutex")
			}
		}
	}
	var others []string
	for c := range literal.ChildByField("body").NamedChildren() {
		if c.Kind() != "keyed_element" || strings.Contains(c.Text(), "\n") {
			return "", "", "", ""
		}
		k, v := c.NamedChild(0).Text(), c.NamedChild(1)
		if made := v.NamedChild(0); key == "" &&
			(strings.HasPrefix(made.Text(), "make(map[") || made.Kind() == "composite_literal" && strings.HasSuffix(made.Text(), "{}")) &&
			strings.Contains(made.Text(), "map[") {
			key, value = k, v.Text()
			continue
		}
		others = append(others, k+": "+v.Text())
	}
	if !guarded {
		return "", "", "", ""
	}
	return strings.Join(others, ", "), key, value, t
}
