package java

import (
	"regexp"
	"strings"
)

var listedHost = regexp.MustCompile(`(?i)!\s*(this\.)?\w*(allow|permit|trust|known|safe|approved|white)\w*(\(\))?\s*\.contains\(`)

// HostCheckDropped asks addresses of any host where only listed ones were allowed: anybody who chooses the address can have
// the program ask machines that only it can reach.
func (*operators) HostCheckDropped(f file) {
	for n := range f.Root.Find("if_statement") {
		condition := n.ChildByField("condition").Text()
		if !guard(n) || !listedHost.MatchString(condition) || !strings.Contains(strings.ToLower(condition), "host") {
			continue
		}
		e, ok := f.drop(n)
		if !ok || !n.NextElement().Valid() {
			continue
		}
		f.Report(e, "%s goes on with an address of any host, internal ones included: nothing asks the list of allowed hosts", methodName(n))
	}
}
