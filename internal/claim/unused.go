package claim

import (
	"cmp"
	"context"
	"fmt"
	gopath "path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
)

// checkUnused looks for a use of a name that is said to have none. Only a use that cannot be another's counts: a name
// bound once, read by its own name and not behind a dot, in code that is not a test.
func (b *Base) checkUnused(ctx context.Context, c Claim, at At) Result {
	p, f := b.place(ctx, c, at)
	if f == nil || f.broken {
		return open
	}
	uses := f.uses[c.Name]
	defs := b.defined(ctx, p, c.Name)
	imported := having(uses, imports)
	switch {
	case len(defs) > 1 || len(defs) == 1 && len(imported) > 0:
		return open
	case len(defs) == 1 && c.What != "variable" && c.What != "local variable" && c.What != "import":
		return b.usedFunction(ctx, c, p, f, defs[0])
	case len(defs) == 1:
		return open
	case len(imported) > 0 && (c.What == "" || c.What == "import"):
		return b.usedImport(ctx, c, p, f)
	case len(imported) == 0 && c.What != "import":
		return b.usedVariable(ctx, c, p, f, at)
	}
	return open
}

// place gives the file that a claim about a name is about.
func (b *Base) place(ctx context.Context, c Claim, at At) (string, *file) {
	name := cmp.Or(c.File, at.File)
	if name == "" {
		return "", nil
	}
	p, _ := b.Resolve(name)
	if p == "" {
		return "", nil
	}
	return p, b.file(ctx, p)
}

func having(uses []use, roles ...role) []use {
	var out []use
	for _, u := range uses {
		if slices.Contains(roles, u.role) {
			out = append(out, u)
		}
	}
	return out
}

// usedImport finds a use of an imported name in its own file.
func (b *Base) usedImport(ctx context.Context, c Claim, p string, f *file) Result {
	uses := f.uses[c.Name]
	if len(having(uses, binds)) > 0 {
		return open // something else has the name, too
	}
	all := having(uses, imports)
	if all[0].line != all[len(all)-1].line {
		return open // brought in twice: whose use it is depends on the way that was taken
	}
	g := b.Graph(ctx)
	by := g.At(p, all[0].line)
	for _, u := range having(uses, reads, calls) {
		if in := g.At(p, u.line); u.line > all[0].line && in == by || by == nil && in != nil {
			return b.usedAt(c, p, u.line)
		}
	}
	if len(having(uses, reads, calls)) > 0 {
		return open
	}
	if by := b.proof(p, all[0].line); by != nil && strings.Contains(by.Quote, "__future__") {
		return open // it is used by the compiler
	}
	if text, _ := b.code.Text(p); gopath.Base(p) == "__init__.py" || words(f.running(text), c.Name) > len(uses) {
		return open // brought in for others, or named in a string: __all__, an annotation
	}
	return Result{Status: Supported}
}

// words counts where a name is a separate word.
func words(text, name string) int {
	n := 0
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return n
		}
		start, end := from+i, from+i+len(name)
		if (start == 0 || !wordByte(text[start-1])) && (end == len(text) || !wordByte(text[end])) {
			n++
		}
		from = end
	}
}

