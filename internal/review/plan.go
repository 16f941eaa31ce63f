package review

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// Estimate is what a review would do: --dry-run prints it, and nothing is spent.
type Estimate struct {
	Path      string          `json:"path"`
	Commit    string          `json:"commit"`
	Files     int             `json:"files"`
	Lines     int             `json:"lines"`
	Chars     int             `json:"chars"`
	Languages map[string]int  `json:"languages"`
	Largest   []FileSize      `json:"largest"`
	Skipped   []codebase.Skip `json:"skipped"`
	Strategy  string          `json:"strategy"`
	Root      string          `json:"root"`
	Worker    string          `json:"worker"`
	// Dispatches, tokens and dollars are estimates for one pass over every line and a few turns of the root.
	Dispatches   int      `json:"dispatches"`
	WorkerTokens int64    `json:"worker_input_tokens"`
	RootTokens   int64    `json:"root_input_tokens"`
	CostUSD      *float64 `json:"cost_usd"` // null: a price is unknown
	BudgetUSD    *float64 `json:"budget_usd"`
	// Masked is what looks like a secret, by kind; null where nobody looked: with --no-redact nothing is masked.
	Masked []Masked `json:"masked"`
}

// FileSize is a file with its characters.
type FileSize struct {
	Path  string `json:"path"`
	Chars int    `json:"chars"`
}

// The needs of a usual run, for the estimate: the root's turns, and the tokens of replies.
const (
	usualTurns        = 5
	usualRootReply    = 1200
	usualWorkerReply  = 700
	usualTurnGrowth   = 1500 // tokens that each turn adds to the root's transcript
	usualInstructions = 2500 // tokens of the root's instructions
)

// Plan loads the codebase and estimates the run.
func Plan(ctx context.Context, o Options, env Env) (Estimate, error) {
	e, _, err := plan(ctx, o, env)
	return e, err
}

func plan(ctx context.Context, o Options, env Env) (Estimate, *codebase.Codebase, error) {
	env = env.withDefaults()
	o, err := o.withDefaults()
	if err != nil {
		return Estimate{}, nil, err
	}
	if o, err = sinceBase(ctx, o); err != nil {
		return Estimate{}, nil, err
	}
	s, err := take(ctx, o, env)
	if err != nil {
		return Estimate{}, nil, err
	}
	code := s.code
	root, err := env.Registry.Known(o.Root) // an estimate needs no key
	if err != nil {
		return Estimate{}, nil, err
	}
	worker, err := env.Registry.Known(o.Worker)
	if err != nil {
		return Estimate{}, nil, err
	}
	stats := code.Stats()
	e := Estimate{
		Path: o.Path, Commit: code.Commit(), Files: stats.Files, Lines: stats.Lines, Chars: stats.Chars, Languages: stats.Languages,
		Skipped: code.Skipped(), Strategy: o.Strategy, Root: root.Name, Worker: worker.Name, BudgetUSD: dollars(o.Budget),
	}
	for _, f := range rlm.Largest(code, 10) {
		e.Largest = append(e.Largest, FileSize(f))
	}
	if e.Strategy == StrategyAuto {
		e.Strategy = chooseStrategy(code, root)
	}
	var cost *money.USD
	if e.Strategy == StrategySingle {
		e.RootTokens = llm.EstimateTokens(min(stats.Chars, BaselineChars)) + 1_000
		cost = estimate(root, e.RootTokens, 4_000)
		e.Worker = root.Name
	} else {
		size := rlm.PromptChars(worker)
		e.Dispatches = (stats.Chars+size-1)/size + 1
		e.WorkerTokens = llm.EstimateTokens(stats.Chars) + int64(e.Dispatches)*400
		tree := llm.EstimateTokens(len(code.Tree(60_000)))
		if !root.Scripted {
			e.RootTokens = usualTurns*(usualInstructions+tree) + usualTurnGrowth*usualTurns*(usualTurns-1)/2
		}
		cost = money.Plus(estimate(root, e.RootTokens, usualTurns*usualRootReply),
			estimate(worker, e.WorkerTokens, int64(e.Dispatches)*usualWorkerReply))
	}
	e.CostUSD = dollars(cost)
	return e, code, nil
}

func estimate(h llm.Handle, input, output int64) *money.USD {
	if h.Price == nil {
		return nil
	}
	return new(h.Price.Cost(llm.Usage{InputTokens: input, OutputTokens: output}))
}
