package python

// ManualLock takes a lock by hand and lets go of it in finally.
func (*operators) ManualLock(s *source) {
	for _, w := range s.withs() {
		lock, inner := w.item.Text(), s.Indent(w.stmts[0].Start())
		if !lockName.MatchString(lock) || !named(w.item) {
			continue
		}
		s.reportMoved(w.node, w.stmts, w.indent+lock+".acquire()\n"+w.indent+"try:\n", inner, "\n"+w.indent+"finally:\n"+inner+lock+".release()",
			"%s takes %s by hand and lets go of it in finally, so it is held for just as long as with a with statement.", where(w.node), lock)
	}
}
