package typescript

import "regexp"

var upperName = regexp.MustCompile(`(?i)^(max\w*|limit|cap|capacity|ceiling|upper\w*|most|\w+limit|\w+_max|\w+_limit|[a-z]+Max)$`)

// ClampSwapped takes the larger of a value and its limit: what was the most is now the least.
func (*operators) ClampSwapped(f file) {
	for call, args := range f.calls("min") {
		object, _ := callee(call)
		if object.Text() != "Math" || len(args) != 2 {
			continue
		}
		limit, value := args[1], args[0]
		if !simple(limit) || !upperName.MatchString(lastName(limit)) {
			limit, value = value, limit
		}
		if !simple(limit) || !upperName.MatchString(lastName(limit)) || upperName.MatchString(lastName(value)) {
			continue
		}
		f.Report(f.Replace(call.ChildByField("function"), "Math.max"),
			"%s takes the larger of %s and %s, so the limit is no longer kept and small values are raised to it.", where(call), short(value.Text()),
			short(limit.Text()))
	}
}
