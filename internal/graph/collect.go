package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// collector takes the facts of one file out of its tree, in one walk.
type collector struct {
	*grammar
	lang  string // the family's
	facts *facts
	open  []scope
	seen  map[ref]bool
	// chains are those of the references so far.
	chains map[string]string
}

// scope is a definition that the walk is in.
type scope struct {
	symbol int32
	end    int
	inside bool // of a function
}

func collect(name string, tree *syntax.Tree) *facts {
	g := grammarOf(name)
	c := &collector{grammar: g, lang: language.Family(name), facts: &facts{Broken: tree.HasError() || tree.Truncated()}, seen: map[ref]bool{},
		chains: map[string]string{}}
	tree.Root().Walk(c.visit)
	c.dropLocals()
	return c.facts
}

// in is the innermost definition around the walk, -1 for none; inFunction the innermost function.
func (c *collector) in() int32 {
	if len(c.open) == 0 {
		return -1
	}
	return c.open[len(c.open)-1].symbol
}

func (c *collector) inFunction() bool { return len(c.open) > 0 && c.open[len(c.open)-1].inside }

func (c *collector) visit(n syntax.Node) bool {
	if !n.Named() {
		return false
	}
	for len(c.open) > 0 && c.open[len(c.open)-1].end <= n.Start() {
		c.open = c.open[:len(c.open)-1]
	}
	r, ok := c.table[n.Kind()]
	if !ok {
		return true
	}
	if r.hook != nil && !r.hook(c, n) {
		return false
	}
	switch r.does {
	case defines:
		c.defineNode(n, r)
	case callee, invokes:
		c.call(n, r)
	case makes:
		if s := c.value(n); s != "" && r.b != "cast" {
			c.use(strings.TrimSuffix(s, "()"), Calls, n, c.count(n))
		}
	case members, paths, names:
		return c.read(n, r)
	case assigns:
		c.assign(n, r)
	case takes:
		c.bindNames(n.ChildByField(r.a), c.typeOf(n.ChildByField(r.c), 6))
		if !n.ChildByField(r.a).Valid() && r.a == "" {
			c.bindNames(n, "")
		}
	case opens:
		c.open = append(c.open, scope{c.in(), n.End(), true})
	case ignores, literals:
		return r.does == literals
	}
	return true
}

// defineNode adds a symbol and opens its scope.
func (c *collector) defineNode(n syntax.Node, r rule) {
	name := ""
	if r.named != nil {
		name = r.named(c, n)
	} else {
		name = c.nameText(n.ChildByField(r.a))
	}
	if name == "" {
		return
	}
	c.add(n, name, r.kind, c.typeOf(n.ChildByField(r.b), 6), true)
}

// add adds a symbol and, for one that has a scope, opens it.
func (c *collector) add(n syntax.Node, name string, kind Kind, value string, opens bool) *symbol {
	if len(c.facts.Symbols) >= maxSymbols {
		return nil
	}
	parent := c.in()
	if kind == KindFunction && parent >= 0 && c.facts.Symbols[parent].Kind.holder() {
		kind = KindMethod
	}
	whole := n
	if p := n.Parent(); p.Is("decorated_definition", "export_statement", "type_declaration", "lexical_declaration") && p.Line() <= n.Line() {
		whole = p
	}
	s := symbol{Name: name, Kind: kind, Parent: parent, Line: int32(n.Line()), End: int32(n.EndLine()), Value: value,
		Signature: cut(head(n)), Doc: docBefore(whole)}
	i := int32(len(c.facts.Symbols))
	c.facts.Symbols = append(c.facts.Symbols, s)
	if opens {
		c.open = append(c.open, scope{i, n.End(), kind.callable() || c.inFunction()})
	}
	if c.define != nil {
		c.define(c, n, &c.facts.Symbols[i])
	}
	return &c.facts.Symbols[i]
}

// head is as much of a node's text as a first line needs.
func head(n syntax.Node) string {
	return strings.ToValidUTF8(string(n.Tree().Source()[n.Start():min(n.End(), n.Start()+2*maxText)]), "")
}

