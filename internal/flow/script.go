package flow

import (
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// What JavaScript and TypeScript do in ways of their own: promises, handlers that are known by the names of their parameters, and
// methods of objects that no class declares.
var scripts = words(`javascript typescript tsx`)

// settles is the name of the function with which a promise is given its value.
const settles = "Promise.settle"

// promised reads what a promise is made by, and gives what it settles with.
func (f *frame) promised(c *call) *value {
	before := f.sum.yields
	f.sum.yields = nil
	for _, fn := range c.first().closures() {
		f.closureGiven(fn, []*value{{full: settles}, {full: "Promise.reject"}})
	}
	v := f.settled()
	f.sum.yields = before
	return v
}

// settled is what the promise at hand was given so far.
func (f *frame) settled() *value {
	if len(f.sum.yields) == 0 {
		return nil
	}
	return f.sum.yields[0]
}

// Members of Node's requests that are the address as it was sent.
var requested = words(`url originalUrl`)

// sent is what a loop goes over at x: of a request of Node's, the parts of its body.
func (f *frame) sent(x *ir.Expr, over *value) *value {
	if scripts[f.file.Language] && over.name() == "express.Request" && over.fields == nil {
		return &value{rest: f.source(x, "http.Chunk")}
	}
	return over
}

// calledWith is what a library calls a function with, unless the names of its parameters tell of another framework, or their number of
// an error that stands before them.
func (f *frame) calledWith(c *call, fn *ir.Func, types []string) []*value {
	var given []*value
	for i, name := range types {
		switch {
		case len(types) == 2 && len(fn.Params) == 4, i < len(fn.Params) && f.table.Named(fn.Params[i].Name) != "":
			given = append(given, nil)
		case f.table.Source(name):
			given = append(given, f.source(c.x, name))
		default:
			given = append(given, &value{full: name})
		}
	}
	return given
}

// under is what a map holds under a constant key.
func (v *value) under(key string) *value {
	if v == nil {
		return nil
	}
	return v.fields[key]
}

// ours reports a call of a method that the code graph is sure to be the codebase's own.
func (f *frame) ours(c *call) bool {
	for _, s := range f.e.exact[place{f.file.Path, c.x.Args[0].Node.Line()}] {
		if s.Name == lastPart(c.x.Args[0].Text) {
			return true
		}
	}
	return false
}

// sureCall notes a call of which the code graph is sure.
func (e *engine) sureCall(at place, edge graph.Edge) {
	if edge.Confidence == graph.Exact {
		e.exact[at] = append(e.exact[at], edge.To)
	}
}

// encoded reports an encoding in which a text has nothing but letters, digits and a few signs.
func encoded(v *value) bool {
	s, _ := v.text()
	return s == "hex" || s == "base64" || s == "base64url"
}

// required is what require("./module") gives: what the file exports at its end, nil where it is not known.
func (f *frame) required(module string) *value {
	if !scripts[f.file.Language] || !strings.HasPrefix(module, ".") {
		return nil
	}
	file := f.e.module(path.Join(path.Dir(f.file.Path), module))
	if file == nil || file == f.file {
		return nil
	}
	if f.e.globals[file] == nil && f.e.depth < maxChain {
		f.e.global(file)
	}
	return f.e.exports[file]
}

// export keeps what a file exports.
func (e *engine) export(file *ir.File) {
	if !scripts[file.Language] {
		return
	}
	in := e.globals[file]
	v := in.vars["module"].under("exports")
	if v == nil {
		v = in.vars["exports"]
	}
	e.exports[file] = hoisted(file, v, in, 0)
}

// module is the file that a path of require or import names.
func (e *engine) module(name string) *ir.File {
	for _, end := range []string{"", ".js", ".ts", ".cjs", ".mjs", ".jsx", ".tsx", "/index.js", "/index.ts"} {
		if file := e.byPath[name+end]; file != nil && scripts[file.Language] {
			return file
		}
	}
	return nil
}

// hoisted is an exported value with the functions that the file declares after it names them.
func hoisted(file *ir.File, v *value, in *env, depth int) *value {
	if v == nil || depth > 1 {
		return v
	}
	if v.fields != nil {
		w := *v
		w.fields = map[string]*value{}
		for k, x := range v.fields {
			w.fields[k] = hoisted(file, x, in, depth+1)
		}
		return &w
	}
	if len(v.fns) > 0 || v.full == "" {
		return v
	}
	for _, fn := range file.Funcs[1:] {
		if fn.Name == v.full && fn.Outer == file.Funcs[0] && fn.Class == "" {
			return &value{full: v.full, fns: []*closure{{fn, in}}}
		}
	}
	return v
}

// appended tells the function around a closure what the closure adds to one of its variables: body += chunk.
func (f *frame) appended(s *ir.Stmt, v *value) {
	if s.Text == "" || s.Target.Op != ir.Name || !scripts[f.file.Language] || f.env == nil {
		return
	}
	for at := f.env.outer; at != nil; at = at.outer {
		if old, ok := at.vars[s.Target.Text]; ok {
			at.vars[s.Target.Text] = joined(old, v, 0)
			return
		}
	}
}

// grown tells the function around a closure what the closure puts into one of its containers: list.forEach(x => all.push(x)); false
// where the container is the closure's own.
func (f *frame) grown(name string, now *value) bool {
	if !scripts[f.file.Language] {
		return false
	}
	if _, own := f.env.vars[name]; own {
		return false
	}
	for at := f.env.outer; at != nil; at = at.outer {
		if old, ok := at.vars[name]; ok {
			at.vars[name] = joined(old, now, 0)
			return true
		}
	}
	return false
}

// property reports a function that is kept in an object: this.save = function ..., exports.save = ..., { save: ... }, or a method.
func property(n syntax.Node) bool {
	if n.Is("method_definition") {
		return true
	}
	up := n.Parent()
	return up.Is("pair", "field_definition", "public_field_definition") ||
		up.Is("assignment_expression") && up.ChildByField("left").Is("member_expression")
}

// onlyProperty is the function that a call enters where one object alone in the codebase has a method of that name.
func (f *frame) onlyProperty(c *call) *ir.Func {
	name := c.x.Args[0].Text
	all := f.e.properties[name]
	if len(all) != 1 || len(c.args) == 0 || commonMethod[name] || len(c.args) > len(all[0].Params) {
		return nil
	}
	full := strings.TrimSuffix(c.on.name(), "()")
	root := c.x.Args[0]
	for root.Op == ir.Member {
		root = root.Args[0]
	}
	own := full == "" || full == root.Text || strings.HasPrefix(full, ".") || strings.HasPrefix(full, root.Text+".") ||
		strings.HasPrefix(full, "this") || full[0] >= 'A' && full[0] <= 'Z' && !strings.Contains(full, ".")
	if !own || f.table.Type(full) != "" {
		return nil
	}
	return all[0]
}

// Methods that libraries and the language have, too.
var commonMethod = words(`get set has add find findOne filter map forEach reduce some every push pop shift then catch finally call apply
	bind on once emit off send json end write render redirect status next test exec match replace split join concat slice keys values
	entries sort reverse create update delete remove insert save query execute all run each connect close open start stop use post put
	patch listen log info warn error debug toString valueOf toJSON parse stringify format includes indexOf count length clear load init`)
