package pairs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/pairs/similar"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// reverify runs the programs of the final pairs once more, remembering nothing, by the dataset's own tests.
func (b *builder) reverify(ctx context.Context, picked []pick) (runfile.Reverified, error) {
	v, err := b.again(ctx, 1)
	if err != nil {
		return runfile.Reverified{}, err
	}
	results, err := verify.Each(ctx, programsIn(picked), b.Workers, b.stage("programs of the final pairs"),
		func(ctx context.Context, p *candidate) (verify.Result, error) {
			t, _ := b.Set.Find(b.tasks[p.task].ID)
			return v.Judge(ctx, t, p.code)
		})
	if err != nil {
		return runfile.Reverified{}, err
	}
	out := runfile.Reverified{Total: len(picked), Wrong: []runfile.WrongLabel{}}
	for i, p := range picked {
		named := Pair{TaskID: b.tasks[p.chosen.task].ID, Line: i + 1}
		chosen, rejected := results[p.chosen], results[p.rejected]
		switch {
		case !chosen.Passed:
			out.Wrong = append(out.Wrong, wrong(named, "chosen", chosen))
		case rejected.Passed || rejected.Verdict == sandbox.InfraError:
			out.Wrong = append(out.Wrong, wrong(named, "rejected", rejected))
		default:
			out.OK++
		}
	}
	return out, nil
}

// write splits the pairs, puts them in order, audits and writes them.
func (b *builder) write(ctx context.Context, picked []pick, out *runfile.PairBuild) error {
	train, heldout := b.split(picked)
	out.Train, out.Heldout, out.TrainTasks, out.HeldoutTasks = len(train), len(heldout), tasksIn(train), tasksIn(heldout)
	b.curriculum(train)
	b.curriculum(heldout)
	files := []struct {
		name  string
		pairs []pick
	}{{TrainName, train}, {HeldoutName, heldout}}
	out.Subsets = []int{}
	ranked := b.ranked(train)
	for _, size := range b.Sizes {
		if size < 1 || size >= len(train) {
			continue
		}
		subset := slices.Clone(ranked[:size])
		b.curriculum(subset)
		out.Subsets = append(out.Subsets, size)
		files = append(files, struct {
			name  string
			pairs []pick
		}{fmt.Sprintf("subset-%d.jsonl", size), subset})
	}
	for _, f := range files {
		if err := b.Dir.Write(f.name, func(w io.Writer) error { return b.encode(w, f.pairs) }); err != nil {
			return err
		}
	}
	var text strings.Builder
	if err := b.encode(&text, slices.Concat(train, heldout)); err != nil {
		return err
	}
	written, err := Read(strings.NewReader(text.String()), TrainName)
	if err != nil {
		return err
	}
	// Nothing is run here: reverify has just run the same programs.
	out.Audit, err = Audit(ctx, written, AuditConfig{File: TrainName + " and " + HeldoutName, Set: b.Set, Evals: b.Evals, Now: b.Now})
	if err != nil {
		return err
	}
	if err := b.Dir.WriteJSON(summaryName, out); err != nil {
		return err
	}
	return b.Dir.Write(cardName, func(w io.Writer) error { return b.card(w, out) })
}

// split holds out whole tasks. Tasks whose right programs are nearly the same go to the same side.
func (b *builder) split(picked []pick) (train, heldout []pick) {
	group := map[int]int{} // task -> smallest task of its group
	var find func(int) int
	find = func(t int) int {
		if g, ok := group[t]; ok && g != t {
			return find(g)
		}
		return t
	}
	var index similar.Index
	var owner []int
	for _, p := range picked {
		s := similar.NewSet(p.chosen.code)
		for _, n := range index.Near(s, nearly) {
			x, y := find(owner[n]), find(p.chosen.task)
			group[max(x, y)] = min(x, y)
		}
		index.Add(s)
		owner = append(owner, p.chosen.task)
	}
	var groups []int
	size := map[int]int{}
	for _, p := range picked {
		g := find(p.chosen.task)
		if size[g] == 0 {
			groups = append(groups, g)
		}
		size[g]++
	}
	slices.SortFunc(groups, func(x, y int) int {
		return cmp.Compare(b.draw("heldout"+b.tasks[x].ID), b.draw("heldout"+b.tasks[y].ID))
	})
	out := map[int]bool{}
	want := int(math.Round(max(b.Heldout, 0) * float64(len(picked))))
	for _, g := range groups {
		if len(groups) < 2 || want <= 0 {
			break
		}
		out[g] = true
		want -= size[g]
	}
	for _, p := range picked {
		if out[find(p.chosen.task)] {
			heldout = append(heldout, p)
		} else {
			train = append(train, p)
		}
	}
	return train, heldout
}

