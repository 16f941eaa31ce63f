package claim

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Base is a codebase with what its syntax trees say about names. It is safe for concurrent use.
type Base struct {
	code   *codebase.Codebase
	parser func() (*syntax.Parser, error)

	mu    sync.Mutex
	files map[string]*file
	byDef map[string][]Definition // by language and name
}

// NewBase looks at nothing yet. The parser may be nil, or fail: then what needs syntax trees is not checkable.
func NewBase(code *codebase.Codebase, parser func() (*syntax.Parser, error)) *Base {
	return &Base{code: code, parser: parser, files: map[string]*file{}, byDef: map[string][]Definition{}}
}

// Definition is a name that a file defines.
type Definition struct {
	Name          string
	Kind          string // the grammar's: function_definition, class_declaration, ...
	File          string
	Line, EndLine int  // of the whole definition
	Start, End    int  // bytes
	Inside        bool // of a function: no other code can see it
}

// use is a place where an identifier stands.
type use struct {
	line int
	role role
	in   int // index in defs of the innermost function or class around it, -1 for none
}

type role uint8

const (
	reads role = iota
	calls
	binds   // is assigned to, declared, a parameter
	imports // is brought in from elsewhere
	member  // stands behind a dot, or names a keyword argument: its owner is unknown without types
)

// file is what is known about a file whose language has a grammar.
type file struct {
	defs []Definition // in source order, so an outer one stands before its inner ones
	uses map[string][]use
	// comments are byte spans of text that does not run: comments, and strings that stand alone.
	comments [][2]int
	broken   bool // the text did not parse whole
	star     bool // it imports names that it does not list
}

// Functions are the kinds of node that a call enters, classes those that hold functions.
var functions = []string{"function_definition", "function_declaration", "generator_function_declaration", "method_definition",
	"method_declaration",
	"constructor_declaration", "method", "singleton_method", "arrow_function", "function_expression", "func_literal", "lambda"}

var classes = []string{"class_definition", "class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration",
	"record_declaration", "trait_declaration", "class", "module", "type_spec", "type_alias_declaration"}

var bindings = []string{"assignment", "augmented_assignment", "variable_declarator", "const_spec", "var_spec", "short_var_declaration",
	"assignment_expression", "assignment_statement", "for_statement", "for_in_clause", "range_clause", "parameter_declaration", "as_pattern",
	"named_expression", "field_declaration", "enhanced_for_statement", "catch_formal_parameter", "formal_parameter", "spread_parameter"}

var lists = []string{"parameters", "formal_parameters", "parameter_list", "lambda_parameters", "default_parameter", "typed_parameter",
	"typed_default_parameter", "list_splat_pattern", "dictionary_splat_pattern", "required_parameter", "optional_parameter", "pattern_list",
	"tuple_pattern", "array_pattern", "object_pattern", "global_statement", "nonlocal_statement"}

var importing = []string{"import_statement", "import_from_statement", "import_declaration", "import_spec", "import_clause",
	"import_specifier",
	"namespace_import", "namespace_use_clause", "future_import_statement", "package_clause", "package_declaration"}

// file gives what is known of the file at path; nil where its language has no grammar or it cannot be parsed.
func (b *Base) file(ctx context.Context, path string) *file {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok := b.files[path]; ok {
		return f
	}
	f := b.parse(ctx, path)
	if ctx.Err() == nil {
		b.files[path] = f
	}
	return f
}

