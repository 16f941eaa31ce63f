package pairs

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// card writes the data card: what this is, where it is from, how it was made and what is known to be wrong with it.
func (b *builder) card(w io.Writer, out *runfile.PairBuild) error {
	info := b.Set.Info
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("# Preference pairs from %s\n\n", info.Title)
	p("%s for preference training (DPO, KTO and the like): each has a prompt, a chosen program that passes every test, and a rejected "+
		"one that fails a test of the dataset. "+
		"All %d pairs were run again after the last filter: %d of %d came out as labelled.\n\n", termtext.Plural(out.Train+out.Heldout, "pair"),
		out.Reverified.Total, out.Reverified.OK, out.Reverified.Total)
	p("| file | pairs | tasks |\n|---|---|---|\n| train.jsonl | %d | %d |\n| heldout.jsonl | %d | %d |\n", out.Train, out.TrainTasks,
		out.Heldout, out.HeldoutTasks)
	for _, size := range out.Subsets {
		p("| subset-%d.jsonl | %d | part of train.jsonl and of the next larger subset |\n", size, size)
	}
	p("\nNo task is in both train and heldout. Pairs stand in curriculum order: tasks that are often solved first, then large " +
		"differences of score, then dissimilar programs. A row has `task_id`, `prompt`, `chosen`, `rejected` and `provenance`.\n")
	p("\n## Sources\n\n| source | weight | pairs |\n|---|---|---|\n")
	for _, s := range out.Sources {
		p("| %s | %g | %d |\n", cell(s.Source), s.Weight, s.Pairs)
	}
	p("\nThe source is the rejected program's. Mutants are chosen programs with one mistake made at a node of the syntax tree.\n")
	p("\n## Licence\n\nTasks and tests: %s, %s. %s\n"+
		"Programs are the output of the models named in `provenance`, and their licences apply.\n",
		cell(info.Title), cell(info.Licence), cell(info.Attribution))
	p("\n## Funnel\n\n| step | of | in | dropped | out | dropped are |\n|---|---|---|---|---|---|\n")
	for _, s := range out.Funnel {
		p("| %s | %s | %d | %d | %d | %s |\n", cell(s.Name), s.Of, s.In, s.In-s.Out, s.Out, cell(s.Why))
	}
	b.statistics(w, out.Audit)
	p("\n## How to build this again\n\n")
	if b.Command != "" {
		p("```\n%s\n```\n\n", strings.ReplaceAll(b.Command, fence, ""))
	}
	p("Seed %d, dataset SHA-256 `%s`, sandbox `%s`, deeprepo %s. The same inputs give the same files.\n", b.Seed, info.Hash,
		cell(b.Sandbox), b.Version)
	return nil
}

func (b *builder) statistics(w io.Writer, r *runfile.PairAudit) {
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("\n## Statistics and known shortcuts\n\nMeasured by `deeprepo pairs audit` on the train and held-out pairs together.\n\n| what | " +
		"value |\n|---|---|\n")
	p("| pairs a task | %d to %d, median %d |\n", r.PerTask.Min, r.PerTask.Max, r.PerTask.Median)
	if r.Dataset != nil {
		p("| tasks covered | %d of the dataset's %d |\n", r.Dataset.Covered, r.Dataset.Tasks)
	}
	p("| exact duplicates | %d |\n| near-duplicates | %d within tasks, %d across |\n", r.ExactDuplicates, r.NearDuplicates.WithinTasks,
		r.NearDuplicates.AcrossTasks)
	p("| mean characters | %.0f chosen, %.0f rejected |\n", r.MeanChars.Chosen, r.MeanChars.Rejected)
	p("| told by length | %.1f %% (\"the %s is chosen\", 95 %% interval %s) |\n", 100*r.Length.Accuracy, r.Length.Chosen,
		interval(r.Length.CI))
	if a := r.Shortcut.Accuracy; a != nil {
		p("| told by surface features, tasks not seen | %.1f %% (95 %% interval %s) |\n", 100**a, interval(r.Shortcut.CI))
	}
	for _, f := range r.Shortcut.Features[:min(3, len(r.Shortcut.Features))] {
		p("| told by %s alone | %.1f %% (the chosen one has %s) |\n", f.Name, 100*f.Accuracy, f.Chosen)
	}
	p("| edit similarity of the sides | mean %.2f; by tenths %s |\n", r.Similarity.Mean,
		strings.Trim(fmt.Sprint(r.Similarity.Histogram), "[]"))
	for _, o := range r.Overlaps {
		p("| words shared with %s | %d pairs share 13 in a row, %d share 10 |\n", cell(o.Set), o.Thirteen, o.Ten)
	}
	p("\n")
	if len(r.Warnings) == 0 {
		p("The audit has no warnings.\n")
	}
	for _, one := range r.Warnings {
		p("- %s\n", cell(one))
	}
}

// cell is a text that cannot break out of a Markdown table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "`", "'").Replace(s)
}