// curriculum puts pairs in the order in which they are best learnt: tasks that the model often solves first, then large
// differences of score, then programs that differ much.
func (b *builder) curriculum(pairs []pick) {
	slices.SortFunc(pairs, func(p, q pick) int {
		return cmp.Or(cmp.Compare(b.rate(q), b.rate(p)), cmp.Compare(q.delta, p.delta), cmp.Compare(p.similarity, q.similarity),
			cmp.Compare(p.draw, q.draw))
	})
}

// rate is the share of a task's samples that pass; a half if there are none.
func (b *builder) rate(p pick) float64 {
	r := b.rates[p.chosen.task]
	if r.total == 0 {
		return 0.5
	}
	return float64(r.passed) / float64(r.total)
}

// ranked orders pairs so that any first part of them is spread over as many tasks as can be: each task's best first.
func (b *builder) ranked(pairs []pick) []pick {
	ordered := slices.Clone(pairs)
	slices.SortFunc(ordered, better)
	place := map[uint64]int{}
	count := map[int]int{}
	for _, p := range ordered {
		place[p.draw] = count[p.chosen.task]
		count[p.chosen.task]++
	}
	slices.SortStableFunc(ordered, func(p, q pick) int {
		return cmp.Or(cmp.Compare(place[p.draw], place[q.draw]),
			cmp.Compare(b.draw(b.tasks[p.chosen.task].ID), b.draw(b.tasks[q.chosen.task].ID)))
	})
	return ordered
}

func tasksIn(pairs []pick) int {
	seen := map[int]bool{}
	for _, p := range pairs {
		seen[p.chosen.task] = true
	}
	return len(seen)
}

// encode writes pairs one a line.
func (b *builder) encode(w io.Writer, pairs []pick) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, p := range pairs {
		t := b.tasks[p.chosen.task]
		one := runfile.PairRow{TaskID: t.ID, Prompt: prompt(b.Set.Tasks[p.chosen.task], b.Answers), Chosen: answer(p.chosen.code, b.Answers),
			Rejected: answer(p.rejected.code, b.Answers),
			Provenance: runfile.PairProvenance{Dataset: b.Set.Info.Name, Tests: b.hashes[p.chosen.task], Sandbox: b.Sandbox,
				Version: b.Version, Seed: b.Seed, Chosen: b.from(p.chosen), Rejected: b.from(p.rejected), Delta: rounded(p.delta),
				Similarity: new(rounded(p.similarity))}}
		if r := b.rates[p.chosen.task]; r.total > 0 {
			one.Provenance.TaskPassRate = new(rounded(b.rate(p)))
		}
		if err := enc.Encode(one); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) from(c *candidate) runfile.PairProgram {
	score := rounded(c.result.score(b.Score))
	return runfile.PairProgram{PairOrigin: c.origin, Score: &score, PairOutcome: runfile.PairOutcome(*c.result)}
}

func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// answer is a program as it is in a pair.
func answer(code, form string) string {
	if form == Fenced {
		return fence + "python\n" + strings.TrimRight(code, "\n") + "\n" + fence
	}
	return code
}

// prompt asks for a task's program, with the name and head of the function and the first public test.
func prompt(t dataset.Task, form string) string {
	var b strings.Builder
	how := "Answer with the code alone."
	if form == Fenced {
		how = "Answer with the code in one python code block."
	}
	switch {
	case t.Prefix != "":
		fmt.Fprintf(&b, "Complete this Python function. Give the whole program. %s\n\n%s", how, strings.TrimRight(t.Prefix, " \n"))
	case t.Entry != "":
		fmt.Fprintf(&b, "%s\n\nThe function must be called `%s`", strings.TrimSpace(t.Text), t.Entry)
		if t.Signature != "" {
			fmt.Fprintf(&b, " and begin with `%s`", strings.TrimSpace(t.Signature))
		}
		fmt.Fprintf(&b, ". %s", how)
		if public := t.Public(); len(public) > 0 {
			fmt.Fprintf(&b, "\n\nIt must pass this test:\n\n%s", strings.TrimSpace(public[0]))
		}
	default:
		fmt.Fprintf(&b, "%s\n\nThe program reads standard input and writes to standard output. %s", strings.TrimSpace(t.Text), how)
	}
	return b.String()
}

// shares counts the pairs of each source.
func (b *builder) shares(picked []pick) []runfile.PairSource {
	count := map[string]int{}
	for _, p := range picked {
		count[p.source]++
	}
	var names []string
	for name := range b.weights {
		if name != fromReference && (count[name] > 0 || name != fromRejects && name != fromMutants) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := []runfile.PairSource{}
	for _, name := range names {
		out = append(out, runfile.PairSource{Source: name, Weight: b.weights[name], Pairs: count[name]})
	}
	return out
}
