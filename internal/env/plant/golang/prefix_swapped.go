package golang

// PrefixSwapped hands a text and what is looked for in it over in the wrong order: both are strings.
func (*operators) PrefixSwapped(s *source) {
	for call, args := range s.callsTo("strings", "HasPrefix", "HasSuffix", "Contains") {
		if len(args) != 2 || args[0].Text() == args[1].Text() ||
			call.EndLine() > call.Line()+1 {
			continue
		}
		if a, b := args[0].Kind(), args[1].Kind(); a != "identifier" && a != "selector_expression" ||
			b != "identifier" && b != "selector_expression" && b != "interpreted_string_literal" {
			continue
		}
		_, name := method(call)
		s.Report(s.Edit(args[0].Start(), args[1].End(), args[1].Text()+", "+args[0].Text()),
			"%s passes the arguments of strings.%s in the wrong order: it looks for %s in %s.", nameOf(function(call)), name, args[0].Text(),
			one(args[1].Text()))
	}
}
