package python

// ClampTurned bounds a value from the wrong side.
func (*operators) ClampTurned(s *source) {
	for c, a := range s.calls() {
		name := callee(c)
		if name != "min" && name != "max" || len(a) != 2 || keyword(c, "key").Valid() || keyword(c, "default").Valid() {
			continue
		}
		bound, value := a[0], a[1]
		if k := bound.Kind(); k != "integer" && k != "float" {
			bound, value = a[1], a[0]
		}
		if k := bound.Kind(); k != "integer" && k != "float" || value.Kind() == "integer" || value.Kind() == "float" {
			continue
		}
		other := map[string]string{"min": "max", "max": "min"}[name]
		side := map[string]string{"min": "at most", "max": "at least"}[name]
		s.Report(s.Replace(c.ChildByField("function"), other),
			"%s bounds `%s` from the wrong side: it should be %s %s and %s does the opposite.", where(c), short(value), side, bound.Text(), other)
	}
}
