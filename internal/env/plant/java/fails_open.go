package java

import "regexp"

var testsSomething = regexp.MustCompile(`^(is|has|can|may|verif|check|valid|allow|accept|genuine|match|authent|sign|trust|permit|intact|` +
	`seal)`)

// FailsOpen lets a test succeed when it could not be made: anybody who can make it fail gets through.
func (*operators) FailsOpen(f file) {
	for c := range f.Root.Find("catch_clause") {
		m, body := method(c), c.ChildByField("body").Elements()
		if len(body) == 0 || m.ChildByField("type").Text() != "boolean" || !testsSomething.MatchString(methodName(c)) {
			continue
		}
		last := body[len(body)-1]
		if last.Kind() != "return_statement" || last.NamedChild(0).Text() != "false" {
			continue
		}
		f.Report(f.Replace(last, "return true;"),
			"%s answers true when its check fails with an exception, so that what could not be checked counts as good", methodName(c))
	}
}
