package codeeval

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

func (e *evaluation) summarize(s runfile.CodeSummary, g *generation) runfile.CodeEvalSummary {
	total := g.past
	if g.begun {
		total = total.Plus(g.report.Tally)
	}
	var spent *money.USD
	if g.pool != nil {
		spent = new(g.pool.Spent())
	}
	least, most := g.journal.Cost()
	return runfile.CodeEvalSummary{CodeSummary: s, Generation: runfile.Generation{
		Model: e.o.Model, Prompt: string(e.o.Prompt), ShowTests: e.o.ShowTests, Samples: e.o.Samples, Temperature: e.o.Temperature,
		TopP: e.o.TopP, Seed: e.o.Seed, MaxTokens: e.o.MaxTokens, Wanted: len(e.tasks) * e.o.Samples, Made: total.Made,
		Truncated: total.Truncated, Empty: total.Empty, Lost: len(g.report.Lost), Usage: total.Usage, Cost: least, AtMost: most, Spent: spent,
		ModelSeconds: total.ModelSeconds,
	}}
}

// WriteEvalSummary prints a summary for people: how the samples were made, then what they are worth.
func WriteEvalSummary(w io.Writer, s runfile.CodeEvalSummary) error {
	g := s.Generation
	var b strings.Builder
	fmt.Fprintf(&b, "%-11s%s, %s prompts, %s a task at temperature %g, at most %d tokens each\n", "model", g.Model, g.Prompt,
		termtext.Plural(g.Samples, "sample"), g.Temperature, g.MaxTokens)
	fmt.Fprintf(&b, "%-11s%d of %s, %d tokens in, %d out, %s", "generated", g.Made, termtext.Plural(g.Wanted, "sample"), g.Usage.InputTokens,
		g.Usage.OutputTokens, money.Range(g.Cost, g.AtMost, "cost not known"))
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
