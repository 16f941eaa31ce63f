package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// mostTasks is how many tasks the printed table has; summary.json has all.
const mostTasks = 24

// WriteDetail prints what the result block lacks: intervals, tasks, conduct, dollars, metrics. It is plain ASCII but for
// names.
func WriteDetail(w io.Writer, s runfile.EvalSummary) error {
	var b strings.Builder
	if s.Warning != "" {
		fmt.Fprintf(&b, "Warning: %s\n", termtext.MaskedLine(s.Warning))
	}
	if s.Status == trace.StatusPartial {
		fmt.Fprintf(&b, "Partial: %d of %d rollouts are done\n", s.Done, s.Planned)
	}
	fmt.Fprintf(&b, "Reward: %s\n", spreadText(s.Reward))
	writeErrors(s, &b)
	fmt.Fprintf(&b, "Zero delegation: %s\n", shareText(s.ZeroDelegation))
	fmt.Fprintf(&b, "Over-exploration: %s: more than %d turns, or %d outputs seen again\n", shareText(s.OverExploration), overTurns,
		overRereads)
	if r := s.RepeatedErrors; r != nil {
		fmt.Fprintf(&b, "Repeated errors: %d cells in %d rollouts failed with the error of the cell before\n", r.Cells, r.Rollouts)
	} else {
		b.WriteString("Repeated errors: ? (the rows do not say)\n")
	}
	if d := s.DispatchErrors; d != nil && d.Count > 0 {
		fmt.Fprintf(&b, "Dispatch errors: %d of %d dispatches got no reply, for which their policies had to make up\n", d.Count, d.Of)
	}
	if s.NoCells > 0 && s.Strategy != env.StrategySingle {
		fmt.Fprintf(&b, "Without code: %d rollouts never ran a cell; a policy must write ```python fences or call execute_python\n", s.NoCells)
	}
	fmt.Fprintf(&b, "Dollars: %s (policy %s, workers %s)\n", money.Range(s.Usage.Total, s.Usage.AtMost, "?"),
		money.Text(s.Usage.Root.Cost, "?"), money.Text(s.Usage.Worker.Cost, "?"))
	if s.Status == trace.StatusPartial {
		fmt.Fprintf(&b, "  and %s for rollouts that are not done yet\n", money.Range(s.Usage.Unfinished, s.Usage.UnfinishedAtMost, "?"))
	}
	fmt.Fprintf(&b, "Worker usage: %d calls, %d input tokens, %d output tokens\n", s.Usage.Worker.Calls, s.Usage.Worker.Input,
		s.Usage.Worker.Output)
	writeTasks(s, &b)
	writeMetrics(s, &b)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeErrors(s runfile.EvalSummary, b *strings.Builder) {
	if s.Errors == 0 {
		return
	}
	var names []string
	for _, name := range sortedKeys(s.ErrorNames) {
		names = append(names, fmt.Sprintf("%s %d", termtext.MaskedLine(name), s.ErrorNames[name]))
	}
	fmt.Fprintf(b, "Errors: %d of %d rollouts ended in an error (%s); no mean counts them", s.Errors, s.Done, strings.Join(names, ", "))
	if s.Reward.Mean != nil {
		fmt.Fprintf(b, " (as reward 0, the way verifiers counts them, it would be %.3f)", *s.Reward.Mean*float64(s.Reward.N)/float64(s.Done))
	}
	b.WriteString("\n")
}

// spreadText is "0.785, 95% interval [0.610, 0.960] with the task as the unit (t)".
func spreadText(v runfile.EvalSpread) string {
	if v.Mean == nil {
		return "? (no rollout has one)"
	}
	if v.CI95 == nil {
		return fmt.Sprintf("%.3f, no interval: %s", *v.Mean, v.CIWhy)
	}
	return fmt.Sprintf("%.3f, 95%% interval [%.3f, %.3f] with the task as the unit (%s)", *v.Mean, v.CI95[0], v.CI95[1], v.CIHow)
}

func shareText(p *runfile.EvalShare) string {
	if p == nil {
		return "? (the rows do not say)"
	}
	text := fmt.Sprintf("%d of %d rollouts (%.0f%%", p.Count, p.Of, 100*p.Rate)
	if p.CI95 != nil {
		text += fmt.Sprintf(", 95%% interval %.0f%% to %.0f%%", 100*p.CI95[0], 100*p.CI95[1])
	}
	return text + ")"
}

// writeTasks prints the table of tasks, the worst first when there are too many for it.
func writeTasks(s runfile.EvalSummary, b *strings.Builder) {
	tasks := s.Tasks
	if len(tasks) > mostTasks {
		tasks = slices.Clone(tasks)
		slices.SortStableFunc(tasks, func(x, y runfile.EvalTask) int { return cmp.Compare(orHigh(x.Mean), orHigh(y.Mean)) })
		tasks = tasks[:mostTasks]
	}
	b.WriteString("Tasks:\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  task\trollouts\treward\tstd\tmin\tmax\tturns")
	for _, task := range tasks {
		name := cmp.Or(termtext.MaskedLine(task.Task), fmt.Sprintf("example %d", task.Example))
		count := fmt.Sprint(task.N)
		if task.Errors > 0 {
			count += fmt.Sprintf(" (+%d errors)", task.Errors)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\t%s\n", name, count, number(task.Mean, 3), number(task.Std, 3), number(task.Min, 3),
			number(task.Max, 3), number(task.Turns, 1))
	}
	t.Flush()
	if more := len(s.Tasks) - len(tasks); more > 0 {
		fmt.Fprintf(b, "  ... the %d tasks with the lowest rewards; the other %d are in %s\n", len(tasks), more, SummaryName)
	}
}

func orHigh(v *float64) float64 {
	if v == nil {
		return 2
	}
	return *v
}

func number(v *float64, decimals int) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.*f", decimals, *v)
}

func writeMetrics(s runfile.EvalSummary, b *strings.Builder) {
	if len(s.Metrics) == 0 {
		return
	}
	b.WriteString("Metrics:\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  metric\tmean\tstd\tmin\tmax")
	for _, name := range sortedKeys(s.Metrics) {
		m := s.Metrics[name]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", termtext.MaskedLine(name), number(m.Mean, 3), number(m.Std, 3), number(m.Min, 3),
			number(m.Max, 3))
	}
	t.Flush()
}
