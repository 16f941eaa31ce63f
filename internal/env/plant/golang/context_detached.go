package golang

// ContextDetached starts work under a context of its own, which nobody can end.
func (*operators) ContextDetached(s *source) {
	local := s.local("context")
	for call, args := range s.calls() {
		known := s.callTo(call, "net/http", "NewRequestWithContext") || s.callTo(call, "os/exec", "CommandContext")
		if !known || len(args) < 2 || args[0].Kind() != "identifier" || local == "" {
			continue
		}
		fn := function(call)
		if parameters(fn)[args[0].Text()] != local+".Context" || rebound(fn, args[0]) {
			continue
		}
		e := s.Replace(args[0], local+".Background()")
		_, name := method(call)
		s.Report(e, "%s passes a background context to %s instead of %s, so its caller's deadline and cancellation have no effect.",
			nameOf(fn), name, args[0].Text())
	}
}
