// Package flow follows untrusted values through a codebase: from where they enter, through assignments, containers, texts and
// calls, in and across files, to where they do harm.
//
// Files are lowered to one small language (package ir). An abstract interpreter runs each function once over what is known of
// its values, and leaves a summary: what of its parameters comes back, what reaches a sink, what it puts into fields. Calls are
// resolved by the code graph and answered by summaries, as in interprocedural data flow analysis by functional summaries
// (Sharir and Pnueli, 1981). Constants are folded, so that a branch that cannot be taken carries nothing. What libraries do is
// said by tables (package model). Everything is bounded: what a value holds beyond its bounds is known less exactly, and a
// function that costs too much is left, and said.
package flow

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Source is one parsed file.
type Source struct {
	Path     string
	Language string
	Tree     *syntax.Tree
}

// step is a place on a path.
type step struct {
	file string
	node syntax.Node
}

func (s step) line() int { return s.node.Line() }

// Hit is an untrusted value that reaches a place where it does harm.
type Hit struct {
	Kind string // one of model.Names
	File string
	Node syntax.Node // the call or assignment that does the harm
	What string      // the tables' name of it
	// Param says that the value is a parameter of a function that nobody is known to call with an untrusted value.
	Param bool
	Path  []runfile.Step // from where the value enters to the harm, at least two
}

// Reads reports a file in which values are followed, by its path and language: none of tests, whose values come from nobody and do no
// harm.
func Reads(path, language string) bool { return ir.Reads(language) && !codebase.IsTest(path) }

// Result is what was found out.
type Result struct {
	Hits      []Hit            // in the order of their files and places
	Failed    map[string]error // by file: where a function was not followed to its end
	untrusted map[syntax.Node]bool
	trees     map[string]*syntax.Tree // by path, what was read
}

// Untrusted reports a name, a member, an index or a call whose value comes from outside, for one harm or another.
func (r *Result) Untrusted(n syntax.Node) bool { return r != nil && r.untrusted[n] }

// Analyze follows the values of files; g must know them. The only error is ctx's.
func Analyze(ctx context.Context, g *graph.Graph, files []Source) (*Result, error) {
	e := newEngine(ctx, g, files)
	for range maxRounds {
		e.round()
		if !e.learned || ctx.Err() != nil {
			break
		}
	}
	trees := map[string]*syntax.Tree{}
	for _, f := range files {
		trees[f.Path] = f.Tree
	}
	return &Result{Hits: e.hits(), Failed: e.failed, untrusted: e.untrusted, trees: trees}, ctx.Err()
}

// maxRounds bounds how often everything is read again because a field turned out to hold an untrusted value.
const maxRounds = 3

type engine struct {
	ctx        context.Context
	g          *graph.Graph
	files      []*ir.File
	byPath     map[string]*ir.File
	koa        bool // a framework is imported that hands its functions one context
	functions  map[*graph.Symbol]*ir.Func
	symbols    map[*ir.Func]*graph.Symbol
	calls      map[place][]*graph.Symbol    // what is called on a line
	exact      map[place][]*graph.Symbol    // of that, what is sure
	over       map[classKey][]*graph.Symbol // the classes that build on one
	members    map[memberKey][]*graph.Symbol
	classes    map[classAt][]*graph.Symbol
	beside     map[besideKey][]*graph.Symbol // the classes by their folders
	plain      map[memberKey][]*ir.Func      // by file, the functions that belong to no class
	abstract   map[string]bool               // the names of Go's interfaces
	methods    map[classAt][]*graph.Symbol   // of Go and Python, by their names
	goFuncs    map[classAt]*ir.Func          // by package
	properties map[string][]*ir.Func         // of scripts, the functions that objects have, by their names

	summaries  map[*ir.Func]*summary
	variants   map[variant]*summary
	variantsOf map[*ir.Func]int // how many
	globals    map[*ir.File]*env
	exports    map[*ir.File]*value          // of scripts, what require gives
	fields     map[string]map[string]*value // by class, of what its instances hold
	learned    bool                         // a field was found to hold more in this round
	found      map[hitKey]*found
	failed     map[string]error
	untrusted  map[syntax.Node]bool
	inlined    map[*ir.Func]bool // closures that were read where they are called
	entries    map[syntax.Node]*step
	said       map[saying]bool // what was looked for in whole files
	steps      int             // left to the function at hand
	depth      int             // of functions that are being read
}

// saying is a thing that a file's text may hold.
type saying struct {
	file *ir.File
	what string
}

// says tells whether look finds a thing in a file's text, which is looked through for it once.
func (e *engine) says(file *ir.File, what string, look func([]byte) bool) bool {
	at := saying{file, what}
	found, known := e.said[at]
	if !known {
		found = look(file.Funcs[0].Node.Tree().Source())
		e.said[at] = found
	}
	return found
}

type place struct {
	file string
	line int
}

// What a function may cost, in expressions that are read: some, and more for each byte. One function's cost is not another's, so
// that none can use up what others need.
const (
	maxWork        = 10_000
	maxWorkPerByte = 60
	maxChain       = 200 // functions that are read for one another
)

