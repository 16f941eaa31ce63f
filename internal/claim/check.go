package claim

import (
	"cmp"
	"context"
	"fmt"
	gopath "path"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

var open = Result{Status: NotCheckable}

// Check looks whether the code bears a claim out. at is where the text stands that makes it; its zero value is a text
// about the whole codebase.
func (b *Base) Check(ctx context.Context, c Claim, at At) Result {
	switch c.Kind {
	case KindFile:
		return b.checkFile(c)
	case KindQuote:
		return b.checkQuote(c)
	case KindDefined:
		return b.checkDefined(ctx, c)
	case KindUnused:
		return b.checkUnused(ctx, c, at)
	case KindMissing:
		return b.checkMissing(ctx, c, at)
	case KindFiles:
		return b.checkFiles(c)
	case KindLines:
		return b.checkLines(c)
	case KindPinned:
		return b.checkPinned(c)
	case KindSetting:
		return b.checkSetting(c, at)
	}
	return open
}

// Resolve gives the one file that a name can mean: the path itself, or the only one that ends so. others is how many
// files it can mean.
func (b *Base) Resolve(name string) (path string, others int) {
	name = strings.TrimPrefix(strings.TrimPrefix(gopath.Clean(name), "./"), "/")
	if _, ok := b.code.File(name); ok {
		return name, 1
	}
	for _, p := range b.code.Paths() {
		if strings.HasSuffix(p, "/"+name) || strings.HasSuffix(name, "/"+p) {
			path = p
			others++
		}
	}
	if others != 1 {
		return "", others
	}
	return path, 1
}

// foreign are paths that are not the codebase's own.
var foreign = pattern.New(`(?i)(?:^|/)(?:site-packages|node_modules|vendor|third_party|usr|lib|dist|build|target)/|^\.\.`)

func (b *Base) checkFile(c Claim) Result {
	p, others := b.Resolve(c.File)
	if others > 1 {
		return open
	}
	if p == "" {
		// Without a line it may be a file that the program writes, or one that the snapshot left out.
		if c.Line == 0 || foreign.MatchString(c.File) || b.skipped(c.File) {
			return open
		}
		return Result{Status: Contradicted, Why: fmt.Sprintf("there is no file %s", c.File)}
	}
	info, _ := b.code.File(p)
	if c.Line > info.Lines+1 {
		return Result{Status: Contradicted, Why: fmt.Sprintf("%s has %d lines, and no line %d", p, info.Lines, c.Line)}
	}
	return Result{Status: Supported}
}

// skipped reports a name that stands for something the snapshot left out.
func (b *Base) skipped(name string) bool {
	base := gopath.Base(name)
	return slices.ContainsFunc(b.code.Skipped(), func(s codebase.Skip) bool {
		return strings.HasSuffix(s.Path, "/") && (strings.HasPrefix(name, s.Path) || strings.Contains(name, "/"+s.Path)) ||
			gopath.Base(s.Path) == base
	})
}

func (b *Base) checkQuote(c Claim) Result {
	p, _ := b.Resolve(c.File)
	if p == "" {
		return open
	}
	if grounded, _ := finding.Ground(b.code, []finding.Finding{{File: p, Line: c.Line, Evidence: c.Value}}, nil); len(grounded) == 1 {
		return Result{Status: Supported}
	}
	return open // a paraphrase is not a lie
}

func (b *Base) checkDefined(ctx context.Context, c Claim) Result {
	p, _ := b.Resolve(c.File)
	if p == "" {
		return open
	}
	f := b.file(ctx, p)
	text, _ := b.code.Text(p)
	if f == nil {
		return open
	}
	if len(b.defined(ctx, p, c.Name)) > 0 {
		return Result{Status: Supported}
	}
	info, _ := b.code.File(p)
	elsewhere := b.Definitions(ctx, info.Language, c.Name)
	stands := regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(c.Name) + `(?:[^\w$]|$)`).MatchString(text)
	onlyImported := !c.Loose && !f.star && len(f.uses[c.Name]) > 0 && len(elsewhere) == 1 &&
		!slices.ContainsFunc(f.uses[c.Name], func(u use) bool { return u.role == binds })
	switch {
	case f.broken, f.star && !stands:
		return open
	case stands && !onlyImported:
		for _, u := range f.uses[c.Name] {
			if u.role == binds && b.Graph(ctx).At(p, u.line) == nil {
				return Result{Status: Supported} // a module's variable
			}
		}
		return open
	case len(elsewhere) == 1:
		d := elsewhere[0]
		return Result{Status: Contradicted, Why: fmt.Sprintf("%s is defined in %s, not in %s", c.Name, d.File, p), Proof: b.proof(d.File, d.Line)}
	case stands:
		return open
	}
	return Result{Status: Contradicted, Why: fmt.Sprintf("the name %s does not stand in %s", c.Name, p)}
}

