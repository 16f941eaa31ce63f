package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// missing stands where nothing was measured.
const missing = "-"

// tableOf makes the before/after table: a head, then a row a quantity.
func tableOf(s runfile.TrainingSummary) [][]string {
	rows := [][]string{{"Metric", beforeName(s), afterName(s)}}
	for _, q := range quantities {
		rows = append(rows, []string{q.name, q.of(s.Before, s.BeforeCells), q.of(s.After, s.AfterCells)})
	}
	return rows
}

func beforeName(s runfile.TrainingSummary) string {
	if s.Before == nil {
		return "before"
	}
	return "before: " + modelOf(s)
}

func afterName(s runfile.TrainingSummary) string {
	name := fmt.Sprintf("after: %s, %d steps", s.Method, s.Steps)
	if s.Before == nil {
		name += ", " + modelOf(s)
	}
	return name
}

func modelOf(s runfile.TrainingSummary) string {
	size := s.Size
	if size == "" {
		size = "a given model"
	}
	if s.Parameters == 0 {
		return size
	}
	return size + ", " + Parameters(s.Parameters)
}

// quantity is a row of the table.
type quantity struct {
	name string
	of   func(*runfile.EvalSummary, *runfile.TrainingCells) string
}

var quantities = []quantity{
	{"Average Reward", measured(func(e *runfile.EvalSummary) string {
		if e.Reward.Mean == nil {
			return missing
		}
		return fmt.Sprintf("%.3f (σ %.3f)", *e.Reward.Mean, *e.Reward.Std)
	})},
	{"95% interval", measured(func(e *runfile.EvalSummary) string { return e.Reward.Interval() })},
	{"Reward Range", measured(func(e *runfile.EvalSummary) string {
		if e.Reward.Mean == nil {
			return missing
		}
		return fmt.Sprintf("%.3f — %.3f", *e.Reward.Min, *e.Reward.Max)
	})},
	{"Average Turns", metric("num_turns", "%.2f (%.0f-%.0f)")},
	{"Output Tokens", measured(func(e *runfile.EvalSummary) string {
		if e.Done == 0 {
			return missing
		}
		return fmt.Sprintf("%.0f", float64(e.Usage.Root.Output)/float64(e.Done))
	})},
	{"Dispatches", metric("dispatches", "%.1f (%.0f-%.0f)")},
	{"Zero-Delegation Rate", measured(func(e *runfile.EvalSummary) string { return proportion(e.ZeroDelegation) })},
	{"Over-Exploration", measured(func(e *runfile.EvalSummary) string { return proportion(e.OverExploration) })},
	{"Cells that failed", written(func(c *runfile.TrainingCells) int { return c.Errors })},
	{"Cells that are no Python", written(func(c *runfile.TrainingCells) int { return c.Syntax })},
	{"Coverage", metric("coverage", "%.2f (%.2f-%.2f)")},
	{"Recall", metric("recall", "%.2f (%.2f-%.2f)")},
	{"Rollouts", measured(func(e *runfile.EvalSummary) string {
		return fmt.Sprintf("%d, of %d tasks", e.Done-e.Errors, e.Examples)
	})},
}

func measured(of func(*runfile.EvalSummary) string) func(*runfile.EvalSummary, *runfile.TrainingCells) string {
	return func(e *runfile.EvalSummary, _ *runfile.TrainingCells) string {
		if e == nil {
			return missing
		}
		return of(e)
	}
}

// metric is a metric's mean and range.
func metric(name, format string) func(*runfile.EvalSummary, *runfile.TrainingCells) string {
	return measured(func(e *runfile.EvalSummary) string {
		m, ok := e.Metrics[name]
		if !ok || m.Mean == nil || m.Min == nil || m.Max == nil {
			return missing
		}
		return fmt.Sprintf(format, *m.Mean, *m.Min, *m.Max)
	})
}

