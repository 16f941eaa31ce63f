package java

import "regexp"

var escapesMarkup = regexp.MustCompile(`^(escape|escapeHtml[0-9]?|escapeXml|htmlEscape|encodeForHtml|forHtml|esc)$`)

// EscapeDropped writes a text into a page as it is: markup in it becomes part of the page, scripts run.
func (*operators) EscapeDropped(f file) {
	for call, as := range f.calls() {
		if !escapesMarkup.MatchString(called(call)) || len(as) != 1 || as[0].Kind() == "string_literal" ||
			receiver(as[0]).Text() == "String" && called(as[0]) == "valueOf" {
			continue
		}
		up := call.Parent()
		if operator(up) != "+" && !(up.Kind() == "argument_list" && called(up.Parent()) == "append") {
			continue
		}
		f.Report(f.Replace(call, as[0].Text()),
			"%s writes %s into the page without escaping it, so that markup in it runs in the reader's browser", methodName(call),
			short(as[0].Text()))
	}
}
