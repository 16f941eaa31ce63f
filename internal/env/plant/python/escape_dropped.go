package python

// EscapeDropped writes a value into HTML as it is.
func (*operators) EscapeDropped(s *source) {
	for c, a := range s.calls() {
		if name := callee(c); name != "html.escape" && name != "escape" || len(a) == 0 || !named(a[0]) && a[0].Kind() != "subscript" {
			continue
		}
		if c.Parent().Kind() != "interpolation" && c.Parent().Kind() != "binary_operator" {
			continue
		}
		s.Report(s.Replace(c, a[0].Text()),
			"%s writes %s into HTML without escaping it: markup in it runs in the reader's browser.", where(c), short(a[0]))
	}
}