// running is a text without its comments.
func (f *file) running(text string) string {
	var b strings.Builder
	from := 0
	for _, c := range f.comments {
		if c[0] >= from && c[1] <= len(text) {
			b.WriteString(text[from:c[0]] + " ")
			from = c[1]
		}
	}
	return b.String() + text[from:]
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// usedFunction finds a call of a function, or its name handed on: in its own file, or in one that imports it by name.
func (b *Base) usedFunction(ctx context.Context, c Claim, p string, f *file, d *graph.Symbol) Result {
	info, _ := b.code.File(p)
	if all := b.Definitions(ctx, info.Language, c.Name); len(all) > 1 || len(having(f.uses[c.Name], binds)) > 0 || d.Kind == graph.KindMethod {
		return open // another may be meant; whose method is called is only known while the program runs
	}
	for _, e := range b.Graph(ctx).References(d) {
		beyond := e.File != p || e.Line < d.Line || e.Line > d.EndLine // its own recursion is no use
		if beyond && e.Confidence == graph.Exact && !codebase.IsTest(e.File) {
			return b.usedAt(c, e.File, e.Line)
		}
	}
	if len(having(f.uses[c.Name], member)) > 0 || b.inside(ctx, d) {
		return open
	}
	text, _ := b.code.Text(p)
	// What carries a decorator, stands in a class or has a name that frameworks know may be called from anywhere.
	doubt := codebase.IsTest(p) || strings.HasPrefix(c.Name, "__") || strings.HasPrefix(strings.ToLower(c.Name), "test") || c.Name == "main" ||
		!b.unconditional(p, d.Line) || decorated(text, d.Line) || words(f.running(text), c.Name) > 1+len(f.uses[c.Name])
	for _, other := range b.code.Paths() {
		text, _ := b.code.Text(other)
		if other == p || !strings.Contains(text, c.Name) {
			continue
		}
		o, _ := b.code.File(other)
		if !akin(o.Language, info.Language) || codebase.IsTest(other) {
			doubt = true
			continue
		}
		of := b.file(ctx, other)
		if of == nil {
			doubt = true
			continue
		}
		doubt = doubt || words(of.running(text), c.Name) > 0
	}
	if doubt {
		return open
	}
	return Result{Status: Supported}
}

// decorated reports a definition whose line before begins with a decorator or an annotation.
func decorated(text string, line int) bool {
	q, ok := finding.Quote(text, line-1, line-1)
	return ok && strings.HasPrefix(strings.TrimSpace(q), "@")
}

// usedVariable finds a read of a variable behind the place that the claim is about, in the same function.
func (b *Base) usedVariable(ctx context.Context, c Claim, p string, f *file, at At) Result {
	if at.Line == 0 || p != at.File {
		return open
	}
	g := b.Graph(ctx)
	uses := f.uses[c.Name]
	d := g.At(p, at.Line)
	if d != nil {
		if !called(d) {
			return open // a class's own variable: who reads it stands elsewhere
		}
		uses = within(uses, d)
	}
	lines := map[int]bool{}
	for _, u := range having(uses, binds) {
		lines[u.line] = true
	}
	if len(lines) != 1 {
		return open // several values have had the name: it is unknown whose is read
	}
	for _, u := range having(uses, reads, calls) {
		if u.line > max(at.Line, at.EndLine) && !lines[u.line] && g.At(p, u.line) == g.At(p, having(uses, binds)[0].line) {
			return b.usedAt(c, p, u.line)
		}
	}
	return open
}

func (b *Base) usedAt(c Claim, path string, line int) Result {
	if b.OnlyComment(context.Background(), path, line, line) {
		return open
	}
	return Result{Status: Contradicted, Why: fmt.Sprintf("%s is used at %s:%d", c.Name, path, line), Proof: b.proof(path, line)}
}

// checkMissing looks for what binds a name that is said to be defined or imported nowhere: at the top of its own file,
// under no condition.
func (b *Base) checkMissing(ctx context.Context, c Claim, at At) Result {
	p, f := b.place(ctx, c, at)
	if f == nil || f.broken {
		return open
	}
	info, _ := b.code.File(p)
	if info.Language != "python" && info.Language != "go" && info.Language != "java" {
		return open
	}
	line := 0
	g := b.Graph(ctx)
	for _, u := range having(f.uses[c.Name], imports) {
		if g.At(p, u.line) == nil && (line == 0 || u.line < line) {
			line = u.line
		}
	}
	if c.What != "imported" && line == 0 {
		for _, d := range b.defined(ctx, p, c.Name) {
			if b.unconditional(p, d.Line) {
				line = d.Line
			}
		}
		for _, u := range having(f.uses[c.Name], binds) {
			if g.At(p, u.line) == nil && line == 0 && b.unconditional(p, u.line) {
				line = u.line
			}
		}
	}
	switch {
	case line > 0 && (info.Language != "python" || b.unconditional(p, line)):
		verb := "imported"
		if c.What != "imported" {
			verb = "defined"
		}
		return Result{Status: Contradicted, Why: fmt.Sprintf("%s is %s at %s:%d", c.Name, verb, p, line), Proof: b.proof(p, line)}
	case line == 0 && !f.star && len(having(f.uses[c.Name], imports, binds)) == 0 && info.Language == "python" && c.What == "imported":
		return Result{Status: Supported}
	}
	return open
}

// unconditional reports a line that is not indented: no branch and no try stands around it.
func (b *Base) unconditional(path string, line int) bool {
	q := b.proof(path, line)
	return q != nil && q.Quote != "" && q.Quote[0] != ' ' && q.Quote[0] != '\t'
}
