package typescript

import "strings"

// ReplaceFirst replaces the first occurrence only, where all were meant.
func (*operators) ReplaceFirst(f file) {
	for call, args := range f.calls() {
		_, name := callee(call)
		if len(args) != 2 {
			continue
		}
		pattern := args[0]
		source := pattern.ChildByField("pattern").Text()
		property := call.ChildByField("function").ChildByField("property")
		what := short(pattern.Text())
		switch {
		case name == "replaceAll" && pattern.Kind() == "string":
			f.Report(f.Replace(property, "replace"),
				"%s replaces only the first %s, since replace with a text stops there, and leaves the others in.", where(call), what)
		case name == "replace" && pattern.Kind() == "regex" && pattern.ChildByField("flags").Text() == "g" &&
			!strings.HasPrefix(source, "^") && !strings.HasSuffix(source, "$"): // tied to neither end, it may match more than once
			text := strings.TrimSuffix(pattern.Text(), "g")
			f.Report(f.Replace(pattern, text),
				"%s replaces only the first match of %s, which lacks the flag g, and leaves the others in.", where(call), short(text))
		}
	}
}
