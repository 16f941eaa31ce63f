package plant

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Apart is how many lines of distance two plants of one file keep, so that one claim cannot match both.
const Apart = 12

// Plan says what is to be planted.
type Plan struct {
	Seed int64
	// Defects is how many defects, cross-file ones included; CrossFile how many of them need a second file to be seen;
	// Decoys how many decoys beside them.
	Defects, CrossFile, Decoys int
}

// Planted is a program with its truth.
type Planted struct {
	Files   map[string]string
	Defects []env.Defect
	Decoys  []env.Decoy
	// Operators names what planted each of Defects, and then each of Decoys.
	Operators []string
}

// Plant plants into a program with some of the operators. It may plant less than the plan asks for where the program
// offers no more places; what it did stands in the result. Kinds of defect are spread: no category gets a second defect
// before every category that can has one, cross-file defects and others counted apart, and no file before others.
func Plant(ctx context.Context, parser *syntax.Parser, files map[string]string, operators []Operator, plan Plan) (Planted, error) {
	p := &planting{
		ctx: ctx, parser: parser, project: NewProject(ctx, parser, files), pristine: files, files: maps.Clone(files),
		rand: rand.New(rand.NewPCG(uint64(plan.Seed), 0x706c616e74)), edits: map[string][]Edit{}, used: map[string]int{},
		byFile: map[string]int{}, byCategory: map[string]int{},
	}
	for _, name := range p.project.Paths() {
		if Language(name) != "" && !codebase.IsTest(name) {
			p.sources = append(p.sources, name)
		}
	}
	p.rand.Shuffle(len(p.sources), func(i, j int) { p.sources[i], p.sources[j] = p.sources[j], p.sources[i] })
	operators = slices.Clone(operators)
	slices.SortFunc(operators, func(a, b Operator) int { return strings.Compare(a.Name, b.Name) })
	p.rand.Shuffle(len(operators), func(i, j int) { operators[i], operators[j] = operators[j], operators[i] })
	kind := func(crossFile, decoy bool) []Operator {
		return slices.DeleteFunc(slices.Clone(operators), func(o Operator) bool { return o.Decoy != decoy || o.CrossFile != crossFile })
	}
	cross := p.plantSome(kind(true, false), plan.CrossFile)
	clear(p.byCategory) // what needs a second file to be seen leaves the plain defects of its category their turn
	p.plantSome(kind(false, false), plan.Defects-cross)
	p.plantSome(slices.Concat(kind(false, true), kind(true, true)), plan.Decoys)
	if err := ctx.Err(); err != nil {
		return Planted{}, err
	}
	return p.result()
}

// planting is the state of one Plant.
type planting struct {
	ctx        context.Context
	parser     *syntax.Parser
	project    *Project
	pristine   map[string]string
	files      map[string]string // as they stand now
	sources    []string          // where something may be planted, in random order
	rand       *rand.Rand
	edits      map[string][]Edit // of each file, in coordinates of the pristine text
	plants     []plant
	used       map[string]int // plants by operator
	byFile     map[string]int
	byCategory map[string]int
}

type plant struct {
	operator Operator
	site     Site
}

// plantSome plants up to n sites, in rounds: the operator used least and of the category planted least goes first, and
// one that found no place any more leaves.
func (p *planting) plantSome(operators []Operator, n int) int {
	done := 0
	for done < n && len(operators) > 0 && p.ctx.Err() == nil {
		slices.SortStableFunc(operators, func(a, b Operator) int {
			if d := p.byCategory[a.Category] - p.byCategory[b.Category]; d != 0 {
				return d
			}
			return p.used[a.Name] - p.used[b.Name]
		})
		if p.plantOne(operators[0]) {
			done++
		} else {
			operators = operators[1:]
		}
	}
	return done
}

// plantOne plants the operator at some site of a file that has the fewest plants so far.
func (p *planting) plantOne(o Operator) bool {
	order := slices.Clone(p.sources)
	slices.SortStableFunc(order, func(a, b string) int { return p.byFile[a] - p.byFile[b] })
	for _, name := range order {
		if Language(name) != o.Language || o.Hint != "" && !strings.Contains(p.pristine[name], o.Hint) || p.ctx.Err() != nil {
			continue
		}
		sites := slices.Clone(o.Sites(p.project, name))
		p.rand.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
		for _, s := range sites {
			if p.try(o, s) {
				return true
			}
		}
	}
	return false
}

