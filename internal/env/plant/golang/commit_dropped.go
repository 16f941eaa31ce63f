package golang

import "strings"

// CommitDropped returns success without committing: the deferred rollback undoes everything.
func (*operators) CommitDropped(s *source) {
	for _, ret := range s.kinds["return_statement"] {
		values := ret.NamedChild(0).Elements()
		if len(values) == 0 {
			continue
		}
		last := values[len(values)-1]
		x, name := method(last)
		if name != "Commit" || len(arguments(last)) != 0 || !rollsBack(s, ret.Start(), x.Text()) {
			continue
		}
		s.reportWhole(s.Edit(ret.Start(), ret.End(), s.Text[ret.Start():last.Start()]+"nil"),
			"%s reports success without calling %s.Commit, so the deferred rollback loses everything that was written.", nameOf(function(ret)),
			x.Text())
	}
}

// rollsBack says whether a defer before at, in the same function, rolls x back.
func rollsBack(s *source, at int, x string) bool {
	for _, d := range s.kinds["defer_statement"] {
		body := function(d).ChildByField("body")
		if d.Start() < at && at < body.End() && strings.Contains(d.Text(), x+".Rollback(") {
			return true
		}
	}
	return false
}
