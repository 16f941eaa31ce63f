package python

// FinallyClose opens a file without with and closes it in finally.
func (*operators) FinallyClose(s *source) {
	for _, o := range openedFiles(s) {
		inner := s.Indent(o.stmts[0].Start())
		head := o.indent + o.name + " = " + o.call.Text() + "\n" + o.indent + "try:\n"
		s.reportMoved(o.node, o.stmts, head, inner, "\n"+o.indent+"finally:\n"+inner+o.name+".close()",
			"%s closes %s in a finally clause right after opening it, whatever happens in between.", where(o.node), o.name)
	}
}
