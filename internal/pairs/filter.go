package pairs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/pairs/similar"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// pick is a pair of programs that may become a pair.
type pick struct {
	chosen, rejected *candidate
	delta            float64 // of scores
	similarity       float64 // of tokens
	ratio            float64 // log of rejected length over chosen length: above 0 the chosen one is shorter
	source           string  // the rejected side's
	shapeless        bool
	// fit is how well the pair suits: larger is better.
	fit float64
	// draw decides between equals.
	draw uint64
}

// pair makes all pairs of a task's chosen and rejected programs. A mutant goes with its own parent only, from which it
// differs in nothing else.
func (b *builder) pair(chosen, rejected []*candidate) []pick {
	byTask := map[int][]*candidate{}
	for _, c := range chosen {
		byTask[c.task] = append(byTask[c.task], c)
	}
	var pool []pick
	for _, r := range rejected {
		for _, c := range byTask[r.task] {
			if r.parent != nil && r.parent != c {
				continue
			}
			if c.kind == fromReference && r.parent == nil {
				continue // its authors' style would tell it from any model's program
			}
			pool = append(pool, b.measured(c, r))
		}
	}
	b.funnel.step("paired within their task", "pairs", len(pool), len(pool),
		"nothing: every right program with every wrong one of its task, a mutant with its parent")
	return pool
}

func (b *builder) measured(c, r *candidate) pick {
	p := pick{chosen: c, rejected: r, delta: c.result.score(b.Score) - r.result.score(b.Score), similarity: similar.Edit(c.code, r.code),
		source: r.origin.Source, shapeless: r.result.shapeless(), draw: b.draw(c.code + "\x00" + r.code)}
	p.ratio = math.Log(float64(max(utf8.RuneCountInString(r.code), 1)) / float64(max(utf8.RuneCountInString(c.code), 1)))
	away := max(0, 0.5-p.similarity) + max(0, p.similarity-0.95)
	p.fit = -4*away - math.Abs(p.ratio) + 0.5*p.delta
	return p
}

// filter drops pairs by their properties, one reason after the other.
func (b *builder) filter(pool []pick) []pick {
	pool = b.keep(pool, "more than layout differs", "with the same tokens but for comments and fences", func(p pick) bool {
		return !slices.Equal(bare(p.chosen.code), bare(p.rejected.code))
	})
	pool = b.keep(pool, "score difference", "with scores too close", func(p pick) bool { return p.delta >= b.MinDelta-1e-9 })
	pool = b.keep(pool, "length ratio", "with one side too long", func(p pick) bool {
		return b.LengthRatio < 0 || math.Abs(p.ratio) <= math.Log(b.LengthRatio)
	})
	pool = b.keep(pool, "edit similarity", "with programs that have too little in common to learn from", func(p pick) bool {
		return p.similarity >= b.MinSimilarity
	})
	words := b.evalWords()
	clean := map[*candidate]bool{}
	for _, c := range programsIn(pool) {
		clean[c] = !slices.ContainsFunc(words, func(e evalGrams) bool { return e.holds(c.code, e.set.own(&b.Set.Tasks[c.task])) })
	}
	return b.keep(pool, "decontamination of programs", "with a run of words of an evaluation set's task or solution in a program",
		func(p pick) bool {
			return clean[p.chosen] && clean[p.rejected]
		})
}

func (b *builder) keep(pool []pick, name, why string, good func(pick) bool) []pick {
	var out []pick
	for _, p := range pool {
		if good(p) {
			out = append(out, p)
		}
	}
	b.funnel.step(name, "pairs", len(pool), len(out), why)
	return out
}

// bare are the tokens of a program without comments and fences.
func bare(code string) []string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, fence) {
			continue
		}
		if i := strings.Index(line, "  #"); i >= 0 && !strings.ContainsAny(line[i:], `"'`) {
			line = line[:i] + "\n"
		}
		b.WriteString(line)
	}
	return similar.Tokens(b.String())
}

// steady runs the programs that are left several times, with other random seeds, and drops pairs of those whose verdict
// varies.
func (b *builder) steady(ctx context.Context, pool []pick) ([]pick, error) {
	if b.Repeat < 2 || len(pool) == 0 {
		return pool, nil
	}
	v, err := b.again(ctx, b.Repeat)
	if err != nil {
		return nil, err
	}
	flaky, err := verify.Each(ctx, programsIn(pool), b.Workers, b.stage("runs with other seeds"),
		func(ctx context.Context, p *candidate) (bool, error) {
			t, _ := b.Set.Find(b.tasks[p.task].ID)
			key := hash("again\x00" + b.hashes[p.task] + b.Build + "\x00" + p.code)
			if known, ok := b.memory.get(key); ok {
				return known.Error == "flaky", nil
			}
			r, err := v.Judge(ctx, t, p.code)
			if err != nil {
				return false, err
			}
			varies := r.Flaky || r.Passed != p.result.given() || r.Verdict == sandbox.InfraError
			known := &Scored{Verdict: r.Verdict}
			if varies {
				known.Error = "flaky"
			}
			return varies, b.memory.put(key, known)
		})
	if err != nil {
		return nil, err
	}
	return b.keep(pool, "same verdict with other seeds", "of programs whose verdict varies from run to run", func(p pick) bool {
		return !flaky[p.chosen] && !flaky[p.rejected]
	}), nil
}

