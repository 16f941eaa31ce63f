package golang

import "github.com/deeprepo/deeprepo/internal/syntax/gotree"

// EarlyUnlock lets go of a lock by hand once a copy is made: it looks as if something were read without it.
func (*operators) EarlyUnlock(s *source) {
	for _, fn := range s.kinds["method_declaration"] {
		lock, unlock := locked(fn, "RLock", "Lock")
		body := fn.ChildByField("body").Statements()
		if !lock.Valid() || len(body) != 3 || body[2].Kind() != "return_statement" || len(gotree.Results(fn)) != 1 ||
			fn.ChildByField("result").Kind() == "parameter_list" {
			continue
		}
		values := body[2].NamedChild(0).Elements()
		if len(values) != 1 || !s.callTo(values[0], "maps", "Clone") && !s.callTo(values[0], "slices", "Clone") || fn.Mentions("copied") {
			continue
		}
		gap := s.Text[unlock.End():body[2].Start()]
		s.Report(s.Edit(unlock.Start(), body[2].End(), "copied := "+values[0].Text()+gap+unlock.NamedChild(0).Text()+gap+"return copied"),
			"%s returns after the lock is released, but what it returns is a copy that was made under it.", nameOf(fn))
	}
}
