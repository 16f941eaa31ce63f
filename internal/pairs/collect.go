package pairs

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/pairs/similar"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

const (
	// mostChosen and mostRejected bound how many programs of one task can become pairs.
	mostChosen   = 12
	mostRejected = 24
)

// refuse closes the tasks that no pair may be made of.
func (b *builder) refuse() {
	n := len(b.tasks)
	left := 0
	for i, t := range b.tasks {
		b.open[i] = b.TestSplit || !measures(t)
		left += int(truth(b.open[i]))
	}
	if !b.TestSplit {
		b.funnel.step(splitStep, "tasks", n, left, "of the test split, or of a set without splits: models are measured on them")
	}
	if b.Limit > 0 {
		was := left
		left = 0
		for i := range b.tasks {
			b.open[i] = b.open[i] && left < b.Limit
			left += int(truth(b.open[i]))
		}
		b.funnel.step("first tasks only", "tasks", was, left, "beyond --limit")
	}
	before := left
	for _, e := range b.evalWords() {
		for i, t := range b.tasks {
			if !b.open[i] {
				continue
			}
			own := e.set.own(&b.tasks[i])
			if e.holds(t.Text, own) || e.holds(t.Canonical, own) || own >= 0 && !b.TestSplit {
				b.open[i] = false
				left--
			}
		}
	}
	b.funnel.step("decontamination of tasks", "tasks", before, left, "sharing a run of words with a task or a solution of an evaluation set")
}

// evalGrams are the runs of words of an evaluation set.
type evalGrams struct {
	set   *evalSet
	grams *similar.Grams
}

// holds reports words of the set in a text; those of the set's task own do not count.
func (e evalGrams) holds(text string, own int) bool {
	_, ok := e.grams.Find(text, own)
	return ok
}

func (b *builder) evalWords() []evalGrams {
	var out []evalGrams
	for _, e := range evalSets(b.Set, b.Evals) {
		grams := similar.NewGrams(b.Gram)
		for i, t := range e.tasks {
			grams.Add(t.Text, i)
			grams.Add(t.Canonical, i)
		}
		out = append(out, evalGrams{e, grams})
	}
	return out
}

// collect gathers the programs of all sources but mutants, each once.
func (b *builder) collect(ctx context.Context) ([]*candidate, error) {
	var all []*candidate
	seen := map[string]bool{}
	read, open, found := 0, 0, 0
	add := func(c *candidate) {
		key := b.tasks[c.task].ID + "\x00" + c.code
		if !seen[key] {
			seen[key] = true
			all = append(all, c)
		}
	}
	number := map[string]int{}
	for i, t := range b.tasks {
		number[t.ID] = i
	}
	for i := range b.Samples {
		f := &b.Samples[i]
		if f.Name == "" {
			f.Name = f.Source.Name
		}
		if f.Weight <= 0 {
			f.Weight = 1
		}
		b.weights[f.Name] = f.Weight
		inventory, err := verify.Inspect(ctx, f.Source, b.Set, nil)
		if err != nil {
			return nil, err
		}
		for s, err := range inventory.Of(f.Source) {
			if err != nil {
				return nil, err
			}
			read++
			t, _ := b.Set.Find(s.TaskID)
			at := number[t.ID]
			if !b.open[at] {
				continue
			}
			open++
			b.rates[at].total++
			code, err := b.code(ctx, at, s)
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(code) == "" {
				continue
			}
			found++
			add(&candidate{task: at, code: code, kind: fromSamples, origin: origin(f.Name, s)})
		}
	}
	programs := len(all)
	if len(b.Samples) > 0 {
		b.funnel.step("samples of tasks that may be used", "samples", read, open, "of refused tasks")
		b.funnel.step("code found", "samples", open, found, "without any code")
		b.funnel.step("different programs", "samples", found, programs, "the same as an earlier sample of the task")
	}
	b.weights[fromRejects], b.weights[fromMutants], b.weights[fromReference] = b.RejectWeight, b.MutantWeight, 1
	for i, t := range b.tasks {
		if !b.open[i] {
			continue
		}
		if b.References && t.Canonical != "" {
			add(&candidate{task: i, code: ended(t.Canonical), kind: fromReference, origin: runfile.PairOrigin{Source: fromReference}})
		}
		if b.RejectWeight > 0 {
			for _, code := range t.Rejects[:min(len(t.Rejects), mostRejected)] {
				add(&candidate{task: i, code: ended(code), kind: fromRejects, origin: runfile.PairOrigin{Source: fromRejects}})
			}
		}
	}
	return all, nil
}

// code is the program in a sample.
func (b *builder) code(ctx context.Context, task int, s verify.Sample) (string, error) {
	if s.Solution != nil {
		return ended(*s.Solution), nil
	}
	mode := s.Mode
	if mode == "" {
		mode = b.guess(task, s)
	}
	found, err := b.Extract.Extract(ctx, b.tasks[task], s.Text(), mode)
	return ended(found.Code), err
}

// ended is a program with one line end at its end, and Unix ones within: how a file ends should tell nothing.
func ended(code string) string {
	return strings.TrimRight(strings.ReplaceAll(code, "\r\n", "\n"), " \t\r\n") + "\n"
}

// guess says how a sample that does not say it was asked for.
func (b *builder) guess(task int, s verify.Sample) extract.Mode {
	if b.tasks[task].Prefix != "" && !strings.Contains(s.Text(), fence) {
		return extract.Complete
	}
	return extract.Chat
}

