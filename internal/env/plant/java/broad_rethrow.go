package java

import "strings"

// BroadRethrow catches every exception, does what the narrow clause did and throws it on: nothing is hidden, and what was
// begun is undone after unchecked exceptions as well.
func (*operators) BroadRethrow(f file) {
	for c := range f.Root.Find("catch_clause") {
		param := caught(c)
		types, name := param.NamedChild(0), param.ChildByField("name").Text()
		body := c.ChildByField("body").Elements()
		if types.Kind() != "catch_type" || types.Text() == "Exception" || types.Text() == "Throwable" ||
			strings.HasSuffix(types.Text(), "Interrupted") || len(body) < 2 || c.NextElement().Kind() == "catch_clause" {
			continue
		}
		if last := body[len(body)-1]; last.Kind() != "throw_statement" || last.NamedChild(0).Text() != name {
			continue
		}
		f.Report(f.Replace(types, "Exception"),
			"%s catches everything but throws it on: after %s nothing is hidden, whatever went wrong", methodName(c), short(body[0].Text()))
	}
}
