package golang

import "fmt"

// Jitter spreads a pause with a random number that is no secret: it looks weak and is right.
func (*operators) Jitter(s *source) {
	for call, args := range s.callsTo("time", "After", "Sleep", "NewTimer") {
		if len(args) != 1 || args[0].Kind() != "identifier" ||
			parameters(function(call))[args[0].Text()] != "time.Duration" {
			continue
		}
		name, edits, ok := s.imported("math/rand/v2", "rand")
		if !ok || s.local("math/rand") != "" || s.local("crypto/rand") != "" {
			continue
		}
		e := s.Replace(args[0], fmt.Sprintf("%s + %s.N(max(%s/4, 1))", args[0].Text(), name, args[0].Text()))
		s.ReportAll(e.And(edits...),
			"%s uses math/rand to spread its pauses: nobody gains by guessing them, so the generator need not be a secure one.",
			nameOf(function(call)))
	}
}
