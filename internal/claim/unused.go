package claim

import (
	"cmp"
	"context"
	"fmt"
	gopath "path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// checkUnused looks for a use of a name that is said to have none. Only a use that cannot be another's counts: a name
// bound once, read by its own name and not behind a dot, in code that is not a test.
func (b *Base) checkUnused(ctx context.Context, c Claim, at At) Result {
	p, f := b.place(ctx, c, at)
	if f == nil || f.broken {
		return open
	}
	uses := f.uses[c.Name]
	var defs []Definition
	for _, d := range f.defs {
		if d.Name == c.Name {
			defs = append(defs, d)
		}
	}
	imported := having(uses, imports)
	switch {
	case len(defs) > 1 || len(defs) == 1 && len(imported) > 0:
		return open
	case len(defs) == 1 && c.What != "variable" && c.What != "local variable" && c.What != "import":
		return b.usedFunction(ctx, c, p, f, defs[0])
	case len(defs) == 1:
		return open
	case len(imported) > 0 && (c.What == "" || c.What == "import"):
		return b.usedImport(c, p, f)
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
	p, _ := b.resolve(name)
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
func (b *Base) usedImport(c Claim, p string, f *file) Result {
	uses := f.uses[c.Name]
	if len(having(uses, binds)) > 0 {
		return open // something else has the name, too
	}
	all := having(uses, imports)
	if all[0].line != all[len(all)-1].line {
		return open // brought in twice: whose use it is depends on the way that was taken
	}
	for _, u := range having(uses, reads, calls) {
		if by := all[0]; u.line > by.line && u.in == by.in || by.in == -1 && u.in != -1 {
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
func (b *Base) usedFunction(ctx context.Context, c Claim, p string, f *file, d Definition) Result {
	info, _ := b.code.File(p)
	if all := b.Definitions(ctx, info.Language, c.Name); len(all) > 1 {
		return open
	}
	if len(having(f.uses[c.Name], binds)) > 0 {
		return open
	}
	for _, u := range having(f.uses[c.Name], reads, calls) {
		if u.line < d.Line || u.line > d.EndLine { // beyond its own recursion
			return b.usedAt(c, p, u.line)
		}
	}
	if len(having(f.uses[c.Name], member)) > 0 || d.Inside {
		return open
	}
	text, _ := b.code.Text(p)
	// What carries a decorator, stands in a class or has a name that frameworks know may be called from anywhere.
	doubt := isTest(p) || strings.HasPrefix(c.Name, "__") || strings.HasPrefix(strings.ToLower(c.Name), "test") || c.Name == "main" ||
		!b.unconditional(p, d.Line) || decorated(text, d.Line) || words(f.running(text), c.Name) > 1+len(f.uses[c.Name])
	for _, other := range b.code.Paths() {
		text, _ := b.code.Text(other)
		if other == p || !strings.Contains(text, c.Name) {
			continue
		}
		o, _ := b.code.File(other)
		if !akin(o.Language, info.Language) || isTest(other) {
			doubt = true
			continue
		}
		of := b.file(ctx, other)
		if of == nil {
			doubt = true
			continue
		}
		uses := of.uses[c.Name]
		// In Go a package's files share their names; elsewhere a name is brought in by an import.
		mine := len(having(uses, imports)) > 0 || info.Language == "go" && gopath.Dir(other) == gopath.Dir(p)
		if called := having(uses, reads, calls); mine && len(called) > 0 && len(having(uses, binds)) == 0 && !of.broken {
			return b.usedAt(c, other, called[0].line)
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
	from, to := 1, 1<<30
	d, inside := b.Around(ctx, p, at.Line)
	if inside {
		if !slices.Contains(functions, d.Kind) {
			return open // a class's own variable: who reads it stands elsewhere
		}
		from, to = d.Line, d.EndLine
	}
	uses := slices.DeleteFunc(slices.Clone(f.uses[c.Name]), func(u use) bool { return u.line < from || u.line > to })
	lines := map[int]bool{}
	for _, u := range having(uses, binds) {
		lines[u.line] = true
	}
	if len(lines) != 1 {
		return open // several values have had the name: it is unknown whose is read
	}
	for _, u := range having(uses, reads, calls) {
		if u.line > max(at.Line, at.EndLine) && !lines[u.line] && u.in == having(uses, binds)[0].in {
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

// isTest reports test code: what only a test uses is, in a way, unused.
func isTest(p string) bool {
	base := strings.ToLower(gopath.Base(p))
	return strings.HasPrefix(base, "test") || strings.Contains(base, "_test.") || strings.Contains(base, ".test.") ||
		strings.Contains(base, ".spec.") ||
		strings.HasSuffix(strings.TrimSuffix(base, gopath.Ext(base)), "test") || strings.Contains("/"+strings.ToLower(p), "/test") ||
		strings.Contains("/"+p, "/__tests__/")
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
	for _, u := range having(f.uses[c.Name], imports) {
		if u.in == -1 && (line == 0 || u.line < line) {
			line = u.line
		}
	}
	if c.What != "imported" && line == 0 {
		for _, d := range f.defs {
			if d.Name == c.Name && !d.Inside && b.unconditional(p, d.Line) {
				line = d.Line
			}
		}
		for _, u := range having(f.uses[c.Name], binds) {
			if u.in == -1 && line == 0 && b.unconditional(p, u.line) {
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
