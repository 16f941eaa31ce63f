package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// What a database holds can do harm in a page only.
var onlyPages = model.All &^ model.KindOf("xss")

var (
	verbs = words(`get post put patch delete`)
	// Classes whose methods Python's frameworks call by the verb of a request, with parts of its address.
	handlers = pattern.New(`(^|\.)(MethodView|Resource|APIView|\w*RequestHandler|BaseHandler|View|\w+View)$`)
	// Parts of an address that are numbers by custom.
	numberName = pattern.New(`(?i)(id|pk|year|month|day|page|num|number|count|limit|offset|size|index)$`)
)

// What such a method may be handed beside them.
var noPart = words(`request req resp response cls context format`)

// verb is the class that a method belongs to which a framework calls for a request, "" for another function.
func (f *frame) verb() string {
	c := f.file.Classes[f.fn.Class]
	if f.file.Language != "python" || c == nil || !verbs[f.fn.Name] {
		return ""
	}
	for _, b := range c.Bases {
		if handlers.MatchString(b) {
			return lastPart(b)
		}
	}
	return ""
}

// handed reports a parameter that holds a part of the address by custom: of a method that is called for a request, or of a view of
// Django's, which stands in a file of views and is called by nobody else.
func (f *frame) handed(i int, p ir.Param) bool {
	if f.file.Language != "python" || i == 0 || p.Rest || noPart[p.Name] || numberName.MatchString(p.Name) ||
		p.Type != "" && !text.MatchString(p.Type) || p.Default != nil && p.Default.Op != ir.Const {
		return false
	}
	if f.fn.Class != "" {
		return f.verb() != ""
	}
	if f.fn.Params[0].Name != "request" || f.fn.Outer != nil && f.fn.Outer.Outer != nil || !f.exposed() {
		return false
	}
	name := path.Base(f.file.Path)
	if name != "views.py" && path.Base(path.Dir(f.file.Path)) != "views" {
		return false
	}
	return f.imports("django")
}

// telling are names of methods that say so much that another of the same name is not to be expected.
var telling = pattern.New(`^[a-z]+(_[a-z0-9]+)+$|^[a-z]+([A-Z][a-z0-9]+)+$`)

// onlyMethod is the method of Python that a call on a thing of unknown class enters: the only one of a telling name, which takes as
// many arguments.
func (f *frame) onlyMethod(c *call, callee *ir.Expr) *graph.Symbol {
	all := f.e.methods[classAt{"python", callee.Text}]
	if f.file.Language != "python" || len(all) != 1 || !telling.MatchString(callee.Text) {
		return nil
	}
	head := callee.Args[0]
	for len(head.Args) > 0 && (head.Op == ir.Member || head.Op == ir.Call || head.Op == ir.Index) {
		head = head.Args[0]
	}
	if _, imported := f.file.Imports[head.Text]; imported && head == callee.Args[0] { // of a module
		return nil
	}
	fn := f.e.functions[all[0]]
	if fn == nil {
		return nil
	}
	most, least := 0, 0
	for i, p := range fn.Params {
		switch {
		case i == 0 && explicitSelf(fn):
		case p.Rest:
			most = maxItems
		default:
			if most++; p.Default == nil {
				least++
			}
		}
	}
	if len(c.args) < least || len(c.args) > most {
		return nil
	}
	return all[0]
}

// Calls that have another function run, with the arguments behind it.
var runners = words(`submit add_task run_in_executor to_thread start_new_thread run_in_threadpool run_sync call_soon call_later enqueue`)

// started reads a function that a call has run elsewhere: by a thread, a process or a pool.
func (f *frame) started(c *call) {
	if f.file.Language != "python" {
		return
	}
	var fn *ir.Func
	args := []*value{}
	for i, a := range c.args {
		switch n := c.names[i]; {
		case fn == nil && (n == "target" || n == "" && runners[c.short]):
			for _, one := range a.closures() {
				if one.outermost() {
					fn = one.fn
				}
			}
		case n == "args" && a != nil && a.isList:
			args = append(args, a.list...)
		case n == "" && fn != nil && runners[c.short]:
			args = append(args, a)
		}
	}
	if fn == nil || fn.Class != "" || len(args) == 0 {
		return
	}
	f.apply(&call{x: c.x, full: fn.Name, short: fn.Name, args: args, names: make([]string, len(args))}, fn, f.e.summarize(fn))
}

