package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// bare is what a name of Ruby's gives that is no variable: a method that is called without arguments, or a field.
func (f *frame) bare(x *ir.Expr) (v *value, ok bool) {
	if f.file.Language != "ruby" || x.Text == "" || x.Text[0] < 'a' || x.Text[0] > 'z' || f.isThis(x) || f.table.Source(x.Text) {
		return nil, false
	}
	if _, known := f.env.get(x.Text); known {
		return nil, false
	}
	if f.fieldType(x.Text) != "" {
		self := &ir.Expr{Op: ir.Name, Text: "self", Node: x.Node}
		return f.member(&ir.Expr{Op: ir.Member, Text: x.Text, Args: []*ir.Expr{self}, Node: x.Node}, f.eval(self), x.Text), true
	}
	bare := &ir.Expr{Op: ir.Call, Args: []*ir.Expr{x}, Names: []string{""}, Node: x.Node}
	return f.resolved(&call{x: bare, full: x.Text, short: x.Text}, nil)
}

// yielded reads the blocks that a method is handed, with what it yields to them.
func (f *frame) yielded(c *call, fn *ir.Func, s *summary) {
	if len(s.yields) == 0 {
		return
	}
	for _, a := range c.args {
		for _, block := range a.closures() {
			given, at := f.bound(c, fn), f.step(c.x)
			var args []*value
			for _, v := range s.yields {
				args = append(args, v.replace(fn, given, at, 0))
			}
			f.closureGiven(block, args)
		}
	}
}

// isRoute reports a call that hands a block to Sinatra, which calls it for a request: get "/users/:id" do |id| ... end.
func (f *frame) isRoute(c *call) bool {
	path, ok := c.first().text()
	return f.file.Language == "ruby" && c.x.Args[0].Op == ir.Name && routes[c.short] && ok && strings.HasPrefix(path, "/")
}

var routes = words(`get post put patch delete`)

// route reads such a block: its parameters are parts of the address, and its result is a page.
func (f *frame) route(block *closure) {
	f.inlineGiven(block, func(g *frame) map[int]*value {
		g.page = true
		given := map[int]*value{}
		for i, p := range block.fn.Params {
			given[i] = g.entered(p)
		}
		return given
	})
}

// Methods of lists whose blocks are given an item and its number, or what was made so far.
var indexed = words(`each_with_index map_with_index each_with_object inject reduce sort max_by min_by`)
