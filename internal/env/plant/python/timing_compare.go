package python

import "slices"

// TimingCompare compares a secret with == again.
func (*operators) TimingCompare(s *source) {
	for c, a := range s.calls() {
		if method(c) != "compare_digest" || len(a) != 2 || !simple(a[0]) || !simple(a[1]) {
			continue
		}
		whole, operator := c, " == "
		if c.Parent().Kind() == "not_operator" {
			whole, operator = c.Parent(), " != "
		}
		if !slices.Contains([]string{"return_statement", "if_statement", "assignment", "boolean_operator", "argument_list"},
			whole.Parent().Kind()) {
			continue
		}
		s.Report(s.Replace(whole, a[0].Text()+operator+a[1].Text()),
			"%s compares %s with %s by%sin place of compare_digest: the time that it takes tells how much of the secret was right.", where(c),
			short(a[0]), short(a[1]), operator)
	}
}