func newEngine(ctx context.Context, g *graph.Graph, files []Source) *engine {
	e := &engine{ctx: ctx, g: g, byPath: map[string]*ir.File{}, functions: map[*graph.Symbol]*ir.Func{},
		symbols: map[*ir.Func]*graph.Symbol{}, calls: map[place][]*graph.Symbol{}, over: map[classKey][]*graph.Symbol{},
		members: map[memberKey][]*graph.Symbol{}, classes: map[classAt][]*graph.Symbol{},
		beside: map[besideKey][]*graph.Symbol{}, plain: map[memberKey][]*ir.Func{},
		abstract: map[string]bool{}, methods: map[classAt][]*graph.Symbol{}, goFuncs: map[classAt]*ir.Func{},
		fields: map[string]map[string]*value{}, exact: map[place][]*graph.Symbol{}, properties: map[string][]*ir.Func{},
		said: map[saying]bool{}}
	for _, f := range files {
		if Reads(f.Path, f.Language) {
			file := ir.Lower(f.Path, f.Language, f.Tree)
			e.files = append(e.files, file)
			e.byPath[f.Path] = file
			e.koa = e.koa || scripts[f.Language] && contexts.Match(f.Tree.Source())
		}
	}
	slices.SortFunc(e.files, func(a, b *ir.File) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range e.files {
		e.link(f)
	}
	return e
}

// Imports of Koa and of frameworks that hand their functions what Koa does: elsewhere a context is anything.
var contexts = pattern.New(`(?:from|require\()\s*['"](?:@?koa|next|@?strapi|@?eggjs|egg|@midwayjs|@adonisjs|@?oak)\b`)

// link finds the graph's symbols of a file's functions, and what is called on its lines.
func (e *engine) link(f *ir.File) {
	symbols := map[string][]*graph.Symbol{}
	for _, s := range e.g.Symbols(f.Path) {
		symbols[s.Name] = append(symbols[s.Name], s)
		if s.Kind == graph.KindClass || s.Kind == graph.KindType {
			of := classAt{f.Language, s.Name}
			e.classes[of] = append(e.classes[of], s)
			at := besideKey{path.Dir(f.Path), of}
			e.beside[at] = append(e.beside[at], s)
		}
		if s.Kind == graph.KindInterface && f.Language == "go" {
			e.abstract[s.Name] = true
		}
		if s.Parent != "" && (f.Language == "go" || f.Language == "python") {
			of := classAt{f.Language, s.Name}
			e.methods[of] = append(e.methods[of], s)
		}
		if s.Parent != "" {
			of := memberKey{f.Path, s.Parent, s.Name}
			if len(e.members[of]) < maxTargets {
				e.members[of] = append(e.members[of], s)
			}
		}
	}
	for _, fn := range f.Funcs[1:] {
		if scripts[f.Language] && property(fn.Node) {
			e.properties[fn.Name] = append(e.properties[fn.Name], fn)
		}
		if f.Language == "go" && fn.Class == "" && fn.Name != "" {
			e.goFuncs[classAt{path.Dir(f.Path), fn.Name}] = fn
		}
		if of := (memberKey{file: f.Path, name: fn.Name}); f.Language == "ruby" && fn.Class == "" && len(e.plain[of]) < maxTargets {
			e.plain[of] = append(e.plain[of], fn)
		}
		for _, s := range symbols[fn.Name] {
			if s.Kind != graph.KindClass && s.Line <= fn.Node.Line() && s.EndLine >= fn.Node.EndLine() && e.functions[s] == nil {
				e.functions[s], e.symbols[fn] = fn, s
				break
			}
		}
	}
	top := f.Funcs[0].Node
	for _, edge := range e.g.Uses(f.Path, 1, top.EndLine()) {
		switch edge.Role {
		case graph.Calls:
			at := place{f.Path, edge.Line}
			e.calls[at] = append(e.calls[at], edge.To)
			e.sureCall(at, edge)
		case graph.Extends:
			if edge.From != nil {
				of := classKey{edge.To.File, edge.To.Qualified}
				e.over[of] = append(e.over[of], edge.From)
			}
		}
	}
}

// round reads everything once.
func (e *engine) round() {
	e.learned = false
	e.summaries = map[*ir.Func]*summary{}
	e.variants, e.variantsOf = map[variant]*summary{}, map[*ir.Func]int{}
	e.globals, e.exports = map[*ir.File]*env{}, map[*ir.File]*value{}
	e.found = map[hitKey]*found{}
	e.failed = map[string]error{}
	e.inlined = map[*ir.Func]bool{}
	e.untrusted = map[syntax.Node]bool{}
	for _, f := range e.files {
		if e.globals[f] == nil { // unless another file brought it in
			e.global(f)
		}
	}
	for _, f := range e.files {
		for _, fn := range f.Funcs[1:] {
			if e.ctx.Err() != nil {
				return
			}
			if fn.Name != "" {
				e.summarize(fn)
			}
		}
	}
	for _, f := range e.files { // closures that nobody was seen to call
		for _, fn := range f.Funcs[1:] {
			if fn.Name == "" && !e.inlined[fn] && e.ctx.Err() == nil {
				e.summarize(fn)
			}
		}
	}
}

// within reads a function within its bounds, beside those of whoever asked for it. A panic ends that reading alone.
func (e *engine) within(fn *ir.Func, read func()) {
	left := e.steps
	e.steps = maxWork + maxWorkPerByte*(fn.Node.End()-fn.Node.Start())
	e.depth++
	defer func() {
		if v := recover(); v != nil {
			e.fail(fn, fmt.Sprintf("panic: %v", v))
		} else if e.steps < 0 {
			e.fail(fn, "too much work")
		}
		e.steps, e.depth = left, e.depth-1
	}()
	read()
}

// fail notes that a function was not followed to its end.
func (e *engine) fail(fn *ir.Func, why string) {
	e.failed[fn.File.Path] = fmt.Errorf("values in %s were not followed through the function at line %d: %s", fn.File.Path,
		fn.Node.Line(), why)
}

// keys are a map's keys in their order.
func keys(m map[string]*value) []string {
	switch len(m) {
	case 0:
		return nil
	case 1:
		for k := range m {
			return []string{k}
		}
	}
	return slices.Sorted(maps.Keys(m))
}

func tableOf(f *ir.File) *model.Table { return model.Of(f.Language) }
