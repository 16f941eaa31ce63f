package flow

import (
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

// loop collects what holds where a loop or switch is left or goes on.
type loop struct {
	left, again *env
	isSwitch    bool
}

func (f *frame) branch(s *ir.Stmt) {
	test := f.eval(s.Value)
	if yes, known := f.truth(test); known {
		if yes {
			f.refine(s.Value, true)
			f.run(s.Body)
		} else {
			f.refine(s.Value, false)
			f.run(s.Else)
		}
		return
	}
	before := f.env
	f.env = before.copy()
	f.refine(s.Value, true)
	f.run(s.Body)
	yes := f.env
	f.env = before
	f.refine(s.Value, false)
	f.run(s.Else)
	f.env = meet(yes, f.env)
}

// loop reads a loop's body twice, so that what one round leaves reaches the next.
func (f *frame) loop(s *ir.Stmt) {
	over := f.sent(s.Value, f.eval(s.Value))
	if s.Target == nil {
		if yes, known := f.truth(over); known && !yes {
			return
		}
	}
	l := &loop{}
	f.loops = append(f.loops, l)
	after := f.env.copy()
	for range 2 {
		if f.env == nil {
			break
		}
		before := f.env.copy()
		if s.Target != nil {
			f.set(s.Target, f.element(over))
		} else {
			f.refine(s.Value, true)
		}
		f.run(s.Body)
		f.env = meet(f.env, l.again)
		l.again = nil
		after = meet(after, f.env)
		if f.env != nil {
			f.env = meet(before, f.env)
			if s.Target == nil {
				f.eval(s.Value)
			}
		}
	}
	f.loops = f.loops[:len(f.loops)-1]
	f.env = after
	f.run(s.Else)
	f.env = meet(f.env, l.left)
}

// element is what a loop over a value gives.
func (f *frame) element(over *value) *value {
	if over == nil {
		return nil
	}
	if over.fields != nil && !over.isList && f.file.Language == "python" && over.rest == nil && len(over.labels) == 0 {
		return nil // the keys, which are constant
	}
	return over.contents().named(over.full + "[]")
}

func (f *frame) choose(s *ir.Stmt) {
	on := f.eval(s.Value)
	l := &loop{isSwitch: true}
	f.loops = append(f.loops, l)
	start, taken := f.env, f.taken(s.Cases, on)
	var out, through *env
	hasDefault := false
	for i, c := range s.Cases {
		hasDefault = hasDefault || len(c.Values) == 0
		f.env, through = through, nil
		if taken < 0 || i == taken {
			f.env = meet(f.env, start.copy())
		}
		if f.env == nil {
			continue
		}
		if len(c.Values) > 0 && f.constants(c) {
			f.clear(s.Value, model.All)
		}
		if f.file.Language == "ruby" && len(c.Values) > 0 {
			f.ofClass(s.Value, c.Values, true)
			start = f.otherwise(start, s.Value, c.Values)
		}
		f.run(c.Body)
		if c.Through {
			through = f.env
		} else {
			out = meet(out, f.env)
		}
	}
	f.loops = f.loops[:len(f.loops)-1]
	f.env = meet(meet(out, through), l.left)
	if taken == len(s.Cases) || taken < 0 && !hasDefault {
		f.env = meet(f.env, start)
	}
}

// taken is the case that a constant takes, or their number where it takes none; -1 where that is not known.
func (f *frame) taken(cases []ir.Case, on *value) int {
	subject, known := on.text()
	if !known {
		return -1
	}
	otherwise := len(cases)
	for i, c := range cases {
		if len(c.Values) == 0 {
			otherwise = i
		}
		for _, x := range c.Values {
			v, ok := f.eval(x).text()
			if !ok {
				return -1
			}
			if v == subject {
				return i
			}
		}
	}
	return otherwise
}

func (f *frame) constants(c ir.Case) bool {
	for _, x := range c.Values {
		if x.Op != ir.Const {
			return false
		}
	}
	return true
}

func (f *frame) try(s *ir.Stmt) {
	before := f.env.copy()
	f.run(s.Body)
	after := f.env
	thrown := meet(before, after)
	for _, c := range s.Cases {
		f.env = thrown.copy()
		f.run(c.Body)
		after = meet(after, f.env)
	}
	if len(s.Else) > 0 {
		dead := after == nil
		if f.env = after; dead {
			f.env = thrown
		}
		f.run(s.Else)
		if after = f.env; dead {
			after = nil
		}
	}
	f.env = after
}
