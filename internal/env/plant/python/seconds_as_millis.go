package python

import "regexp"

var inSeconds = regexp.MustCompile(`(?i)(^|_)(seconds|secs|sec)$`)

// SecondsAsMillis hands milliseconds to a function of another file that counts in seconds.
func (*operators) SecondsAsMillis(s *source) {
	for _, c := range indexOf(s.Project).from[s.Path] {
		for i, a := range args(c.node) {
			if i >= len(c.to.params) || !inSeconds.MatchString(c.to.params[i]) {
				continue
			}
			var text string
			switch {
			case a.Kind() == "binary_operator" && a.Operator() == "*", simple(a):
				text = a.Text() + " * 1000"
			case a.Kind() == "binary_operator":
				text = "(" + a.Text() + ") * 1000"
			default:
				continue
			}
			s.Report(s.Replace(a, text), "%s passes milliseconds to %s, whose %s in %s is in seconds: it lasts a thousand times as long.",
				where(c.node), c.to.name, c.to.params[i], c.to.file)
		}
	}
}
