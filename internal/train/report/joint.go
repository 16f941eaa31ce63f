package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Joint is several trainings side by side.
type Joint struct {
	Runs   []Line  `json:"runs"`
	Groups []Group `json:"groups"`
	// Effects part what training did from what size did; empty unless there are groups of several sizes.
	Effects []Effect `json:"effects,omitempty"`
	Caveats []string `json:"caveats"`
}

// Line is one training.
type Line struct {
	Run         string       `json:"run"`
	Engine      string       `json:"engine"`
	Method      string       `json:"method"`
	Status      trace.Status `json:"status"`
	Size        string       `json:"size,omitempty"`
	Parameters  int          `json:"parameters"`
	Seed        int64        `json:"seed"`
	Steps       int          `json:"steps"`
	Environment string       `json:"environment"`
	Measured    string       `json:"measured_in"`
	Before      *Figure      `json:"before"`
	After       *Figure      `json:"after"`
	// Diff is after less before, by tasks; P its permutation test.
	Diff *Figure  `json:"difference"`
	P    *float64 `json:"p"`
	// Zero is the share of rollouts without a dispatch, Turns and Over likewise: before and after.
	Zero  [2]*float64 `json:"zero_delegation"`
	Over  [2]*float64 `json:"over_exploration"`
	Turns [2]*float64 `json:"turns"`

	settings string
}

// Figure is a mean with its interval.
type Figure struct {
	Mean float64        `json:"mean"`
	CI   stats.Interval `json:"ci95"`
}

// Group is the trainings that differ only in the seed. Its intervals are over trainings, not over tasks.
type Group struct {
	Name       string  `json:"name"`
	Size       string  `json:"size,omitempty"`
	Parameters int     `json:"parameters"`
	Seeds      []int64 `json:"seeds"`
	Before     *Figure `json:"before"`
	After      *Figure `json:"after"`
	Diff       *Figure `json:"difference"`
	ZeroBefore *Figure `json:"zero_delegation_before"`
	ZeroAfter  *Figure `json:"zero_delegation_after"`
	// kind is what groups have in common whose sizes can be compared.
	kind string
}

// Effect is a difference between two groups, or within one.
type Effect struct {
	Kind   string  `json:"kind"` // size or training
	From   string  `json:"from"`
	To     string  `json:"to"`
	Points float64 `json:"difference"` // of mean rewards
}

// Join sets trainings side by side.
func Join(runs []runfile.TrainingSummary) (Joint, error) {
	if len(runs) == 0 {
		return Joint{}, errors.New("there are no trainings to compare")
	}
	var j Joint
	var members [][]Line
	var twice []string
	for _, s := range runs {
		l := lineOf(s)
		j.Runs = append(j.Runs, l)
		at := slices.IndexFunc(members, func(g []Line) bool {
			return l.settings != "" && g[0].settings == l.settings && g[0].Parameters == l.Parameters // --from says nothing of the size
		})
		if at < 0 {
			members = append(members, []Line{l})
		} else if i := slices.IndexFunc(members[at], func(m Line) bool { return m.Seed == l.Seed }); i >= 0 {
			twice = append(twice, fmt.Sprintf("%s and %s have the same settings and the seed %d: they are one training, and only the first "+
				"counts over seeds.", members[at][i].Run, l.Run, l.Seed))
		} else {
			members[at] = append(members[at], l)
		}
	}
	for _, g := range members {
		j.Groups = append(j.Groups, groupOf(g))
	}
	j.Effects = effects(j.Groups)
	j.explain(runs)
	j.Caveats = append(j.Caveats, twice...)
	return j, nil
}

func lineOf(s runfile.TrainingSummary) Line {
	l := Line{Run: s.Run, Engine: s.Engine, Method: s.Method, Status: s.Status, Size: s.Size, Parameters: s.Parameters, Seed: s.Seed,
		Steps:       s.Steps,
		Environment: s.Environment, Measured: s.Measured, settings: s.Settings}
	for i, e := range []*runfile.EvalSummary{s.Before, s.After} {
		if e == nil {
			continue
		}
		if e.Reward.Mean != nil {
			f := &Figure{Mean: *e.Reward.Mean, CI: stats.Interval{Level: 0.95, Why: e.Reward.CIWhy}}
			if ci := e.Reward.CI95; ci != nil {
				f.CI = stats.Interval{Lo: ci[0], Hi: ci[1], Level: 0.95, Method: e.Reward.CIHow}
			}
			*[]**Figure{&l.Before, &l.After}[i] = f
		}
		l.Zero[i] = e.ZeroDelegationRate
		if e.OverExploration != nil {
			l.Over[i] = &e.OverExploration.Rate
		}
		l.Turns[i] = e.Metrics["num_turns"].Mean
	}
	if s.Test != nil {
		l.Diff, l.P = &Figure{s.Test.Diff, s.Test.CI}, &s.Test.P
	}
	return l
}

