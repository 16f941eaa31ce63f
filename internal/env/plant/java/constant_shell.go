package java

import "strings"

// ConstantShell runs a fixed line through a shell: there is nothing in it that anybody could choose.
func (*operators) ConstantShell(f file) {
	for n := range f.Root.Find("object_creation_expression") {
		as := args(n)
		fixed := base(n.ChildByField("type").Text()) == "ProcessBuilder" && len(as) > 0
		for _, a := range as {
			fixed = fixed && a.Kind() == "string_literal" && !strings.ContainsAny(a.Text(), `\'$ `)
		}
		if !fixed || strings.HasSuffix(as[0].Text(), `sh"`) {
			continue
		}
		f.Report(f.Replace(n, `new ProcessBuilder("sh", "-c", `+line(as)+")"),
			"the shell line of %s is a constant: nothing from outside is part of it", methodName(n))
	}
}