// origin reads what a sample says about itself.
func origin(file string, s verify.Sample) runfile.PairOrigin {
	o := runfile.PairOrigin{Source: file, Sample: &s.Index}
	read := func(names []string, to any) {
		for _, name := range names {
			if raw, ok := s.Extra[name]; ok && !isNull(raw) && json.Unmarshal(raw, to) == nil {
				return
			}
		}
	}
	read([]string{"model", "generator"}, &o.Generator)
	read([]string{"temperature"}, &o.Temperature)
	read([]string{"seed"}, &o.Seed)
	return o
}

// agree takes out mutated tests that most right programs fail: then the input is outside the task, and the reference's
// answer to it is an accident.
func (b *builder) agree(programs []*candidate) {
	votes := make([][]*Scored, len(b.tasks))
	for _, p := range programs {
		if p.kind == fromSamples && p.result.given() {
			votes[p.task] = append(votes[p.task], p.result)
		}
	}
	made, left := 0, 0
	dropped := map[int]map[int]bool{} // task -> mutated tests, counted from 0
	for at, of := range votes {
		n := 0
		for _, t := range b.tasks[at].Tests {
			n += int(truth(isMutated(t)))
		}
		made += n
		for i := range n {
			pass := 0
			for _, s := range of {
				pass += int(truth(i < len(s.Mutated) && s.Mutated[i] == '1'))
			}
			if len(of) >= 2 && 2*pass < len(of) {
				if dropped[at] == nil {
					dropped[at] = map[int]bool{}
				}
				dropped[at][i] = true
				continue
			}
			left++
		}
	}
	if made == 0 {
		return
	}
	b.funnel.step("mutated tests agreed on", "tests", made, left, "failed by most programs that pass all of the dataset's tests")
	for _, p := range programs {
		if gone := dropped[p.task]; gone != nil {
			p.result = without(p.result, gone)
		}
	}
	for at, gone := range dropped {
		var tests = b.tasks[at].Tests[:0:0]
		i := 0
		for _, t := range b.tasks[at].Tests {
			if isMutated(t) {
				if i++; gone[i-1] {
					continue
				}
			}
			tests = append(tests, t)
		}
		b.tasks[at].Tests = tests
		b.hashes[at] = testHash(b.tasks[at])
	}
}

func without(s *Scored, gone map[int]bool) *Scored {
	out := *s
	out.Mutated = ""
	for i := range len(s.Mutated) {
		if !gone[i] {
			out.Mutated += s.Mutated[i : i+1]
		}
	}
	return &out
}

// sort tells programs to choose from programs to reject.
func (b *builder) sort(programs []*candidate) (chosen, rejected []*candidate) {
	var infra, clock, disputed, known, nameless int
	for _, p := range programs {
		r := p.result
		if p.kind == fromSamples && r.all() {
			b.rates[p.task].passed++
		}
		switch {
		case r.Verdict == sandbox.InfraError:
			infra++
		case r.Clock:
			clock++
		case r.Verdict == sandbox.NoEntryPoint:
			nameless++
		case p.kind == fromRejects && r.given():
			known++
		case r.given() && !r.all():
			disputed++
		case r.all():
			chosen = append(chosen, p)
		default:
			rejected = append(rejected, p)
		}
	}
	n := len(programs)
	b.funnel.step("judged by the sandbox", "programs", n, n-infra, "without a verdict: the sandbox failed")
	b.funnel.step("ended by steps, not by the clock", "programs", n-infra, n-infra-clock, "timeouts that another machine may not see")
	n -= infra + clock
	b.funnel.step("defining what the task asks for", "programs", n, n-nameless, "without the entry point: not a wrong answer, but none")
	n -= nameless
	b.funnel.step("known to be wrong, and wrong", "programs", n, n-known, "the dataset's rejects that pass its tests")
	n -= known
	b.funnel.step("undisputed", "programs", n, n-disputed, "passing the dataset's tests and failing mutated ones: neither chosen nor rejected")
	return b.few(chosen, mostChosen, "right programs, different ones"), b.few(rejected, mostRejected, "wrong programs, different ones")
}

// few leaves at most so many programs of a task, no two of which are near-duplicates, those of samples before others.
func (b *builder) few(programs []*candidate, most int, name string) []*candidate {
	indexes := map[int]*similar.Index{}
	count := map[int]int{}
	ordered := slices.Clone(programs)
	slices.SortStableFunc(ordered, func(x, y *candidate) int {
		return cmp.Or(cmp.Compare(x.task, y.task), cmp.Compare(truth(x.kind == fromReference), truth(y.kind == fromReference)),
			cmp.Compare(b.draw(x.code), b.draw(y.code)))
	})
	var out []*candidate
	for _, p := range ordered {
		index := indexes[p.task]
		if index == nil {
			index = &similar.Index{}
			indexes[p.task] = index
		}
		set := similar.NewSet(p.code)
		if count[p.task] == most || b.Near > 0 && len(index.Near(set, max(b.Near, nearly))) > 0 {
			continue
		}
		index.Add(set)
		count[p.task]++
		out = append(out, p)
	}
	b.funnel.step(name, "programs", len(programs), len(out), "nearly the same as another one of the task, or beyond the most that are taken")
	return out
}

// draw is a number for a text that depends only on the seed.
func (b *builder) draw(text string) uint64 {
	return scramble(string(rune(b.Seed&0xffff)) + string(rune(b.Seed>>16&0xffff)) + text)
}