// groupOf takes means over trainings.
func groupOf(lines []Line) Group {
	first := lines[0]
	g := Group{Size: first.Size, Parameters: first.Parameters}
	g.kind = strings.Join([]string{first.Engine, first.Method, first.Environment, first.Measured}, " ")
	words := []string{first.Method}
	if first.Engine != "embedded" {
		words = append(words, first.Engine)
	}
	if first.Size != "" {
		words = append(words, first.Size)
	}
	if first.Environment != first.Measured {
		words = append(words, "trained in "+first.Environment)
	}
	g.Name = strings.Join(append(words, fmt.Sprintf("%d steps", first.Steps)), ", ")
	pick := func(of func(Line) *float64, lowest float64) *Figure {
		var all []float64
		for _, l := range lines {
			if v := of(l); v != nil {
				all = append(all, *v)
			}
		}
		if len(all) == 0 {
			return nil
		}
		return &Figure{stats.Summarize(all).Mean, stats.MeanCI(stats.Singles(all), stats.MeanOptions{Min: lowest, Max: 1})}
	}
	mean := func(f *Figure) *float64 {
		if f == nil {
			return nil
		}
		return &f.Mean
	}
	for _, l := range lines {
		g.Seeds = append(g.Seeds, l.Seed)
	}
	g.Before, g.After = pick(func(l Line) *float64 { return mean(l.Before) }, 0), pick(func(l Line) *float64 { return mean(l.After) }, 0)
	g.Diff = pick(func(l Line) *float64 { return mean(l.Diff) }, -1)
	g.ZeroBefore, g.ZeroAfter = pick(func(l Line) *float64 { return l.Zero[0] }, 0), pick(func(l Line) *float64 { return l.Zero[1] }, 0)
	return g
}

// effects compares groups that differ in their size: what size does before any training, what training does at each size,
// and what both do.
func effects(groups []Group) []Effect {
	var out []Effect
	for i, g := range groups {
		for _, h := range groups[i+1:] {
			a, b := g, h
			if a.kind != b.kind || a.Parameters == b.Parameters || a.Parameters == 0 || b.Parameters == 0 {
				continue
			}
			if a.Parameters > b.Parameters {
				a, b = b, a
			}
			if a.Before == nil || b.Before == nil || a.After == nil || b.After == nil {
				continue
			}
			from, to := named(a), named(b)
			out = append(out,
				Effect{"size, untrained", from, to, b.Before.Mean - a.Before.Mean},
				Effect{"training", from + " untrained", from + " trained", a.After.Mean - a.Before.Mean},
				Effect{"training", to + " untrained", to + " trained", b.After.Mean - b.Before.Mean},
				Effect{"size, trained", from + " trained", to + " trained", b.After.Mean - a.After.Mean},
				Effect{"both", from + " untrained", to + " trained", b.After.Mean - a.Before.Mean})
		}
	}
	return once(out)
}

func named(g Group) string {
	if g.Size == "" {
		return Parameters(g.Parameters)
	}
	return g.Size + " (" + Parameters(g.Parameters) + ")"
}

