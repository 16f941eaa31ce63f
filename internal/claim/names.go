package claim

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// word is an identifier as every language has it, where no grammar tells.
var word = pattern.New(`[A-Za-z_]\w{2,}`)

// Touches says whether lines of code have to do with those of another place: they are the same lines, or name something
// that the others name, or stand in a function that the others call, or the other way round.
func (b *Base) Touches(ctx context.Context, at, other At) bool {
	if at.File == other.File && at.Line <= other.EndLine && other.Line <= at.EndLine {
		return true
	}
	names := b.names(ctx, at)
	for name := range b.names(ctx, other) {
		if names[name] {
			return true
		}
	}
	return false
}

// names are the identifiers that stand at a place, and what the function around it is called.
func (b *Base) names(ctx context.Context, at At) map[string]bool {
	names := map[string]bool{}
	if f := b.file(ctx, at.File); f != nil {
		for name, uses := range f.uses {
			for _, u := range uses {
				if u.line >= at.Line && u.line <= at.EndLine {
					names[name] = true
				}
			}
		}
	} else {
		text, _ := b.code.Text(at.File)
		lines, _ := finding.Quote(text, at.Line, at.EndLine)
		for _, name := range word.FindAllString(lines, -1) {
			names[name] = true
		}
	}
	if d := b.Graph(ctx).At(at.File, at.Line); d != nil {
		names[d.Name] = true
	}
	for _, self := range []string{"self", "this", "cls"} {
		delete(names, self)
	}
	return names
}
