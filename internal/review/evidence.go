package review

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Limits on what a verifier is shown beside the finding's own file.
const (
	maxRelated     = 8    // definitions of names that the code calls
	maxRelatedEach = 4000 // characters of each
	maxNamesakes   = 3    // a name with more definitions is too common to tell anything
)

// verifierPrompt puts a finding and the code around it into at most limit characters, and lists the files that the
// prompt holds: the finding's own file, whole where it fits, and what the code at that place calls in other files.
func verifierPrompt(ctx context.Context, code *codebase.Codebase, base *claim.Base, f finding.Finding, limit int) (prompt string,
	shown []string) {
	var b strings.Builder
	b.WriteString("The finding to refute:\n\n")
	row := func(name, text string, most int) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, termtext.CutWith(text, most, " ..."))
		}
	}
	row("file", fmt.Sprintf("%s, lines %d to %d", header(f.File), f.Line, f.EndLine), 4096)
	row("kind", strings.TrimSpace(f.Severity+" "+f.Category+" "+f.CWE), 200)
	row("title", f.Title, 300)
	row("explanation", f.Explanation, limit/8)
	row("code that it quotes", "\n"+f.Evidence, limit/8)
	b.WriteString("\nThe code:\n\n")

	text, _ := code.Text(f.File)
	room := limit - b.Len() - 200
	from, to := window(ctx, base, f, text, room*3/4)
	section(&b, f.File, text, from, to, room)
	shown = []string{f.File}
	info, _ := code.File(f.File)
	first := true
	seen := map[string]bool{}
	for _, d := range related(ctx, base, info.Language, f) {
		other, _ := code.Text(d.File)
		end := d.EndLine
		if q, ok := finding.Quote(other, d.Line, end); !ok || len(q) > maxRelatedEach {
			end = min(end, d.Line+60)
		}
		q, ok := finding.Quote(other, d.Line, end)
		place := fmt.Sprint(d.File, d.Line)
		if !ok || len(q) > maxRelatedEach || b.Len()+len(q)+len(d.File)+100 > limit || seen[place] ||
			d.File == f.File && d.Line >= from && d.EndLine <= to {
			continue
		}
		seen[place] = true
		if first {
			b.WriteString("\nDefinitions of names that this code calls:\n\n")
			first = false
		}
		section(&b, d.File, other, d.Line, end, maxRelatedEach)
		if !slices.Contains(shown, d.File) {
			shown = append(shown, d.File)
		}
	}
	b.WriteString("=== END ===\n\nTry to refute the finding. Reply with the JSON object alone.\n")
	return b.String(), shown
}

// window chooses the lines of the finding's file: all of them where they fit, else the function around the finding,
// else lines on both sides of it, and always the beginning of that which is left.
func window(ctx context.Context, base *claim.Base, f finding.Finding, text string, room int) (from, to int) {
	total := strings.Count(text, "\n")
	if !strings.HasSuffix(text, "\n") {
		total++
	}
	if len(text) <= room {
		return 1, total
	}
	size := func(a, b int) int { q, _ := finding.Quote(text, a, b); return len(q) }
	from, to = max(1, f.Line), max(1, f.Line, f.EndLine)
	if d, ok := base.Around(ctx, f.File, f.Line); ok && size(d.Line, max(d.EndLine, to)) <= room {
		from, to = d.Line, max(d.EndLine, to)
	}
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	at := func(line int) int { // where a line begins; the end of the text behind the last
		if line-1 < len(starts) {
			return starts[line-1]
		}
		return len(text)
	}
	for from > 1 || to < total {
		grown := false
		if from > 1 && at(to+1)-at(from-1) <= room {
			from, grown = from-1, true
		}
		if to < total && at(to+2)-at(from) <= room {
			to, grown = to+1, true
		}
		if !grown {
			break
		}
	}
	return from, to
}

// related finds the definitions of what the code around the finding calls, the names at the finding's own lines first.
func related(ctx context.Context, base *claim.Base, language string, f finding.Finding) []claim.Definition {
	names := base.Called(ctx, f.File, f.Line, f.EndLine)
	if d, ok := base.Around(ctx, f.File, f.Line); ok {
		names = append(names, base.Called(ctx, f.File, d.Line, d.EndLine)...)
	}
	var all []claim.Definition
	done := map[string]bool{}
	for _, name := range names {
		if done[name] || len(name) < 3 {
			continue
		}
		done[name] = true
		if ds := base.Definitions(ctx, language, name); len(ds) > 0 && len(ds) <= maxNamesakes {
			all = append(all, ds...)
		}
		if len(all) >= maxRelated {
			return all[:maxRelated]
		}
	}
	return all
}

// section writes lines of a file, at most so many bytes of them, under the header that workers know.
func section(b *strings.Builder, path, text string, from, to, most int) {
	total := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		total++
	}
	q, _ := finding.Quote(text, from, to)
	fmt.Fprintf(b, "=== FILE: %s (lines %d-%d of %d) ===\n%s\n", header(path), from, to, total, termtext.CutWith(q, max(200, most), " ..."))
}

// header is a path as it can stand in a header: a newline in a name must not end it.
func header(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) || strings.HasPrefix(path, `"`) {
		return strconv.Quote(path)
	}
	return path
}
