package python

// RangeEnd makes a count end one early.
func (*operators) RangeEnd(s *source) {
	for c, a := range s.calls() {
		if callee(c) != "range" || len(a) == 0 || len(a) > 2 {
			continue
		}
		end := a[len(a)-1]
		if end.Kind() != "binary_operator" || end.Operator() != "+" || end.ChildByField("right").Text() != "1" {
			continue
		}
		left := end.ChildByField("left")
		s.Report(s.Replace(end, left.Text()),
			"The loop of %s ends before %s, which belongs to it: the last round is left out.", where(c), short(left))
	}
}