func (b *Base) parse(ctx context.Context, path string) *file {
	info, ok := b.code.File(path)
	if !ok || b.parser == nil {
		return nil
	}
	parser, err := b.parser()
	if err != nil || !slices.Contains(parser.Languages(), info.Language) {
		return nil
	}
	text, _ := b.code.Text(path)
	tree, err := parser.Parse(ctx, info.Language, []byte(text))
	if err != nil {
		return nil
	}
	f := &file{uses: map[string][]use{}, broken: tree.HasError() || tree.Truncated()}
	var open []int // definitions around the node that is visited, innermost last
	tree.Root().Walk(func(n syntax.Node) bool {
		if !n.Named() {
			return false
		}
		for len(open) > 0 && f.defs[open[len(open)-1]].End <= n.Start() {
			open = open[:len(open)-1]
		}
		kind := n.Kind()
		switch {
		case strings.Contains(kind, "comment"), kind == "expression_statement" && n.NumNamed() == 1 && n.NamedChild(0).Kind() == "string":
			f.comments = append(f.comments, [2]int{n.Start(), n.End()})
			return false
		case kind == "wildcard_import" || kind == "asterisk":
			f.star = true
		case slices.Contains(functions, kind) || slices.Contains(classes, kind):
			if d := definition(n, path); d.Name != "" {
				d.Inside = slices.ContainsFunc(open, func(i int) bool { return slices.Contains(functions, f.defs[i].Kind) })
				f.defs = append(f.defs, d)
				open = append(open, len(f.defs)-1)
			}
		case strings.HasSuffix(kind, "identifier") || kind == "constant" || kind == "name" && n.NumNamed() == 0:
			in := -1
			if len(open) > 0 {
				in = open[len(open)-1]
			}
			name := n.Text()
			if isNameOf(n) {
				return true // of a definition: that is no use
			}
			f.uses[name] = append(f.uses[name], use{line: n.Line(), role: roleOf(n), in: in})
		}
		return true
	})
	return f
}

func definition(n syntax.Node, path string) Definition {
	return Definition{Name: nameOf(n), Kind: n.Kind(), File: path, Line: n.Line(), EndLine: n.EndLine(), Start: n.Start(), End: n.End()}
}

func nameOf(n syntax.Node) string {
	if name := n.ChildByField("name"); name.Valid() {
		return name.Text()
	}
	if p := n.Parent(); p.Kind() == "variable_declarator" && n.Field() == "value" { // const f = () => ...
		return p.ChildByField("name").Text()
	}
	d := n.ChildByField("declarator") // C nests declarators around the name
	for range 8 {
		inner := d.ChildByField("declarator")
		if !inner.Valid() {
			break
		}
		d = inner
	}
	return d.Text()
}

// isNameOf reports an identifier that names the definition around it.
func isNameOf(n syntax.Node) bool {
	p := n.Parent()
	return n.Field() == "name" && (slices.Contains(functions, p.Kind()) || slices.Contains(classes, p.Kind())) ||
		n.Field() == "declarator" && p.Kind() == "function_declarator"
}

// roleOf says what an identifier does where it stands.
func roleOf(n syntax.Node) role {
	switch n.Field() {
	case "attribute", "property", "field", "key":
		return member
	}
	kind := n.Kind()
	if kind == "property_identifier" || kind == "field_identifier" {
		return member
	}
	p := n.Parent()
	switch p.Kind() {
	case "keyword_argument":
		if n.Field() == "name" {
			return member
		}
	case "call", "call_expression", "new_expression", "object_creation_expression", "method_invocation", "function_call_expression":
		switch n.Field() {
		case "function", "constructor", "type":
			return calls
		case "name", "method":
			if p.ChildByField("object").Valid() || p.ChildByField("receiver").Valid() {
				return member
			}
			return calls
		}
	}
	for up, last := p, n; up.Valid(); up, last = up.Parent(), up {
		k := up.Kind()
		switch {
		case slices.Contains(importing, k):
			return imports
		case slices.Contains(lists, k):
			if f := last.Field(); f == "value" || f == "type" {
				return reads // a default
			}
			return binds
		case slices.Contains(bindings, k):
			switch last.Field() {
			case "left", "name", "declarator", "alias", "pattern":
				if last == n || slices.Contains(lists, last.Kind()) || last.Kind() == "expression_list" || last.Kind() == "variable_declarator" {
					return binds
				}
			}
			return reads
		case strings.HasSuffix(k, "pattern") || k == "expression_list" || k == "dotted_name" || k == "aliased_import" || k == "as_pattern_target":
			continue
		}
		return reads
	}
	return reads
}

