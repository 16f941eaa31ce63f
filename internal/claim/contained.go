package claim

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

// builtins are names that every Python program has.
var builtins = strings.Fields(`abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format
frozenset hash hex int isinstance issubclass iter len list map max min next object oct ord pow print range repr reversed round set slice
sorted str sum tuple type zip ArithmeticError AssertionError AttributeError EOFError Exception IndexError KeyError LookupError
NotImplementedError OverflowError RecursionError RuntimeError StopIteration TypeError UnicodeError ValueError ZeroDivisionError`)

// reaching are words by which a function gets at what is not its own.
var reaching = regexp.MustCompile(`\b(?:global|nonlocal|import|__\w+__)\b`)

// Contained gives the Python function at a line with its source, verbatim, where it can run on its own: it stands at the
// top of its file, has no decorator, imports nothing, and reads no name but its own and those of the language.
func (b *Base) Contained(ctx context.Context, path string, line int) (d Definition, source string, ok bool) {
	info, known := b.code.File(path)
	if !known || info.Language != "python" {
		return d, "", false
	}
	f := b.file(ctx, path)
	if f == nil || f.broken || f.star {
		return d, "", false
	}
	at := slices.IndexFunc(f.defs, func(d Definition) bool { return d.Line <= line && line <= d.EndLine })
	if at < 0 || f.defs[at].Kind != "function_definition" || f.defs[at].Inside {
		return d, "", false
	}
	d = f.defs[at]
	text, _ := b.code.Text(path)
	source = text[d.Start:d.End] + "\n"
	if reaching.MatchString(source) || !b.unconditional(path, d.Line) || decorated(text, d.Line) || !strings.HasPrefix(source, "def ") {
		return d, "", false
	}
	for _, other := range f.defs[at+1:] {
		if other.Start < d.End || other.Name == d.Name {
			return d, "", false // scopes within scopes, or another of that name: whose a name is, is not looked into
		}
	}
	for name, uses := range f.uses {
		inside := slices.DeleteFunc(slices.Clone(uses), func(u use) bool { return u.line < d.Line || u.line > d.EndLine })
		elsewhere := len(having(uses, binds, imports)) > len(having(inside, binds, imports)) ||
			slices.ContainsFunc(f.defs, func(o Definition) bool { return o.Name == name && o != d })
		switch {
		case len(having(inside, imports)) > 0, elsewhere && (name == d.Name || len(inside) > 0 && slices.Contains(builtins, name)):
			return d, "", false // the module has its own of that name
		}
		if len(having(inside, reads, calls)) > 0 && len(having(inside, binds)) == 0 && name != d.Name && !slices.Contains(builtins, name) {
			return d, "", false
		}
	}
	return d, source, true
}
