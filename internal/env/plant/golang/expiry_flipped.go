package golang

import (
	"regexp"
	"strings"
)

var clockText = regexp.MustCompile(`(?i)(now|clock)(\(\))?$`)

var expiryText = regexp.MustCompile(`(?i)(expir\w*|until|ends?|deadline|due|valid\w*)(at)?(\(\))?$`)

// ExpiryFlipped takes what is past for what is to come.
func (*operators) ExpiryFlipped(s *source) {
	for _, call := range s.kinds["call_expression"] {
		x, name := method(call)
		args := arguments(call)
		if name != "After" && name != "Before" || len(args) != 1 || s.imports[x.Text()] != "" ||
			!(clockText.MatchString(x.Text()) && expiryText.MatchString(args[0].Text())) &&
				!(expiryText.MatchString(x.Text()) && clockText.MatchString(args[0].Text())) {
			continue
		}
		other := map[string]string{"After": "Before", "Before": "After"}[name]
		s.Report(s.Replace(call.ChildByField("function").ChildByField("field"), other),
			"%s asks whether %s lies %s %s instead of the reverse: what has ended counts as good and what is good as ended.", nameOf(function(call)),
			x.Text(), strings.ToLower(other), args[0].Text())
	}
}
