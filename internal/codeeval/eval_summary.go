package codeeval

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// EvalSummary is summary.json of an eval: a verification's, and how its samples were made.
type EvalSummary struct {
	Summary
	Generation Generation `json:"generation"`
}

// Generation says how samples were made and what that took.
type Generation struct {
	Model       string        `json:"model"`
	Prompt      generate.Mode `json:"prompt"`
	ShowTests   int           `json:"show_tests"`
	Samples     int           `json:"samples_per_task"`
	Temperature float64       `json:"temperature"`
	TopP        *float64      `json:"top_p,omitempty"`
	Seed        int64         `json:"seed"`
	MaxTokens   int           `json:"max_tokens"`
	// Wanted is how many samples there are to be, Made how many there are. Truncated were cut off by the limit of
	// tokens, and Empty hold no text.
	Wanted    int `json:"wanted"`
	Made      int `json:"made"`
	Truncated int `json:"truncated"`
	Empty     int `json:"empty"`
	// Lost are samples that the last execution could not make.
	Lost  int       `json:"lost,omitempty"`
	Usage llm.Usage `json:"usage"`
	Cost  *llm.USD  `json:"cost_usd"` // null: not known
	// Spent is what the budget lost: Cost, and what calls that brought no sample may have cost. It is nil without one.
	Spent *llm.USD `json:"spent_usd,omitempty"`
	// ModelSeconds adds up the model's time over all samples, which overlap.
	ModelSeconds float64 `json:"model_seconds"`
}

func (e *evaluation) summarize(s Summary, g *generation) EvalSummary {
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
	var spent *llm.USD
	if g.pool != nil {
		sum := g.pool.Spent()
		spent = &sum
	}
	return EvalSummary{s, Generation{
		Model: e.o.Model, Prompt: e.o.Prompt, ShowTests: e.o.ShowTests, Samples: e.o.Samples, Temperature: e.o.Temperature, TopP: e.o.TopP, Seed: e.o.Seed,
		MaxTokens: e.o.MaxTokens, Wanted: len(e.tasks) * e.o.Samples, Made: total.samples, Truncated: total.truncated, Empty: total.empty,
		Lost: len(g.report.Lost), Usage: total.usage, Cost: total.cost, Spent: spent, ModelSeconds: total.seconds,
	}}
}

// WriteEvalSummary prints a summary for people: how the samples were made, then their score.
func WriteEvalSummary(w io.Writer, s EvalSummary) error {
	g := s.Generation
	var b strings.Builder
	fmt.Fprintf(&b, "%-11s%s, %s prompts, %s a task at temperature %g, at most %d tokens each\n", "model", g.Model, g.Prompt, plural(g.Samples, "sample"), g.Temperature, g.MaxTokens)
	fmt.Fprintf(&b, "%-11s%d of %s, %d tokens in, %d out, %s", "generated", g.Made, plural(g.Wanted, "sample"), g.Usage.InputTokens, g.Usage.OutputTokens, dollars(g.Cost))
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
	return WriteSummary(w, s.Summary)
}

func dollars(cost *llm.USD) string {
	if cost == nil {
		return "cost not known"
	}
	return "$" + strings.TrimPrefix(cost.Round(4), "$")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