// Around gives the innermost function or class that holds the line, if any.
func (b *Base) Around(ctx context.Context, path string, line int) (Definition, bool) {
	f := b.file(ctx, path)
	if f == nil {
		return Definition{}, false
	}
	var in Definition
	for _, d := range f.defs {
		if d.Line <= line && line <= d.EndLine && (in.Name == "" || d.Start >= in.Start) {
			in = d
		}
	}
	return in, in.Name != ""
}

// Called lists the names that lines from to end of a file call, in the order in which they stand there.
func (b *Base) Called(ctx context.Context, path string, from, to int) []string {
	f := b.file(ctx, path)
	if f == nil {
		return nil
	}
	first := map[string]int{}
	var names []string
	for name, uses := range f.uses {
		for _, u := range uses {
			if u.line >= from && u.line <= to && (u.role == calls || u.role == member) {
				first[name] = u.line
				names = append(names, name)
				break
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if first[a] != first[b] {
			return first[a] - first[b]
		}
		return strings.Compare(a, b)
	})
	return names
}

// defining is what the definition of a name looks like in any language: only files where it matches are parsed.
const defining = `(?:\b(?:def|class|func|function|fn|interface|type|struct|enum|record|module|trait|const|let|var)` +
	`\s+(?:\([^()\n]{0,80}\)\s*)?|\b[\w<>\[\],.]+\s+|^\s*)`

// Definitions finds where functions and classes of that name are defined in files of a language, in the order of their
// paths. Those that other files cannot see, and those of files that do not parse, are left out.
func (b *Base) Definitions(ctx context.Context, language, name string) []Definition {
	key := language + "\x00" + name
	b.mu.Lock()
	known, ok := b.byDef[key]
	b.mu.Unlock()
	if ok {
		return known
	}
	const mostFiles = 200 // that are parsed for one name
	pattern, err := regexp.Compile(`(?m)` + defining + regexp.QuoteMeta(name) + `\b`)
	if err != nil {
		return nil
	}
	var all []Definition
	parsed := 0
	for _, p := range b.code.Paths() {
		info, _ := b.code.File(p)
		text, _ := b.code.Text(p)
		if !akin(info.Language, language) || !strings.Contains(text, name) || !pattern.MatchString(text) {
			continue
		}
		if parsed++; parsed > mostFiles || ctx.Err() != nil {
			break
		}
		f := b.file(ctx, p)
		if f == nil {
			continue
		}
		for _, d := range f.defs {
			if d.Name == name && !d.Inside {
				all = append(all, d)
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if ctx.Err() == nil {
		b.byDef[key] = all
	}
	return all
}

// akin reports languages whose files call each other.
func akin(a, b string) bool {
	return language.Family(a) == language.Family(b)
}

// OnlyComment reports that lines from to end of a file hold nothing that runs: comments, strings that stand alone, and
// blank lines. Such lines are a statement by the file's author, and no proof.
func (b *Base) OnlyComment(ctx context.Context, path string, line, end int) bool {
	text, ok := b.code.Text(path)
	if !ok {
		return false
	}
	f := b.file(ctx, path)
	start := 0
	for n := 1; n <= end && start <= len(text); n++ {
		stop := strings.IndexByte(text[start:], '\n')
		if stop < 0 {
			stop = len(text) - start
		}
		if n >= line && !commentLine(f, text, start, start+stop) {
			return false
		}
		start += stop + 1
	}
	return true
}

var commentMark = regexp.MustCompile(`^(?:#|//|/\*|\*|<!--|--|;|%|"""|''')`)

// commentLine judges one line of a text.
func commentLine(f *file, text string, start, end int) bool {
	line := strings.TrimSpace(text[start:end])
	if line == "" {
		return true
	}
	if f == nil || f.broken {
		return commentMark.MatchString(line)
	}
	from := start + strings.Index(text[start:end], line)
	rest := from + len(line)
	for _, c := range f.comments {
		if c[0] <= from && from < c[1] {
			from = c[1]
		}
	}
	return from >= rest
}
