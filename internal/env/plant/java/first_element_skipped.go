package java

import "strings"

// FirstElementSkipped ends a loop that runs backwards before the element with index 0.
func (*operators) FirstElementSkipped(f file) {
	for loop := range f.Root.Find("for_statement") {
		c := loop.ChildByField("condition")
		if operator(c) == "&&" {
			c = left(c)
		}
		update := loop.ChildByField("update")
		if operator(c) != ">=" || right(c).Text() != "0" || left(c).Kind() != "identifier" || !strings.Contains(update.Text(), "--") ||
			!loop.ChildByField("body").Mentions(left(c).Text()) {
			continue
		}
		sign := c.ChildByField("operator")
		f.Report(f.Replace(c, f.Text[c.Start():sign.Start()]+">"+f.Text[sign.End():c.End()]),
			"the loop of %s counts %s down and stops before 0, so that the element at index 0 is left out", methodName(loop), left(c).Text())
	}
}
