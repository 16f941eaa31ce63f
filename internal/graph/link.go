package graph

import (
	"path"
	"strings"
)

// pkg is what holds names beyond one file: a directory of Go or Python, a namespace of Java or PHP.
type pkg struct {
	name  string // the directory or namespace
	files []int32
	names map[string]int32 // the outermost symbols; code's before tests'
	subs  map[string]int32 // packages and files below it, by name: the former as they are, the latter as -1-file
}

// link makes symbols and tables of all files' facts. Nothing is resolved by it.
func (g *Graph) link() {
	g.byName, g.members = map[string][]int32{}, map[member][]int32{}
	g.byPkg, g.bySuffix = map[string]int32{}, map[string][]int32{}
	n := 0
	for i := range g.files {
		g.files[i].first = int32(n)
		n += len(g.files[i].facts.Symbols)
	}
	g.symbols = make([]Symbol, 0, n)
	g.readRoots()
	for i := range g.files {
		g.linkFile(int32(i))
	}
	for i := range g.files {
		g.place(int32(i))
	}
	g.own()
}

// linkFile makes the symbols and local tables of one file.
func (g *Graph) linkFile(i int32) {
	f := &g.files[i]
	f.top, f.scope, f.binds, f.exports = map[string]int32{}, map[scoped]int32{}, map[scoped]int32{}, map[string][]int32{}
	for k := range f.facts.Symbols {
		s := &f.facts.Symbols[k]
		id := int32(len(g.symbols))
		out := Symbol{Name: s.Name, Qualified: s.Name, Kind: s.Kind, File: f.path, Line: int(s.Line), EndLine: int(s.End), Signature: s.Signature,
			Doc: s.Doc, Exported: s.Exported, id: id, file: i, parent: -1, in: -1, facts: s}
		if s.Parent >= 0 {
			out.in = f.first + s.Parent
			out.parent = out.in
			out.Parent = g.symbols[out.in].Qualified
			out.Qualified = out.Parent + "." + s.Name
		} else if s.Owner != "" {
			out.Parent = s.Owner
			out.Qualified = s.Owner + "." + s.Name
		}
		if len(out.Qualified) > maxText {
			out.Qualified = s.Name
		}
		g.symbols = append(g.symbols, out)
		if s.Parent < 0 && s.Owner == "" {
			if old, ok := f.top[s.Name]; !ok || !s.Declared || g.symbols[old].facts.Declared {
				f.top[s.Name] = id
			}
		}
		key := f.family + "\x00" + s.Name
		g.byName[key] = append(g.byName[key], id)
		if s.Parent >= 0 {
			g.join(member{out.in, s.Name}, id)
		}
	}
	for k, b := range f.facts.Imports {
		name := b.As
		if name == "" && f.family == "python" && b.Name == "" {
			name, _, _ = strings.Cut(b.Module, ".")
		}
		if name == "" && f.family == "go" && b.Name == "" {
			name = g.goName(b.Module)
		}
		switch {
		case b.Name == "*":
			f.stars = append(f.stars, int32(k))
		case name != "":
			if b.Module != self {
				f.scope[scoped{b.In, name}] = int32(k)
			}
			if b.Export {
				f.exports[name] = append(f.exports[name], int32(k))
			}
		}
	}
	for k, b := range f.facts.Binds {
		key := scoped{b.In, b.Name}
		if old, ok := f.binds[key]; !ok || f.facts.Binds[old].Chain == "" || f.facts.Binds[old].Chain == literal {
			f.binds[key] = int32(k)
		}
	}
}

// join adds a member. The first of a name stands for all: a definition before what only declares it, and in Python the last
// definition, which replaces the others.
func (g *Graph) join(key member, id int32) {
	s, list := g.symbols[id].facts, g.members[key]
	if len(list) > 0 && !s.Declared && !s.Adds {
		first := &g.symbols[list[0]]
		if first.facts.Declared || first.Kind.callable() && s.Kind.callable() && g.files[first.file].family == "python" {
			list[0], id = id, list[0]
		}
	}
	g.members[key] = append(list, id)
}

