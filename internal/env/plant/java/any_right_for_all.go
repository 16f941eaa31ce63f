package java

import "regexp"

var rightName = regexp.MustCompile(`(?i)^(may|can|allow|permit|admit|entitle|authori|grant)|role|scope|right|permission|access`)

// AnyRightForAll asks for one right of several where all were needed: anybody with the least of them gets the rest too.
func (*operators) AnyRightForAll(f file) {
	for call, as := range f.calls() {
		if len(as) != 1 || !rightName.MatchString(methodName(call)) || !receiver(call).Valid() ||
			method(call).ChildByField("type").Text() != "boolean" {
			continue
		}
		text := ""
		switch {
		case called(call) == "allMatch":
			text = f.Text[call.Start():receiver(call).End()] + ".anyMatch(" + as[0].Text() + ")"
		case called(call) == "containsAll" && receiver(call).Kind() == "identifier" && as[0].Kind() == "identifier":
			text = as[0].Text() + ".stream().anyMatch(" + receiver(call).Text() + "::contains)"
		default:
			continue
		}
		f.Report(f.Replace(call, text),
			"%s is content with one of what is asked for (%s) where all were needed, so that one right opens everything", methodName(call),
			short(text))
	}
}
