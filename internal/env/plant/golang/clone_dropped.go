package golang

import "strings"

// CloneDropped hands out the map or slice itself that a lock guards.
func (*operators) CloneDropped(s *source) {
	for _, call := range s.kinds["call_expression"] {
		fn, args := function(call), arguments(call)
		if !s.callTo(call, "maps", "Clone") && !s.callTo(call, "slices", "Clone") || len(args) != 1 || receiver(fn) == "" ||
			!strings.HasPrefix(args[0].Text(), receiver(fn)+".") {
			continue
		}
		ret := call.Parent()
		if ret.Kind() == "expression_list" {
			ret = ret.Parent()
		}
		lock, _ := locked(fn, "Lock", "RLock")
		if ret.Kind() != "return_statement" || !lock.Valid() {
			continue
		}
		s.reportTidy(s.Replace(call, args[0].Text()),
			"%s returns %s itself and not a copy: callers read it without the lock while other methods change it.", nameOf(fn), args[0].Text())
	}
}