// proof quotes a line.
func (b *Base) proof(path string, line int) *runfile.Proof {
	text, _ := b.code.Text(path)
	q, ok := finding.Quote(text, line, line)
	if !ok {
		return nil
	}
	return &runfile.Proof{File: path, Line: line, Quote: q}
}

func (b *Base) checkFiles(c Claim) Result {
	n := len(b.code.Paths())
	all := n
	if c.Name != "" && c.Name != "source" {
		spoken := language.Proper(c.Name)
		n = 0
		for _, p := range b.code.Paths() {
			if f, _ := b.code.File(p); f.Language == spoken {
				n++
			}
		}
		if n == 0 {
			return open // not a language that we know by this word
		}
		all = n
	} else {
		all += len(b.code.Skipped())
	}
	switch {
	case c.N == n || c.N == all:
		return Result{Status: Supported}
	case c.N > n && c.N < all, len(b.code.Skipped()) > 0 && c.N > n:
		return open
	}
	return Result{Status: Contradicted, Why: fmt.Sprintf("it has %d", n)}
}

func (b *Base) checkLines(c Claim) Result {
	p, _ := b.Resolve(c.File)
	if p == "" {
		return open
	}
	info, _ := b.code.File(p)
	switch {
	case c.N >= info.Lines-1 && c.N <= info.Lines+1:
		return Result{Status: Supported}
	case c.Loose && c.N < info.Lines:
		return open // blank lines and comments may not be counted
	}
	return Result{Status: Contradicted, Why: fmt.Sprintf("%s has %d lines", p, info.Lines)}
}

func (b *Base) checkPinned(c Claim) Result {
	form := regexp.MustCompile(`(?mi)^[ \t]*` + strings.ReplaceAll(regexp.QuoteMeta(c.Name), "_", "[-_]") +
		`(?:\[[^\]\n]*\])?[ \t]*==[ \t]*([\w.+!-]+)`)
	var found []*runfile.Proof
	same := false
	for _, p := range b.code.Paths() {
		if base := gopath.Base(p); !strings.HasPrefix(base, "requirements") && !strings.HasPrefix(base, "constraints") ||
			gopath.Ext(p) != ".txt" {
			continue
		}
		text, _ := b.code.Text(p)
		for _, m := range form.FindAllStringSubmatchIndex(text, 10) {
			same = same || text[m[2]:m[3]] == c.Value
			found = append(found, b.proof(p, 1+strings.Count(text[:m[2]], "\n")))
		}
	}
	switch {
	case same:
		return Result{Status: Supported}
	case len(found) == 1:
		return Result{Status: Contradicted, Why: fmt.Sprintf("%s is held at another version", c.Name), Proof: found[0]}
	}
	return open
}

// literal is a value that cannot be written in two ways, but for its quotes.
var literal = pattern.New(`^(?:-?\d[\d_]*(?:\.\d+)?|True|False|true|false|None|nil|null|"[^"\\]*"|'[^'\\]*')$`)

func (b *Base) checkSetting(c Claim, at At) Result {
	name := cmp.Or(c.File, at.File)
	p, _ := b.Resolve(name)
	if p == "" || name == "" {
		return open
	}
	text, _ := b.code.Text(p)
	form := regexp.MustCompile(`(?m)^[ \t]*(?:const |let |var |export )*` + regexp.QuoteMeta(c.Name) +
		`[ \t]*(?::[ \t]*[\w.\[\], |]+)?[ \t]*:?=[ \t]*([^\n#;]+?)[ \t]*;?[ \t]*(?:(?:#|//)[^\n]*)?$`)
	ms := form.FindAllStringSubmatchIndex(text, 20)
	value := func(s string) string { return strings.Trim(strings.ReplaceAll(s, "_", ""), `"'`) }
	for _, m := range ms {
		if value(text[m[2]:m[3]]) == value(c.Value) {
			return Result{Status: Supported}
		}
	}
	if len(ms) != 1 || !literal.MatchString(c.Value) || !literal.MatchString(text[ms[0][2]:ms[0][3]]) {
		return open
	}
	line := 1 + strings.Count(text[:ms[0][2]], "\n")
	return Result{Status: Contradicted, Why: fmt.Sprintf("%s is set to another value", c.Name), Proof: b.proof(p, line)}
}
