package typescript

import "regexp"

var questionName = regexp.MustCompile(`^(is|has|can|may|verify|allows?|permits?|check|matches|accepts?|authenticates?|valid\w*|` +
	`trusts?)([A-Z]\w*)?$`)

// FailOpen answers a question with yes when the test of it failed: anybody who makes the test fail gets through.
func (*operators) FailOpen(f file) {
	for n := range f.Root.Find("catch_clause") {
		body := n.ChildByField("body").Statements()
		if len(body) == 0 || !questionName.MatchString(functionName(function(n))) {
			continue
		}
		last := body[len(body)-1]
		if last.Kind() != "return_statement" || last.NamedChild(0).Kind() != "false" {
			continue
		}
		f.Report(f.Replace(last, "return true"+semicolon(last)),
			"%s answers true when its test throws, so input that breaks the test passes it.", where(n))
	}
}