// Things of Flask that one function puts values into for another.
var sharedThings = words(`flask.g flask.session`)

// share notes what such a thing is given under a name. What a session keeps was looked up before: it is a name of somebody.
func (f *frame) share(target *ir.Expr, name string, v *value) {
	if f.file.Language != "python" || len(v.taint()) == 0 {
		return
	}
	if thing := f.eval(target.Args[0]).name(); sharedThings[thing] {
		if thing == "flask.session" {
			v = v.cleaned(model.KindOf("path") | model.KindOf("ssrf") | model.KindOf("redirect") | model.KindOf("command"))
		}
		f.e.learnField(thing, name, v)
	}
}

// shared is what another function put into such a thing.
func (f *frame) shared(on *value, name string) *value {
	if f.file.Language != "python" || !sharedThings[on.name()] {
		return nil
	}
	return f.e.fields[on.name()][name]
}

// dictOfPairs is what Python's dict makes of a list of keys and values; nil for another call.
func (f *frame) dictOfPairs(c *call) *value {
	if c.full != "dict" || f.file.Language != "python" || len(c.args) != 1 || c.args[0] == nil {
		return nil
	}
	pairs := c.args[0].list
	if !c.args[0].isList {
		pairs = []*value{c.args[0].rest}
	}
	v := &value{fields: map[string]*value{}}
	for _, pair := range pairs {
		if pair == nil || !pair.isList || len(pair.list) != 2 {
			return nil
		}
		v = v.put(pair.list[0], pair.list[1])
	}
	return v
}

// record is an instance of a class of the codebase that has no constructor of its own, as a data class or a model has none, and is
// given its fields by their names; nil for another call.
func (f *frame) record(c *call) *value {
	if f.file.Language != "python" || len(c.args) == 0 || len(f.e.classes[classAt{"python", lastPart(c.full)}]) == 0 {
		return nil
	}
	v := &value{full: c.full + "()", fields: map[string]*value{}}
	for i, n := range c.names {
		if n == "" || c.x.Args[i+1].Op == ir.Spread {
			return nil
		}
		v = v.put(constant(ir.Text, n), c.args[i])
	}
	return v
}

// serves reports a function of a file of a web application that may be called with what a request brought, as far as it hands its own
// parameters to one that puts them into a statement.
func (f *frame) serves(kind model.Kinds) bool {
	return f.file.Language == "python" && kind.String() == "sql" && f.imports("flask", "django", "fastapi", "connexion", "bottle", "tornado")
}

func (f *frame) imports(packages ...string) bool {
	for _, full := range f.file.Imports {
		if head, _, _ := strings.Cut(full, "."); slices.Contains(packages, head) {
			return true
		}
	}
	return false
}

// isBody reports a parameter of which FastAPI reads the fields out of the request's body.
func (f *frame) isBody(p ir.Param) bool {
	if f.file.Language != "python" || p.Default != nil && p.Default.Op == ir.Call && lastPart(callName(p.Default)) == "Depends" {
		return false
	}
	found := false
	f.lineage(p.Type, 0, func(c *ir.Class) {
		for _, b := range c.Bases {
			found = found || lastPart(b) == "BaseModel" || lastPart(b) == "SQLModel"
		}
	})
	return found
}

// isNumber reports a field of such a parameter that holds no text.
func (f *frame) isNumber(on *value, field string) bool {
	if f.file.Language != "python" || on.full == "" || len(on.labels) == 0 {
		return false
	}
	found := false
	f.lineage(on.full, 0, func(c *ir.Class) { found = found || harmlessType(c.Fields[field]) })
	return found
}

// lineage visits the class of a type, and those that it builds on.
func (f *frame) lineage(of string, depth int, visit func(*ir.Class)) {
	all := f.e.classes[classAt{f.file.Language, lastPart(of)}]
	if len(all) != 1 || depth > maxNested {
		return
	}
	c := f.e.byPath[all[0].File].Classes[all[0].Name]
	if c == nil {
		return
	}
	visit(c)
	for _, b := range c.Bases {
		f.lineage(b, depth+1, visit)
	}
}
