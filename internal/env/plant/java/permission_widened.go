package java

import "regexp"

var decidesRight = regexp.MustCompile(`^(can|may)[A-Z]|^is(Allowed|Permitted|Authori[sz]ed)|^has(Access|Permission|Right)`)

// PermissionWidened makes the method that decides over rights leave out one of its conditions. Other files trust it: what
// they guard is now open to more people.
func (*operators) PermissionWidened(f file) {
	for m := range f.Root.Find("method_declaration") {
		if m.ChildByField("type").Text() != "boolean" || !decidesRight.MatchString(m.ChildByField("name").Text()) {
			continue
		}
		users := f.callers(m)
		if len(users) == 0 {
			continue
		}
		for r := range m.Find("return_statement") {
			value := bare(r.NamedChild(0))
			if operator(value) != "&&" || method(r) != m {
				continue
			}
			f.Report(f.Replace(r, "return "+left(value).Text()+";"),
				"%s no longer asks for %s, and %s relies on it alone", qualified(m), short(right(value).Text()), users[0])
		}
	}
}