// docBefore is the first line of the comment that ends on the line before a node.
func docBefore(n syntax.Node) string {
	first := syntax.Node{}
	line := n.Line()
	for p := n.PrevSibling(); p.Valid() && p.IsComment() && p.EndLine() >= line-1; p = p.PrevSibling() {
		if before := p.PrevSibling(); before.Valid() && before.EndLine() == p.Line() && !before.IsComment() {
			break // it stands behind something else
		}
		first, line = p, p.Line()
	}
	if !first.Valid() {
		return ""
	}
	for line := range strings.Lines(head(first)) {
		if line = strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "/*#!")); line != "" {
			return cut(line)
		}
	}
	return ""
}

// call records a call. What is called is not visited as a use again: see read.
func (c *collector) call(n syntax.Node, r rule) {
	s := strings.TrimSuffix(c.chainOf(n, 8), "()")
	if s == unknown || s == super {
		return
	}
	c.use(s, Calls, n, c.count(n))
}

// count is the number of a call's arguments.
func (c *collector) count(n syntax.Node) int {
	args := n.ChildByField("arguments")
	if !args.Valid() {
		return 0
	}
	return args.NumNamed()
}

// read records a use that is no call, and says whether to look at what is inside.
func (c *collector) read(n syntax.Node, r rule) bool {
	if r.a == "member" { // only a part of something else
		return false
	}
	p := n.Parent()
	up, known := c.table[p.Kind()]
	field := n.Field()
	if known {
		switch {
		case field != "" && (field == up.skip || up.does == defines && field == "name"):
			return false
		case up.does == callee && field == up.a, up.does == makes && field == up.a && up.b != "cast",
			up.does == invokes && (field == up.b || field == up.a && r.does != members),
			up.does == members && (field == up.b || field == up.a):
			return r.does == members // a part of a longer chain; calls within it count
		case up.does == takes && field == up.a && r.does == names:
			return false
		}
	}
	if s := c.chainOf(n, 8); s != unknown {
		c.use(s, Reads, n, 0)
	}
	return r.does == members
}

func (c *collector) use(chain string, role Role, n syntax.Node, args int) {
	if len(chain) > maxChain || len(c.facts.Refs) >= maxRefs || chain == "" || chain[0] == literal[0] ||
		chain[0] == '@' && !strings.Contains(chain, ".") {
		return
	}
	if known, ok := c.chains[chain]; ok {
		chain = known // one text for all
	} else {
		c.chains[chain] = chain
	}
	r := ref{Chain: chain, Role: uint8(role), Line: int32(nameLine(n)), In: c.in(), Args: int16(min(args, 100))}
	if !c.seen[r] {
		c.seen[r] = true
		c.facts.Refs = append(c.facts.Refs, r)
	}
}

// nameLine is the line of the name that is called: a chain of calls may go over many lines.
func nameLine(n syntax.Node) int {
	for _, field := range []string{"function", "name", "method", "property", "attribute", "field"} {
		if f := n.ChildByField(field); f.Valid() {
			if field == "function" {
				return nameLine(f)
			}
			return f.Line()
		}
	}
	return n.Line()
}

// assign binds the names on the left of an assignment.
func (c *collector) assign(n syntax.Node, r rule) {
	left, right := n.ChildByField(r.a), n.ChildByField(r.b)
	chain := c.typeOf(n.ChildByField(r.c), 6)
	if chain == "" {
		if right.Kind() == "expression_list" {
			right = right.NamedChild(0)
		}
		chain = c.value(right)
	}
	c.bindTo(left, chain, n)
}

// bindTo binds a name, the first of several, or a field of this.
func (c *collector) bindTo(left syntax.Node, chain string, n syntax.Node) {
	lr := c.table[left.Kind()]
	switch {
	case !left.Valid():
	case lr.does == names || lr.does == through && left.NumNamed() == 1 && c.table[left.NamedChild(0).Kind()].does == names:
		name := c.nameText(left)
		if name == "" {
			return
		}
		if strings.HasPrefix(name, "@") { // Ruby's instance variables
			c.field(strings.TrimLeft(name, "@"), chain)
			return
		}
		if c.inFunction() {
			c.bind(name, chain)
		} else if c.variables {
			c.variable(n, name, chain)
		}
	case lr.does == members:
		if c.memberBinds && c.chainOf(left.ChildByField(lr.a), 3) == this || c.firstParameter(left, lr) {
			c.field(c.nameText(left.ChildByField(lr.b)), chain)
		}
	case left.Is("expression_list", "pattern_list", "tuple_pattern", "array_pattern", "object_pattern", "left_assignment_list"):
		for i, e := range left.Elements() {
			if i > 0 || lr.does == 0 && !left.Is("expression_list") {
				chain = ""
			}
			c.bindTo(e, chain, n)
		}
	default:
		c.bindNames(left, "")
	}
}

