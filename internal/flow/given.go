package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// given are the names of a call by what it is given: constants, names, and the methods that a block calls.
func (f *frame) given(c *call) []string {
	if !f.table.Given(c.full) || len(c.args) == 0 || c.x.Op == ir.New {
		return nil
	}
	list := []string{c.full + "(*)"}
	add := func(what string) {
		if what != "" && len(what) < 40 {
			list = append(list, c.full+"("+what+")")
		}
	}
	for _, a := range c.args {
		if s, ok := a.text(); ok {
			s, _, _ = strings.Cut(s, ";")
			add(s)
		} else {
			for _, one := range strings.Split(a.name(), "|") {
				add(one)
			}
		}
		for _, fn := range a.closures() {
			if len(fn.fn.Body) == 1 {
				for x := fn.fn.Body[0].Value; x != nil && len(x.Args) > 0; x = x.Args[0] {
					add(x.Text)
				}
			}
		}
	}
	return list
}