// place puts a file into its package.
func (g *Graph) place(i int32) {
	f := &g.files[i]
	f.pkg = -1
	dir := path.Dir(f.path)
	switch f.family {
	case "go":
		name := f.facts.Package
		external := f.test && strings.HasSuffix(name, "_test")
		if external {
			dir += "\x00test" // tests from outside see the package as others do
		}
		f.pkg = g.pkg("go", dir)
	case "python":
		f.pkg = g.pkg("python", dir)
		g.sub("python", dir, stem(f.path), -1-i)
	case "java":
		f.pkg = g.pkg("java", f.facts.Package)
	case "php":
		f.pkg = g.pkg("php", f.facts.Package)
	case "c":
		base := path.Base(f.path)
		g.bySuffix[base] = append(g.bySuffix[base], i)
		return
	default:
		return
	}
	p := &g.packages[f.pkg]
	p.files = append(p.files, i)
	for name, id := range f.top {
		if old, ok := p.names[name]; !ok || g.files[g.symbols[old].file].test && !f.test {
			p.names[name] = id
		}
	}
}

// pkg gives the package of a name, and makes it and those above it if they are new.
func (g *Graph) pkg(family, name string) int32 {
	key := family + "\x00" + name
	if id, ok := g.byPkg[key]; ok {
		return id
	}
	id := int32(len(g.packages))
	g.byPkg[key] = id
	g.packages = append(g.packages, pkg{name: name, names: map[string]int32{}, subs: map[string]int32{}})
	separator := map[string]string{"java": ".", "php": `\`}[family]
	if separator == "" {
		separator = "/"
	}
	if cut := strings.LastIndex(name, separator); cut > 0 {
		g.sub(family, name[:cut], name[cut+1:], id)
	} else if name != "." && name != "" && separator != "/" {
		g.sub(family, "", name, id)
	} else if name != "." && separator == "/" && name != "" {
		g.sub(family, ".", name, id)
	}
	return id
}

// sub puts something below a package. A package comes before a file of the same name.
func (g *Graph) sub(family, above, name string, id int32) {
	p := g.pkg(family, above)
	if old, ok := g.packages[p].subs[name]; !ok || old < 0 {
		g.packages[p].subs[name] = id
	}
}

// own finds the types that methods belong to which stand elsewhere.
func (g *Graph) own() {
	for id := range g.symbols {
		s := &g.symbols[id]
		if s.facts.Owner == "" {
			continue
		}
		f := &g.files[s.file]
		owner, ok := f.top[s.facts.Owner]
		if !ok && f.pkg >= 0 {
			owner, ok = g.packages[f.pkg].names[s.facts.Owner]
			if !ok && strings.HasSuffix(g.packages[f.pkg].name, "\x00test") {
				continue
			}
		}
		if ok {
			s.parent = owner
			g.join(member{owner, s.Name}, int32(id))
		}
	}
	g.reopen()
}

// reopen joins Ruby's classes and modules that are opened more than once: all members belong to the one that says what it
// builds on, or else has the most of them.
func (g *Graph) reopen() {
	g.opened = map[int32]int32{}
	main := map[string]int32{}
	weight := func(id int32) int {
		n := 1000 * len(g.symbols[id].facts.Bases)
		return n + g.symbols[id].EndLine - g.symbols[id].Line
	}
	for id := range g.symbols {
		if s := &g.symbols[id]; g.files[s.file].family == "ruby" && s.Kind.holder() {
			if one, ok := main[s.Qualified]; !ok || weight(int32(id)) > weight(one) {
				main[s.Qualified] = int32(id)
			}
		}
	}
	for id := range g.symbols {
		s := &g.symbols[id]
		if g.files[s.file].family != "ruby" {
			continue
		}
		if one := main[s.Qualified]; s.Kind.holder() && one != int32(id) {
			g.opened[int32(id)] = one
		}
		if s.in < 0 || !g.symbols[s.in].Kind.holder() {
			continue
		}
		if one := main[g.symbols[s.in].Qualified]; one != s.in {
			s.parent = one
			g.join(member{one, s.Name}, int32(id))
		}
	}
}
