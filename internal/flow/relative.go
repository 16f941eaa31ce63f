package flow

import (
	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// Functions that give the way from a directory to a path, and which argument is the path.
var relatives = map[string]int{"path.relative": 1, "filepath.Rel": 1, "os.path.relpath": 0}

// relativeCall is the path of which a call gives the way from a directory, nil for another expression. What does not begin with ".."
// there lies below the directory.
func (f *frame) relativeCall(x *ir.Expr) *ir.Expr {
	if x == nil || x.Op != ir.Call || len(x.Args) != 3 || x.Args[0].Op != ir.Member {
		return nil
	}
	i, ok := relatives[f.full(f.eval(x.Args[0].Args[0]), x.Args[0].Text)]
	if !ok {
		return nil
	}
	return x.Args[1+i]
}

// noteRelative remembers a variable that is given such a way.
func (f *frame) noteRelative(s *ir.Stmt) {
	t := s.Target
	if t.Op == ir.List && len(t.Args) > 0 { // a result and an error
		t = t.Args[0]
	}
	if t.Op != ir.Name {
		return
	}
	of := f.relativeCall(s.Value)
	if of == nil || len(f.relatives) >= maxChecks || sizeOf(of) > maxCheck {
		delete(f.relatives, t.Text)
		return
	}
	if f.relatives == nil {
		f.relatives = map[string]*ir.Expr{}
	}
	f.relatives[t.Text] = of
}

// relative is the path of which an expression is the way from a directory.
func (f *frame) relative(x *ir.Expr) *ir.Expr {
	if x.Op == ir.Name {
		return f.relatives[x.Text]
	}
	return f.relativeCall(x)
}
