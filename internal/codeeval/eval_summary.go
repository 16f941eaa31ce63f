package codeeval

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

func (e *evaluation) summarize(s runfile.CodeSummary, g *generation) runfile.CodeEvalSummary {
	total := g.past
	if g.begun {
		total.samples += g.report.Made
		total.truncated += g.report.Truncated
		total.empty += g.report.Empty
		total.usage = total.usage.Add(g.report.Usage)
		total.seconds += g.report.ModelSeconds
		switch {
		case g.report.Cost == nil:
			total.cost = nil
		case total.cost != nil:
			sum := *total.cost + *g.report.Cost
			total.cost = &sum
		}
	}
	var spent *money.USD
	if g.pool != nil {
		sum := g.pool.Spent()
		spent = &sum
	}
	return runfile.CodeEvalSummary{CodeSummary: s, Generation: runfile.Generation{
		Model: e.o.Model, Prompt: string(e.o.Prompt), ShowTests: e.o.ShowTests, Samples: e.o.Samples, Temperature: e.o.Temperature,
		TopP: e.o.TopP, Seed: e.o.Seed,
		MaxTokens: e.o.MaxTokens, Wanted: len(e.tasks) * e.o.Samples, Made: total.samples, Truncated: total.truncated, Empty: total.empty,
		Lost: len(g.report.Lost), Usage: runfile.Tokens(total.usage), Cost: total.cost, Spent: spent, ModelSeconds: total.seconds,
	}}
}

// WriteEvalSummary prints a summary for people: how the samples were made, then what they are worth.
func WriteEvalSummary(w io.Writer, s runfile.CodeEvalSummary) error {
	g := s.Generation
	var b strings.Builder
	fmt.Fprintf(&b, "%-11s%s, %s prompts, %s a task at temperature %g, at most %d tokens each\n", "model", g.Model, g.Prompt,
		plural(g.Samples, "sample"), g.Temperature, g.MaxTokens)
	fmt.Fprintf(&b, "%-11s%d of %s, %d tokens in, %d out, %s", "generated", g.Made, plural(g.Wanted, "sample"), g.Usage.InputTokens,
		g.Usage.OutputTokens, money.Text(g.Cost, "cost not known"))
	for _, part := range []struct {
		n    int
		what string
	}{{g.Truncated, "cut off by the token limit"}, {g.Empty, "empty"}, {g.Lost, "could not be made"}} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.what)
		}
	}
	b.WriteByte('\n')
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return WriteSummary(w, s.CodeSummary)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
