package python

// FinallyClose opens a file without with and closes it in finally.
func (*operators) FinallyClose(s *source) {
	for _, o := range openedFiles(s) {
		inner, _ := s.indent(o.stmts[0])
		text, ok := s.moved(o.stmts[0], o.last(), inner)
		text = o.indent + o.name + " = " + o.call.Text() + "\n" + o.indent + "try:\n" + text + "\n" + o.indent + "finally:\n" + inner + o.name +
			".close()"
		if !ok || lines(text) > 6 {
			continue
		}
		s.Report(s.Edit(s.LineStart(o.with.Start()), o.last().End(), text),
			"%s closes %s in a finally clause right after opening it, whatever happens in between.", where(o.with), o.name)
	}
}
