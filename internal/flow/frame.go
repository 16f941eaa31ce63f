package flow

import (
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

// frame is a function that is being read.
type frame struct {
	e      *engine
	fn     *ir.Func
	file   *ir.File
	table  *model.Table
	sum    *summary
	env    *env // nil where nobody comes
	loops  []*loop
	depth  int                 // of closures that are read where they are called
	checks map[string]*ir.Expr // what variables tell of by their truth
	// relatives are the paths of which variables hold the way from a directory: path.relative(root, p).
	relatives map[string]*ir.Expr
	page      bool // what it returns is sent as a page
}

// summary is what callers need to know of a function.
type summary struct {
	result  *value
	sinks   []reach
	yields  []*value          // what a block is called with
	effects map[string]*value // what it puts into its parameters: by number and names after it, "0.user"
}

// reach is a parameter that comes to a sink.
type reach struct {
	val   *value // what the sink is given, with parameters in it
	sink  model.Sink
	hit   hitKey
	what  string
	trail *trail // from the parameter on
}

const (
	maxInline = 4  // closures in closures that are read where they are called
	maxReach  = 60 // of one function
	maxSame   = 3  // values of it for one sink
)

func (f *frame) run(list []*ir.Stmt) {
	for _, s := range list {
		if f.env == nil || f.e.steps < 0 {
			return
		}
		f.stmt(s)
	}
}

func (f *frame) stmt(s *ir.Stmt) {
	switch s.Op {
	case ir.Do:
		f.eval(s.Value)
		if f.leaves(s.Value) {
			f.env = nil
		}
	case ir.Assign:
		f.assign(s)
	case ir.If:
		f.branch(s)
	case ir.Loop:
		f.loop(s)
	case ir.Switch:
		f.choose(s)
	case ir.Try:
		f.try(s)
	case ir.Return:
		v := f.eval(s.Value)
		if f.page {
			f.returned(s.Value, v)
		}
		if f.file.Language == "java" {
			f.springs(s.Value, v)
		}
		f.sum.result = join2(f.sum.result, v)
		f.env = nil
	case ir.Leave:
		f.env = nil
	case ir.Break:
		if k := len(f.loops); k > 0 {
			l := f.loops[k-1]
			l.left, f.env = meet(l.left, f.env), nil
		}
	case ir.Continue:
		for k := len(f.loops) - 1; k >= 0; k-- {
			if l := f.loops[k]; !l.isSwitch {
				l.again, f.env = meet(l.again, f.env), nil
				return
			}
		}
	case ir.Block:
		f.run(s.Body)
	}
}

// leaves reports a call that does not come back.
func (f *frame) leaves(x *ir.Expr) bool {
	if x.Op != ir.Call || f.env == nil {
		return false
	}
	full := x.Args[0].Text
	if callee := x.Args[0]; callee.Op == ir.Member {
		full = f.full(f.eval(callee.Args[0]), callee.Text)
	} else if imported, ok := f.file.Imports[full]; ok {
		full = imported
	}
	return f.table.Leaves(full)
}

// join2 is join where nil means that there was none before.
func join2(before, v *value) *value {
	if before == nil {
		return v
	}
	return join(before, v)
}