// firstParameter reports a member of Python's self.
func (c *collector) firstParameter(left syntax.Node, r rule) bool {
	if c.lang != "python" {
		return false
	}
	object := c.chainOf(left.ChildByField(r.a), 2)
	return object == "self" || object == "cls"
}

// field binds a name in the innermost class.
func (c *collector) field(name, chain string) {
	for i := len(c.open) - 1; i >= 0 && name != ""; i-- {
		if in := c.open[i].symbol; in >= 0 && c.facts.Symbols[in].Kind.holder() {
			c.bindIn(name, chain, in) // a field may be called as its type is
			return
		}
	}
}

// variable makes a symbol of an assignment outside of functions.
func (c *collector) variable(n syntax.Node, name, chain string) {
	parent := c.in()
	for i := len(c.facts.Symbols) - 1; i >= 0 && i >= len(c.facts.Symbols)-400; i-- {
		if s := &c.facts.Symbols[i]; s.Name == name && s.Parent == parent {
			return // it is assigned to again
		}
	}
	kind := KindVariable
	if name == strings.ToUpper(name) && strings.ToLower(name) != name {
		kind = KindConstant
	}
	c.add(n, name, kind, chain, false)
}

// bindNames binds every name in a pattern; the chain belongs to a pattern that is one name.
func (c *collector) bindNames(n syntax.Node, chain string) {
	if !n.Valid() {
		return
	}
	if c.table[n.Kind()].does == names {
		if name := c.nameText(n); name != "" {
			c.bind(name, chain)
		}
		return
	}
	for child := range n.NamedChildren() {
		if f := child.Field(); f == "value" || f == "type" || f == "default_value" || f == "right" || f == "attribute" {
			continue
		}
		if n.NumNamed() > 1 {
			chain = ""
		}
		c.bindNames(child, chain)
	}
}

// bind binds a local name. Those of a function without a name are the function's around it, and nobody's outside of all.
func (c *collector) bind(name, chain string) {
	if in := c.in(); in >= 0 && (c.facts.Symbols[in].Kind.callable() || !c.inFunction()) && chain != name+"()" {
		c.bindIn(name, chain, in)
	}
}

func (c *collector) bindIn(name, chain string, in int32) {
	if in >= 0 && len(c.facts.Binds) < maxRefs {
		c.facts.Binds = append(c.facts.Binds, bind{name, chain, in})
	}
}

// bring records an import.
func (c *collector) bring(n syntax.Node, module, name, as string, export bool) {
	if module == "" || len(module) > maxText || len(c.facts.Imports) >= maxSymbols {
		return
	}
	in := int32(-1)
	if c.inFunction() {
		in = c.in()
	}
	c.facts.Imports = append(c.facts.Imports, bring{module, name, as, int32(n.Line()), in, export})
}

// dropLocals leaves out what can lead nowhere: reads of local names that hold nothing known.
func (c *collector) dropLocals() {
	type key struct {
		name string
		in   int32
	}
	known := map[key]bool{}
	for _, b := range c.facts.Binds {
		k := key{b.Name, b.In}
		known[k] = known[k] || b.Chain != ""
	}
	kept := c.facts.Refs[:0]
	for _, r := range c.facts.Refs {
		first, _, more := strings.Cut(r.Chain, ".")
		opaque := false
		for in := r.In; in >= 0; in = c.facts.Symbols[in].Parent {
			if !c.facts.Symbols[in].Kind.callable() {
				continue
			}
			if has, bound := known[key{first, in}]; bound {
				opaque = Role(r.Role) != Calls && (!has || !more)
				break
			}
		}
		if !opaque {
			kept = append(kept, r)
		}
	}
	c.facts.Refs = kept
}