// programsIn are the programs of pairs, each once.
func programsIn(pool []pick) []*candidate {
	seen := map[*candidate]bool{}
	var out []*candidate
	for _, p := range pool {
		for _, c := range []*candidate{p.chosen, p.rejected} {
			if !seen[c] {
				seen[c] = true
				out = append(out, c)
			}
		}
	}
	return out
}

// choose takes pairs from the pool: the best of each task, sources in their proportions, long and short in balance.
func (b *builder) choose(pool []pick) []pick {
	pool = b.distinct(pool)
	capped := b.mix(pool)
	b.funnel.step("cap per task, sources mixed", "pairs", len(pool), len(capped), "beyond the best of their task")
	limit := b.shapely(capped)
	b.funnel.step("cap on programs that do not parse or lack the function", "pairs", len(capped), len(limit), "beyond their share")
	level := limit
	if b.Balance >= 0 {
		level = balance(limit, b.Balance)
		b.funnel.step("balance of lengths", "pairs", len(limit), len(level), "with the chosen side shorter, or longer, where that is more common")
	}
	return level
}

// distinct drops pairs that are nearly another one, of any task, the better one staying.
func (b *builder) distinct(pool []pick) []pick {
	if b.Near < 0 {
		return pool
	}
	ordered := slices.Clone(pool)
	slices.SortFunc(ordered, func(p, q pick) int { // a source with more weight is not crowded out by mutants
		return cmp.Or(cmp.Compare(b.weight(q.source), b.weight(p.source)), better(p, q))
	})
	var index similar.Index
	return b.keep(ordered, "near-duplicates", "nearly the same as a better pair of this or another task", func(p pick) bool {
		s := similar.NewSet(p.chosen.code, p.rejected.code)
		if len(index.Near(s, b.Near)) > 0 {
			return false
		}
		index.Add(s)
		return true
	})
}

// kindOfMistake is the mutant's operator, or the exception that a program ended with.
func (p pick) kindOfMistake() string {
	return "mistake " + p.rejected.origin.Operator + p.rejected.result.Error
}

func better(p, q pick) int {
	return cmp.Or(cmp.Compare(q.fit, p.fit), cmp.Compare(p.draw, q.draw), strings.Compare(p.rejected.code, q.rejected.code))
}

// mix goes round the tasks, taking one pair of each at a time. The source with the smallest share, measured against its
// weight, comes first; then the length that is short of pairs; then programs that the task has not used; then fit.
func (b *builder) mix(pool []pick) []pick {
	byTask := map[int][]pick{}
	var tasks []int
	for _, p := range pool {
		if byTask[p.chosen.task] == nil {
			tasks = append(tasks, p.chosen.task)
		}
		byTask[p.chosen.task] = append(byTask[p.chosen.task], p)
	}
	slices.SortFunc(tasks, func(x, y int) int { return cmp.Compare(b.draw(b.tasks[x].ID), b.draw(b.tasks[y].ID)) })
	taken := map[string]int{}
	used := map[*candidate]int{}
	balance := 0
	var out []pick
	for round := 0; b.PerTask < 0 || round < b.PerTask; round++ {
		progress := false
		for _, task := range tasks {
			left := byTask[task]
			if len(left) == 0 {
				continue
			}
			progress = true
			best := 0
			for i := range left {
				if b.before(left[i], left[best], taken, used, balance) {
					best = i
				}
			}
			p := left[best]
			byTask[task] = slices.Delete(left, best, best+1)
			taken[p.source]++
			taken[p.kindOfMistake()]++
			used[p.chosen]++
			used[p.rejected] += 2 // the mistake should differ more than the right program
			balance += direction(p)
			out = append(out, p)
		}
		if !progress {
			break
		}
	}
	return out
}

func (b *builder) before(p, q pick, taken map[string]int, used map[*candidate]int, balance int) bool {
	if p.source != q.source {
		x, y := float64(taken[p.source]+1)/b.weight(p.source), float64(taken[q.source]+1)/b.weight(q.source)
		if x != y {
			return x < y
		}
	}
	if x, y := -direction(p)*balance, -direction(q)*balance; (x > 0) != (y > 0) {
		return x > 0
	}
	if x, y := used[p.chosen]+used[p.rejected], used[q.chosen]+used[q.rejected]; x != y {
		return x < y
	}
	if x, y := taken[p.kindOfMistake()], taken[q.kindOfMistake()]; x != y {
		return x < y
	}
	return better(p, q) < 0
}

func (b *builder) weight(source string) float64 {
	if w := b.weights[source]; w > 0 {
		return w
	}
	return 1
}

// shapely drops the worst of the pairs whose rejected program has no shape, down to their share of all.
func (b *builder) shapely(pool []pick) []pick {
	b.SyntaxShare = max(b.SyntaxShare, 0)
	n := 0
	for _, p := range pool {
		n += int(truth(p.shapeless))
	}
	others := len(pool) - n
	most := int(b.SyntaxShare * float64(others) / max(1-b.SyntaxShare, 1e-9)) // of all, themselves included
	if n <= most {
		return pool
	}
	return slices.DeleteFunc(slices.Clone(pool), func(p pick) bool { // in the order in which they were taken: the best came first
		if p.shapeless {
			most--
		}
		return p.shapeless && most < 0
	})
}