// written is a share of the cells.
func written(of func(*runfile.TrainingCells) int) func(*runfile.EvalSummary, *runfile.TrainingCells) string {
	return func(_ *runfile.EvalSummary, c *runfile.TrainingCells) string {
		if c == nil || c.Cells == 0 {
			return missing
		}
		return fmt.Sprintf("%.1f%% (%d/%d)", 100*float64(of(c))/float64(c.Cells), of(c), c.Cells)
	}
}

func proportion(p *runfile.EvalShare) string {
	if p == nil {
		return missing
	}
	text := fmt.Sprintf("%.0f%% (%d/%d rollouts", 100*p.Rate, p.Count, p.Of)
	if p.CI95 != nil {
		text += fmt.Sprintf(", %.0f-%.0f%%", 100*p.CI95[0], 100*p.CI95[1])
	}
	return text + ")"
}

// verdictOf states the significance of the difference.
func verdictOf(s runfile.TrainingSummary) []string {
	var words []string
	if s.Gate != nil {
		words = append(words, termtext.Inline(s.Gate.Words))
	}
	if s.Test == nil {
		return words
	}
	t := s.Test
	return append(words, "after vs before: "+termtext.Inline(t.Words),
		fmt.Sprintf("difference %+.3f, 95%% interval %s (t), %s (paired bootstrap), permutation p %.3g, t test p %.3g", t.Diff, t.CI,
			t.Bootstrap, t.P, t.PT))
}

// pointLine is one step of the progression, as the reference prints it.
func pointLine(p runfile.TrainingPoint, method string) string {
	if method == "sft" {
		return fmt.Sprintf("Step %4d: loss=%.4f%s", p.Step, p.Loss, heldoutWord(p.Heldout))
	}
	if method == "dpo" {
		return fmt.Sprintf("Step %4d: loss=%.4f  margin=%+.3f  accuracy=%.3f%s", p.Step, p.Loss, p.Margin, p.Accuracy, heldoutWord(p.Heldout))
	}
	return fmt.Sprintf("Step %4d: reward=%.4f  turns=%.2f  dispatches=%.1f  syntax errors=%.1f%%  KL=%.4f  entropy=%.3f%s",
		p.Step, p.Reward, p.Turns, p.Dispatches, 100*p.SyntaxErrors, p.KL, p.Entropy, heldoutWord(p.Heldout))
}

func heldoutWord(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("  held out=%.4f", *v)
}

// WriteText prints the tables with their caveats.
func WriteText(w io.Writer, s runfile.TrainingSummary) error {
	var b strings.Builder
	if t := ladderTable(s); len(t.Rows) > 0 {
		writeTable(&b, t.Rows)
		b.WriteString("\n")
	}
	if s.Before != nil || s.After != nil {
		writeTable(&b, tableOf(s))
	}
	for _, line := range verdictOf(s) {
		fmt.Fprintf(&b, "\n%s", line)
	}
	fmt.Fprintf(&b, "\n\n%s\n", progressionTitle(s))
	for _, p := range s.Progression {
		fmt.Fprintln(&b, pointLine(p, s.Method))
	}
	b.WriteString("\nWhat must be known:\n")
	for _, c := range s.Caveats {
		fmt.Fprintf(&b, "- %s\n", termtext.Inline(c))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func progressionTitle(s runfile.TrainingSummary) string {
	switch s.Method {
	case "sft":
		return "Loss during training, in nats a token (held out: demonstrations of other tasks)"
	case "dpo":
		return "Preferences during training (held out: mean reward on held-out tasks)"
	}
	return fmt.Sprintf("Reward progression during training (on training tasks%s; held out: other tasks%s)", at(s.Temperature.Training),
		at(s.Temperature.Between))
}

// at says at which temperature, where that is known.
func at(temperature float64) string {
	if temperature == 0 {
		return ""
	}
	return fmt.Sprintf(" at temperature %g", temperature)
}

// writeTable writes Markdown whose columns line up.
func writeTable(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = strings.ReplaceAll(termtext.Inline(row[i]), "|", "/")
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("|" + strings.Repeat("-", w+2))
			}
			b.WriteString("|\n")
		}
	}
}
