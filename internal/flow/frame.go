package flow

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
)

// frame is a function that is being read.
type frame struct {
	e     *engine
	fn    *ir.Func
	file  *ir.File
	table *model.Table
	sum   *summary
	env   *env // nil where nobody comes
	loops []*loop
	depth int  // of closures that are read where they are called
	page  bool // what it returns is sent as a page
}

// loop collects what holds where a loop or switch is left or goes on.
type loop struct {
	left, again *env
	isSwitch    bool
}

// summary is what callers need to know of a function.
type summary struct {
	done    bool
	result  *value
	sinks   []reach
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

func (f *frame) assign(s *ir.Stmt) {
	v := f.eval(s.Value)
	if s.Text != "" { // augmented
		old := f.eval(s.Target)
		v = f.binary(s.Text, old, v)
	}
	if s.Type != "" {
		v = f.typed(v, s.Type)
	}
	if f.file.Language == "php" && s.Text == "." && s.Target.Op == ir.Name && page.MatchString(s.Target.Text) &&
		strings.Contains(v.literal(), "<") {
		sink := model.Sink{Kind: model.KindOf("xss")}
		f.harm(sink, hitKey{sink.Kind, f.file, s.Value.Node}, s.Target.Text, v, nil, s.Value)
	}
	f.set(s.Target, v)
}

// page is what the text of a page is kept in.
var page = regexp.MustCompile(`(?i)html|output|content|body|page|markup`)

// typed is a value as one of a declared type.
func (f *frame) typed(v *value, t string) *value {
	switch {
	case harmlessType(t):
		if v.known() {
			return v
		}
		return &value{clean: true}
	case f.file.Language == "java" || f.file.Language == "go" || v.name() == "":
		if full := f.typeName(t); full != "" && !ordinaryType(t) {
			return v.named(full)
		}
	}
	return v
}

// typeName is the tables' name of a declared type.
func (f *frame) typeName(t string) string {
	t = strings.TrimLeft(strings.TrimSuffix(t, "?"), "*&?")
	if i := strings.IndexAny(t, "<["); i > 0 {
		t = t[:i]
	}
	head, rest, dotted := strings.Cut(t, ".")
	if full, ok := f.file.Imports[head]; ok && f.file.Language != "java" {
		if dotted {
			return full + "." + rest
		}
		return full
	}
	if f.file.Language == "java" {
		return t[strings.LastIndexByte(t, '.')+1:]
	}
	return t
}

// harmlessType reports a type whose values carry no text.
func harmlessType(t string) bool {
	switch strings.TrimPrefix(t, "java.lang.") {
	case "int", "long", "short", "byte", "float", "double", "boolean", "bool", "Integer", "Long", "Short", "Double", "Float", "Boolean",
		"BigDecimal", "BigInteger", "UUID", "LocalDate", "LocalDateTime", "Instant", "number", "int64", "int32", "uint", "uint64", "uint32",
		"float64", "float32", "Decimal", "uuid.UUID", "datetime", "date", "Number", "Optional[int]", "int | None":
		return true
	}
	return false
}

// ordinaryType reports a type that says nothing of where its values come from.
func ordinaryType(t string) bool {
	switch strings.TrimSuffix(t, "[]") {
	case "String", "Object", "var", "Map", "List", "HashMap", "ArrayList", "string", "any", "error", "str", "dict", "list", "char", "T":
		return true
	}
	return false
}

// set assigns a value to what stands on the left of an assignment.
func (f *frame) set(target *ir.Expr, v *value) {
	if f.env == nil || target == nil {
		return
	}
	switch target.Op {
	case ir.Name:
		if len(v.taint()) > 0 {
			v = v.stepped(f.step(target))
		}
		f.bind(target.Text, v)
	case ir.Same, ir.Spread, ir.Typed:
		f.set(target.Args[0], v)
	case ir.List:
		if f.file.Language == "go" && !v.holds() { // a result and an error
			for i, t := range target.Args {
				if i > 0 && target.Text == "" {
					v = nil
				}
				if target.Text == "" || i > 0 || len(target.Args) == 1 {
					f.set(t, v)
				}
			}
			return
		}
		if target.Text == "range" {
			f.set(target.Args[len(target.Args)-1], v)
			return
		}
		for i, t := range target.Args {
			if t.Op == ir.Spread {
				f.set(t.Args[0], v.contents())
				continue
			}
			f.set(t, v.item(constant(ir.Number, itoa(i))))
		}
	case ir.Map:
		for i, t := range target.Args {
			if t.Op == ir.Spread || target.Names[i] == "" {
				f.set(t, v)
				continue
			}
			f.set(t, f.member(target, v, target.Names[i]))
		}
	case ir.Set: // a default: { a = 1 }
		f.set(target.Args[0], join(v, f.eval(target.Args[1])))
	case ir.Member:
		f.sinkOfAssignment(target, v)
		f.put(target.Args[0], constant(ir.Text, target.Text), v, 0)
	case ir.Index:
		var key *value
		if len(target.Args) > 1 {
			key = f.eval(target.Args[1])
		}
		f.sinkOfAssignment(target, v)
		f.put(target.Args[0], key, v, 0)
	}
}

// put stores a value under a key of what on names.
func (f *frame) put(on *ir.Expr, key, v *value, depth int) {
	if depth > maxFields || f.env == nil {
		return
	}
	old := f.eval(on)
	if k, ok := key.text(); ok {
		f.effect(old, "."+k, v)
		f.learn(on, k, v)
	} else {
		f.effect(old, "", v)
	}
	now := old.put(key, v)
	switch on.Op {
	case ir.Name:
		f.bind(on.Text, now)
	case ir.Member:
		f.put(on.Args[0], constant(ir.Text, on.Text), now, depth+1)
	case ir.Index:
		if len(on.Args) > 1 {
			f.put(on.Args[0], f.eval(on.Args[1]), now, depth+1)
		}
	case ir.Same, ir.Typed:
		f.put(on.Args[0], key, v, depth+1)
	}
}

// bind gives a variable a value, in the function that declares it.
func (f *frame) bind(name string, v *value) {
	f.env.set(name, v)
	for k := range f.env.vars { // what was checked of it was another value
		if k[0] == '?' && strings.HasPrefix(k[1:], name) {
			delete(f.env.vars, k)
		}
	}
}

// effect notes that a function puts a value into one of its parameters.
func (f *frame) effect(on *value, under string, v *value) {
	if on == nil || v == nil || len(v.taint()) == 0 || f.sum.effects == nil {
		return
	}
	for _, l := range on.labels {
		if l.source != nil || l.fn != f.fn {
			continue
		}
		k := itoa(l.param) + l.fields + under
		f.sum.effects[k] = joined(f.sum.effects[k], v, 0)
	}
}

// learn notes what the fields of a class are given anywhere.
func (f *frame) learn(on *ir.Expr, field string, v *value) {
	if f.fn.Class == "" || !f.isThis(on) {
		return
	}
	f.e.learnField(f.fn.Class, field, v)
}

func (e *engine) learnField(class, field string, v *value) {
	var labels []label
	for _, l := range v.taint() {
		if l.source != nil {
			labels = append(labels, l)
		}
	}
	if len(labels) == 0 {
		return
	}
	fields := e.fields[class]
	if fields == nil {
		fields = map[string]*value{}
		e.fields[class] = fields
	}
	if before := fields[field]; before == nil || len(merge(before.labels, labels)) > len(before.labels) {
		fields[field] = joined(before, carrying(labels), 0)
		e.learned = true
	}
}

// isThis reports the instance that a method belongs to.
func (f *frame) isThis(x *ir.Expr) bool {
	if x.Op != ir.Name {
		return false
	}
	switch x.Text {
	case "this", "$this", "@self":
		return true
	case "self", "cls":
		return f.file.Language == "python" || f.file.Language == "ruby"
	}
	return len(f.fn.Params) > 0 && f.file.Language == "go" && f.fn.Class != "" && x.Text == f.fn.Params[0].Name
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
	over := f.eval(s.Value)
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
