package golang

// WeakToken makes random secrets with a generator that can be predicted.
func (*operators) WeakToken(s *source) {
	for _, call := range s.kinds["call_expression"] {
		if !s.callTo(call, "crypto/rand", "Read") || len(arguments(call)) != 1 || s.local("math/rand") != "" || s.local("math/rand/v2") != "" {
			continue
		}
		e := s.Replace(call.ChildByField("function"), "mrand.Read")
		if edits, ok := s.replaceImport("crypto/rand", "math/rand", "mrand", e); ok {
			s.ReportAll(e.And(edits...),
				"%s fills %s from math/rand, whose output can be predicted, where a secret is made.", nameOf(function(call)), arguments(call)[0].Text())
		}
	}
}
