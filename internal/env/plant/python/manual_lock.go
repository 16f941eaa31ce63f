package python

// ManualLock takes a lock by hand and lets go of it in finally.
func (*operators) ManualLock(s *source) {
	for _, w := range s.nodes("with_statement") {
		lock := onlyItem(w)
		stmts := body(w).Statements()
		indent, ok := s.indent(w)
		if !ok || !lockName.MatchString(lock.Text()) || !named(lock) || len(stmts) == 0 || stmts[0].Line() == w.Line() {
			continue
		}
		inner, _ := s.indent(stmts[0])
		text, ok := s.moved(stmts[0], stmts[len(stmts)-1], inner)
		text = indent + lock.Text() + ".acquire()\n" + indent + "try:\n" + text + "\n" + indent + "finally:\n" + inner + lock.Text() +
			".release()"
		if !ok || lines(text) > 6 {
			continue
		}
		s.Report(s.Edit(s.LineStart(w.Start()), stmts[len(stmts)-1].End(), text),
			"%s takes %s by hand and lets go of it in finally, so it is held for just as long as with a with statement.", where(w), lock.Text())
	}
}
