package orchestration

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/change"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// What a change is made of.
const (
	oldDefects   = 3 // on both sides
	fixedDefects = 1 // in the base alone
	mostNew      = 3 // in the head alone, where the change is faulty
	rewritten    = 2 // decoys on each side: code that looks wrong and is right comes and goes
	mostComments = 4
	tries        = 10
)

// change makes the i-th change of a codebase: two states of it, of which the later one is the task's. Among honest edits (new
// tests, rewritten lines, comments, blank lines) a faulty one plants defects, and a clean one plants none; both fix some.
func (e *Environment) change(ctx context.Context, s env.Selection, dims size, template grow.Template, i int) (t env.Task, err error) {
	for try := range tries { // both sides may have been given the same defect
		seed := plant.Seed(s.Seed, Name, "change", s.Change, s.Split, s.Difficulty, template.Name, fmt.Sprint(i, try))
		if t, err = e.tryChange(ctx, s, dims, template, i, seed); err != nil || len(t.Defects) > 0 || s.Change == env.ChangeClean {
			return t, err
		}
	}
	return env.Task{}, fmt.Errorf("nothing could be planted into the change %s", t.ID)
}

func (e *Environment) tryChange(ctx context.Context, s env.Selection, dims size, template grow.Template, i int,
	seed int64) (env.Task, error) {
	r := rand.New(rand.NewPCG(uint64(seed), 2))
	files := s.Files
	if files == 0 {
		files = dims.from + r.IntN(dims.to-dims.from+1)
	}
	clean, err := grown(template, &seed, files)
	if err != nil {
		return env.Task{}, err
	}
	put := func(texts map[string]string, what string, defects, cross, decoys int) (plant.Planted, error) {
		return e.Plant(ctx, texts, template.Language, s.Split, plant.Plan{Seed: plant.Seed(seed, what), Defects: defects, CrossFile: cross,
			Decoys: decoys})
	}
	old, err := put(clean, "old", oldDefects, 1, 0)
	if err != nil {
		return env.Task{}, err
	}
	before, err := put(old.Files, "before", fixedDefects, 0, rewritten)
	if err != nil {
		return env.Task{}, err
	}
	n := 0
	if s.Change == env.ChangeFaulty {
		n = 1 + r.IntN(mostNew)
	}
	after, err := put(old.Files, "after", n, n/2, rewritten)
	if err != nil {
		return env.Task{}, err
	}
	base, head := maps.Clone(before.Files), maps.Clone(after.Files)
	if err := e.addTest(ctx, r, base, head, slices.Concat(old.Defects, before.Defects, after.Defects)); err != nil {
		return env.Task{}, err
	}
	comment(r, head)
	t := env.Task{
		ID:    fmt.Sprintf("%s/%s/%s/%s/%s/%d/%06d", e.Name(), s.Change, s.Split, template.Name, s.Difficulty, s.Seed, i),
		Split: s.Split, Language: template.Language, Difficulty: s.Difficulty, Template: template.Name, Seed: seed,
		Codebase: codebase.FromMap(head), Base: codebase.FromMap(base),
	}
	c := change.Of(t.Base, t.Codebase)
	now := mover(after.Files, head)
	for _, d := range after.Defects {
		d.Line, d.EndLine, _ = now(d.File, d.Line, d.EndLine)
		if f, ok := c.At(d.File); ok && f.Changed(d.Line, d.EndLine) { // else both sides were given the same
			t.Defects = append(t.Defects, d)
		} else {
			t.Before = append(t.Before, d)
		}
	}
	for _, d := range after.Decoys {
		d.Line, d.EndLine, _ = now(d.File, d.Line, d.EndLine)
		t.Decoys = append(t.Decoys, d)
	}
	stood := mover(old.Files, head)
	for _, d := range old.Defects {
		var there bool
		if d.Line, d.EndLine, there = stood(d.File, d.Line, d.EndLine); there {
			t.Before = append(t.Before, d)
		}
	}
	for _, d := range before.Defects {
		if f, ok := c.Before(d.File); ok && f.WasChanged(d.Line, d.EndLine) {
			t.Fixed = append(t.Fixed, d)
		}
	}
	return t, nil
}

// grown grows a program all of whose files a review reads: a package that is called vendor it takes for somebody else's.
func grown(template grow.Template, seed *int64, files int) (map[string]string, error) {
	for {
		_, texts, err := grow.Grow(template, *seed, files)
		if err != nil {
			return nil, err
		}
		foreign := func(path string) bool { return strings.Contains("/"+path, "/vendor/") }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(texts)), foreign) {
			return texts, nil
		}
		*seed++
	}
}

// mover says where lines of one state stand in another, and whether they stand there unchanged.
func mover(from, to map[string]string) func(file string, line, end int) (int, int, bool) {
	c := change.Of(codebase.FromMap(from), codebase.FromMap(to))
	return func(file string, line, end int) (int, int, bool) {
		f, ok := c.Before(file)
		if !ok {
			return line, end, true
		}
		by := f.Shift(line)
		return line + by, end + by, !f.WasChanged(line, end)
	}
}

// addTest takes a file from the base that nothing brings in and nothing was planted into, a test where there is one: in the
// change it is new.
func (e *Environment) addTest(ctx context.Context, r *rand.Rand, base, head map[string]string, planted []env.Defect) error {
	g, err := graph.Build(ctx, codebase.FromMap(head), graph.Options{Parser: e.cfg.Parser})
	if err != nil {
		return err
	}
	var tests, leaves []string
	for _, p := range slices.Sorted(maps.Keys(head)) {
		taken := slices.ContainsFunc(planted, func(d env.Defect) bool { return d.File == p })
		if taken || base[p] != head[p] || plant.Language(p) == "" || len(g.Importers(p)) > 0 {
			continue
		}
		if g.IsTest(p) {
			tests = append(tests, p)
		} else if len(g.Symbols(p)) > 2 && len(g.Imports(p)) > 0 {
			leaves = append(leaves, p)
		}
	}
	if len(tests) == 0 {
		tests = leaves
	}
	if len(tests) > 0 {
		delete(base, tests[r.IntN(len(tests))])
	}
	return nil
}

// topLevel begins a line of top-level code that a comment can stand before.
var topLevel = pattern.New(`^(?:def |class |func |type |export |public |interface |function )`)

// remarks are comments that say nothing of how the code works, right or wrong.
var remarks = []string{
	"Kept apart from its callers, which change more often.",
	"There are examples in the tests.",
	"Shared by several callers.",
	"The name is the one that the interface's documentation uses.",
	"Grouped here because it is read together with what stands above.",
}

// comment writes comments and blank lines between definitions.
func comment(r *rand.Rand, texts map[string]string) {
	var files []string
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		if plant.Language(p) != "" {
			files = append(files, p)
		}
	}
	for range 1 + r.IntN(mostComments) {
		p := files[r.IntN(len(files))]
		lines := slices.Collect(strings.Lines(texts[p]))
		var places []int
		for i := 1; i < len(lines); i++ {
			if strings.TrimSpace(lines[i-1]) == "" && topLevel.MatchString(lines[i]) {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			continue
		}
		at, mark := places[r.IntN(len(places))], "// "
		if plant.Language(p) == "python" {
			mark = "# "
		}
		added := mark + remarks[r.IntN(len(remarks))] + "\n"
		if r.IntN(4) == 0 {
			added = "\n"
		}
		texts[p] = strings.Join(slices.Insert(lines, at, added), "")
	}
}