// once leaves out what stands there already: what training does at a size is met with every other size.
func once(all []Effect) []Effect {
	seen := map[Effect]bool{}
	var out []Effect
	for _, e := range all {
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	return out
}

func (j *Joint) explain(runs []runfile.TrainingSummary) {
	j.Caveats = []string{"A run's own interval is over its held-out tasks; a group's is over trainings that differ in the seed alone, " +
		"and takes the tasks as given."}
	for _, g := range j.Groups {
		if len(g.Seeds) == 1 {
			j.Caveats = append(j.Caveats, fmt.Sprintf("%s: one training has no interval over trainings.", g.Name))
		} else if len(g.Seeds) < 5 {
			j.Caveats = append(j.Caveats, fmt.Sprintf("%s: %d trainings give a wide interval, and it takes their results as normal.", g.Name,
				len(g.Seeds)))
		}
	}
	for _, s := range runs[1:] {
		if a, b := sampleOf(runs[0]), sampleOf(s); a != b {
			j.Caveats = append(j.Caveats, fmt.Sprintf("%s and %s were not measured on the same tasks (%s; %s): their rewards cannot be set "+
				"side by side.", runs[0].Run, s.Run, a, b))
		}
	}
	if len(j.Effects) > 0 {
		j.Caveats = append(j.Caveats, "Effects are differences of the groups' means, without intervals of their own.")
	}
}

// sampleOf says which tasks a training was measured on.
func sampleOf(s runfile.TrainingSummary) string {
	e := cmp.Or(s.After, s.Before)
	if e == nil {
		return "none"
	}
	seed := int64(0)
	if e.Seed != nil {
		seed = *e.Seed
	}
	return fmt.Sprintf("%s %s, seed %d, %d tasks x %d", s.Measured, s.Split, seed, e.Examples, e.Rollouts)
}

// Tables are the trainings', the groups' and the effects'.
func (j Joint) Tables() []Table {
	runs := Table{Title: "Trainings", Rows: [][]string{{"Run", "Method", "Size", "Seed", "Steps", "Trained in", "Before", "After",
		"Difference", "p", "Zero delegation", "Over-exploration", "Turns"}}}
	for _, l := range j.Runs {
		p := missing
		if l.P != nil {
			p = fmt.Sprintf("%.3g", *l.P)
		}
		size := Parameters(l.Parameters)
		if l.Size != "" {
			size = l.Size + " " + size
		}
		status := ""
		if l.Status != trace.StatusCompleted {
			status = " (" + string(l.Status) + ")"
		}
		runs.Rows = append(runs.Rows, []string{l.Run + status, l.Method, size, fmt.Sprint(l.Seed), fmt.Sprint(l.Steps), l.Environment,
			l.Before.text("%.3f"), l.After.text("%.3f"),
			l.Diff.text("%+.3f"), p, change(l.Zero, 100, "%.0f%%"), change(l.Over, 100, "%.0f%%"), change(l.Turns, 1, "%.2f")})
	}
	groups := Table{Title: "Over seeds", Rows: [][]string{{"Trainings", "Parameters", "Seeds", "Before", "After", "Difference",
		"Zero delegation before", "after"}}}
	for _, g := range j.Groups {
		groups.Rows = append(groups.Rows, []string{g.Name, Parameters(g.Parameters), strings.Trim(fmt.Sprint(g.Seeds), "[]"),
			g.Before.text("%.3f"), g.After.text("%.3f"), g.Diff.text("%+.3f"),
			g.ZeroBefore.text("%.3f"), g.ZeroAfter.text("%.3f")})
	}
	out := []Table{runs, groups}
	if len(j.Effects) > 0 {
		t := Table{Title: "Training and size", Rows: [][]string{{"Effect", "From", "To", "Difference"}}}
		for _, e := range j.Effects {
			t.Rows = append(t.Rows, []string{e.Kind, e.From, e.To, fmt.Sprintf("%+.3f", e.Points)})
		}
		out = append(out, t)
	}
	return out
}

// Table is a table with a title; its first row is the head.
type Table struct {
	Title string
	Rows  [][]string
}

func (f *Figure) text(format string) string {
	if f == nil {
		return missing
	}
	text := fmt.Sprintf(format, f.Mean)
	if f.CI.OK() {
		text += " " + f.CI.String()
	}
	return text
}

// change is a quantity before and after.
func change(v [2]*float64, times float64, format string) string {
	word := func(p *float64) string {
		if p == nil {
			return missing
		}
		return fmt.Sprintf(format, times**p)
	}
	return word(v[0]) + " to " + word(v[1])
}

// WriteText prints the tables with their caveats.
func (j Joint) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, t := range j.Tables() {
		fmt.Fprintf(&b, "%s\n", t.Title)
		writeTable(&b, t.Rows)
		b.WriteString("\n")
	}
	b.WriteString("What must be known:\n")
	for _, c := range j.Caveats {
		fmt.Fprintf(&b, "- %s\n", termtext.Inline(c))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