// try plants one site, unless it is too near to another or breaks the program's syntax.
func (p *planting) try(o Operator, s Site) bool {
	if len(s.Edits) == 0 || s.Description == "" {
		return false
	}
	for _, e := range s.Edits {
		text, ok := p.pristine[e.File]
		if !ok || e.Start < 0 || e.End < e.Start || e.End > len(text) || text[e.Start:e.End] == e.Text {
			return false
		}
		for _, other := range p.edits[e.File] {
			if near(text, e, other) {
				return false
			}
		}
	}
	touched := map[string][]Edit{}
	for _, e := range s.Edits {
		touched[e.File] = append(touched[e.File], e)
	}
	fresh := map[string]string{}
	for name, es := range touched {
		changed, err := Apply(p.pristine, slices.Concat(p.edits[name], es))
		if err != nil {
			return false
		}
		if parse(p.ctx, p.parser, name, changed[name]) == nil && p.project.Tree(name) != nil {
			return false
		}
		fresh[name] = changed[name]
	}
	for name, es := range touched {
		p.edits[name] = append(p.edits[name], es...)
		p.files[name] = fresh[name]
	}
	p.plants = append(p.plants, plant{operator: o, site: s})
	p.used[o.Name]++
	p.byFile[s.Edits[0].File]++
	p.byCategory[o.Category]++
	return true
}

// near says whether two edits of one pristine text stand within Apart lines of each other.
func near(text string, a, b Edit) bool {
	if a.Start > b.Start {
		a, b = b, a
	}
	if b.Start <= a.End {
		return true
	}
	return strings.Count(text[a.End:b.Start], "\n") < Apart
}

// result turns edits into truth: where the text of each first edit stands now.
func (p *planting) result() (Planted, error) {
	out := Planted{Files: p.files}
	type entry struct {
		env.Defect
		operator string
		decoy    bool
	}
	var entries []entry
	for _, plant := range p.plants {
		e := plant.site.Edits[0]
		line, end, err := p.place(e)
		if err != nil {
			return Planted{}, fmt.Errorf("%s: %w", plant.operator.Name, err)
		}
		entries = append(entries, entry{operator: plant.operator.Name, decoy: plant.operator.Decoy, Defect: env.Defect{
			File: e.File, Line: line, EndLine: end, Category: plant.operator.Category, CWE: plant.operator.CWE, Severity: plant.operator.Severity,
			Description: plant.site.Description, CrossFile: plant.operator.CrossFile}})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	var decoys []string
	for _, e := range entries {
		if e.decoy {
			out.Decoys = append(out.Decoys, env.Decoy{File: e.File, Line: e.Line, EndLine: e.EndLine, Category: e.Category, Why: e.Description})
			decoys = append(decoys, e.operator)
			continue
		}
		out.Defects = append(out.Defects, e.Defect)
		out.Operators = append(out.Operators, e.operator)
	}
	out.Operators = append(out.Operators, decoys...)
	return out, nil
}

// place gives the lines on which an edit's text stands in the planted file.
func (p *planting) place(e Edit) (line, end int, err error) {
	start := e.Start
	for _, other := range p.edits[e.File] {
		if other.Start < e.Start || other.Start == e.Start && other.End == e.Start && other != e {
			start += len(other.Text) - (other.End - other.Start)
		}
	}
	text := p.files[e.File]
	if start < 0 || start+len(e.Text) > len(text) || text[start:start+len(e.Text)] != e.Text {
		return 0, 0, fmt.Errorf("an edit of %s is not where it should be", e.File)
	}
	stop := start + len(e.Text)
	if body := strings.TrimSpace(e.Text); body != "" {
		start += strings.Index(e.Text, body)
		stop = start + len(body)
	}
	line = 1 + strings.Count(text[:start], "\n")
	end = line + strings.Count(text[start:max(start, stop)], "\n")
	if last := strings.Count(text, "\n") + 1; end > last {
		end = last
	}
	return line, end, nil
}

// Seed derives a seed from a text, so that several things of one task do not share their randomness.
func Seed(base int64, parts ...string) int64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d", base)
	for _, part := range parts {
		fmt.Fprintf(h, "\x00%s", part)
	}
	return int64(h.Sum64() &^ (1 << 63))
}
