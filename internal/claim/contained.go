package claim

import (
	"context"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// builtins are names that every Python program has.
var builtins = strings.Fields(`abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format
frozenset hash hex int isinstance issubclass iter len list map max min next object oct ord pow print range repr reversed round set slice
sorted str sum tuple type zip ArithmeticError AssertionError AttributeError EOFError Exception IndexError KeyError LookupError
NotImplementedError OverflowError RecursionError RuntimeError StopIteration TypeError UnicodeError ValueError ZeroDivisionError`)

// reaching are words by which a function gets at what is not its own.
var reaching = pattern.New(`\b(?:global|nonlocal|import|__\w+__)\b`)

// Contained gives the Python function at a line with its source, verbatim, where it can run on its own: it stands at the
// top of its file, has no decorator, imports nothing, and reads no name but its own and those of the language.
func (b *Base) Contained(ctx context.Context, path string, line int) (d *graph.Symbol, source string, ok bool) {
	info, known := b.code.File(path)
	f := b.file(ctx, path)
	if !known || info.Language != "python" || f == nil || f.broken || f.star {
		return nil, "", false
	}
	all := b.Graph(ctx).Symbols(path)
	at := slices.IndexFunc(all, func(s *graph.Symbol) bool { return s.Line <= line && line <= s.EndLine })
	if at < 0 || all[at].Kind != graph.KindFunction {
		return nil, "", false
	}
	d = all[at]
	text, _ := b.code.Text(path)
	source, _ = finding.Quote(text, d.Line, d.EndLine)
	source += "\n"
	if reaching.MatchString(source) || !b.unconditional(path, d.Line) || decorated(text, d.Line) || !strings.HasPrefix(source, "def ") {
		return nil, "", false
	}
	for i, other := range all {
		if i != at && (other.Line >= d.Line && other.Line <= d.EndLine || other.Name == d.Name) {
			return nil, "", false // scopes within scopes, or another of that name: whose a name is, is not looked into
		}
	}
	for name, uses := range f.uses {
		inside := within(uses, d)
		elsewhere := len(having(uses, binds, imports)) > len(having(inside, binds, imports)) ||
			slices.ContainsFunc(all, func(o *graph.Symbol) bool { return o.Name == name && o != d })
		switch {
		case len(having(inside, imports)) > 0, elsewhere && (name == d.Name || len(inside) > 0 && slices.Contains(builtins, name)):
			return nil, "", false // the module has its own of that name
		}
		if len(having(inside, reads, calls)) > 0 && len(having(inside, binds)) == 0 && name != d.Name && !slices.Contains(builtins, name) {
			return nil, "", false
		}
	}
	return d, source, true
}

// within are the uses that stand in a symbol.
func within(uses []use, s *graph.Symbol) []use {
	return slices.DeleteFunc(slices.Clone(uses), func(u use) bool { return u.line < s.Line || u.line > s.EndLine })
}
