package java

// LoopAbandoned leaves a loop where one element was to be skipped: all elements behind it are left out too.
func (*operators) LoopAbandoned(f file) {
	for c := range f.Root.Find("continue_statement") {
		loop := c.Enclosing("enhanced_for_statement", "for_statement", "while_statement", "do_statement")
		test := c.Enclosing("if_statement")
		if c.NumNamed() > 0 || loop.Kind() != "enhanced_for_statement" || !test.Valid() || test.Start() < loop.Start() ||
			c.Enclosing("switch_expression", "switch_statement").Start() > loop.Start() {
			continue
		}
		f.Report(f.Replace(c, "break;"),
			"%s breaks out of the loop over %s when %s holds for one element, so that all later ones are never looked at", methodName(c),
			short(loop.ChildByField("value").Text()), short(test.ChildByField("condition").Text()))
	}
}
