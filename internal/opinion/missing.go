package opinion

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// stretch are lines of a file, and what stands there.
type stretch struct {
	name, file string
	from, to   int
}

func (s stretch) String() string {
	return fmt.Sprintf("%s (%s:%d-%d)", s.name, header(s.file), s.from, s.to)
}

// names lists what stands at some stretches.
func names(all []stretch) string {
	var list []string
	for _, s := range all {
		list = append(list, s.String())
	}
	return strings.Join(list, ", ")
}

// Again is the request for the opinion of a verifier that was unsure because of code which it named and was not shown, with
// that code. ok says that there is such: that one of the names is a file's or a definition's, and that there is room for it.
func (o *Opinions) Again(ctx context.Context, h llm.Handle, f finding.Finding, raw string) (request llm.Request, shown []string, ok bool) {
	r, err := parse(raw)
	if err != nil || r.Verdict != finding.Unsure || len(r.Missing) == 0 {
		return request, nil, false
	}
	_, before := o.question(ctx, h, f, nil)
	var missing []stretch
	for _, name := range r.Missing {
		for _, s := range before.lookup(name) {
			if !before.whole(ctx, s.file, s.from, s.to) && !slices.Contains(missing, s) {
				missing = append(missing, s)
			}
		}
	}
	if len(missing) == 0 {
		return request, nil, false
	}
	request, now := o.question(ctx, h, f, missing)
	const few = 3 // lines
	return request, now.files, slices.ContainsFunc(missing, func(s stretch) bool {
		more := now.count(s) - before.count(s)
		return more > few || more > 0 && now.whole(ctx, s.file, s.from, s.to)
	})
}

// at is a line behind a path or a name.
var at = regexp.MustCompile(`:\d{1,7}(?:-\d{1,7})?$`)

// mostMeant is how many definitions one name may mean.
const mostMeant = 3

// lookup finds what a verifier names: a file by its path or the end of it, or definitions.
func (e *evidence) lookup(name string) []stretch {
	name = strings.Trim(strings.TrimSpace(name), "`'\"")
	line, _ := strconv.Atoi(strings.TrimPrefix(strings.SplitN(at.FindString(name), "-", 2)[0], ":"))
	name = strings.TrimSuffix(at.ReplaceAllString(name, ""), "()")
	if name == "" {
		return nil
	}
	if path, _ := e.base.Resolve(name); path != "" {
		if s := e.g.At(path, line); s != nil {
			return []stretch{{s.Qualified, path, e.first(s), s.EndLine}}
		}
		return []stretch{{"the file", path, 1, len(e.lines(path))}}
	}
	if s := e.resolve(name); s != nil {
		return []stretch{{s.Qualified, s.File, e.first(s), s.EndLine}}
	}
	var list []stretch
	for _, s := range e.g.Definition(name) {
		if e.allowed(s) {
			list = append(list, stretch{s.Qualified, s.File, e.first(s), s.EndLine})
		}
	}
	if len(list) > mostMeant {
		return nil // which is meant is not said
	}
	return list
}

// count is how many lines of a stretch are there.
func (s *sheet) count(of stretch) int {
	n := 0
	for i, taken := range s.taken[of.file] {
		if taken && i+1 >= of.from && i+1 <= of.to {
			n++
		}
	}
	return n
}
