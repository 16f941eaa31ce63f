package review

import (
	"context"
	"errors"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// Estimate is what a review would do: --dry-run prints it, and nothing is spent.
type Estimate struct {
	Path   string `json:"path"`
	Commit string `json:"commit"`
	// Since is what the user called the base of a change, both sides of which would be reviewed; "" for a whole codebase.
	Since     string          `json:"since,omitempty"`
	Files     int             `json:"files"`
	Lines     int             `json:"lines"`
	Chars     int             `json:"chars"`
	Languages map[string]int  `json:"languages"`
	Largest   []FileSize      `json:"largest"`
	Skipped   []codebase.Skip `json:"skipped"`
	Strategy  string          `json:"strategy"`
	Root      string          `json:"root"`
	Worker    string          `json:"worker"`
	// Dispatches are those of one pass over every line. Exact: the root is the offline script, and makes so many where every
	// worker answers; a language model decides itself.
	Dispatches int  `json:"dispatches"`
	Exact      bool `json:"dispatches_exact"`
	// Verifies: each finding is looked at again, by a call more than these.
	Verifies bool `json:"verifies,omitempty"`
	// Tokens and dollars are estimates for that pass and a few turns of the root.
	WorkerTokens int64    `json:"worker_input_tokens"`
	RootTokens   int64    `json:"root_input_tokens"`
	CostUSD      *float64 `json:"cost_usd"` // null: a price is unknown
	// MostUSD is what it comes to where the root uses up its turns and has everything read twice; not a cap.
	MostUSD   *float64 `json:"most_usd"`
	BudgetUSD *float64 `json:"budget_usd"`
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
		Verifies: o.Verify,
	}
	for _, f := range rlm.Largest(code, 10) {
		e.Largest = append(e.Largest, FileSize(f))
	}
	if e.Strategy == StrategyAuto {
		e.Strategy = chooseStrategy(code, root)
	}
	var cost, most *money.USD
	if e.Strategy == StrategySingle {
		e.RootTokens = llm.EstimateTokens(min(stats.Chars, BaselineChars)) + 1_000
		cost = estimate(root, e.RootTokens, 4_000)
		most = cost
		e.Worker, e.Exact = root.Name, true
	} else {
		size := rlm.PromptChars(worker)
		e.Dispatches = (stats.Chars+size-1)/size + 1
		if e.Exact = root.Name == offline.Name; e.Exact {
			if e.Dispatches, err = dispatches(ctx, code, worker, env); err != nil {
				return Estimate{}, nil, err
			}
		}
		e.WorkerTokens = llm.EstimateTokens(stats.Chars) + int64(e.Dispatches)*400
		tree := llm.EstimateTokens(len(code.Tree(60_000)))
		turns := func(n int64) int64 { // input tokens of so many
			if root.Scripted {
				return 0
			}
			return n*(usualInstructions+tree) + usualTurnGrowth*n*(n-1)/2
		}
		price := func(n, passes int64) *money.USD {
			return money.Plus(estimate(root, turns(n), n*usualRootReply),
				estimate(worker, passes*e.WorkerTokens, passes*int64(e.Dispatches)*usualWorkerReply))
		}
		e.RootTokens = turns(usualTurns)
		cost, most = price(usualTurns, 1), price(max(usualTurns, int64(o.MaxTurns)), 2)
	}
	if s.change != nil {
		e.Since = o.Since
		extra, err := e.addBase(ctx, s.change.before, root, worker, env)
		if err != nil {
			return Estimate{}, nil, err
		}
		cost, most = money.Plus(cost, extra), money.Plus(most, extra)
	}
	e.CostUSD, e.MostUSD = dollars(cost), dollars(most)
	return e, code, nil
}

// addBase adds what the review of a change's base would do, and says what that would cost.
func (e *Estimate) addBase(ctx context.Context, base *codebase.Codebase, root, worker llm.Handle, env Env) (*money.USD, error) {
	chars := base.Stats().Chars
	if chars == 0 {
		return new(money.USD), nil
	}
	if e.Strategy == StrategySingle {
		tokens := llm.EstimateTokens(min(chars, BaselineChars)) + 1_000
		e.RootTokens += tokens
		return estimate(root, tokens, 4_000), nil
	}
	n, err := dispatches(ctx, base, worker, env)
	if err != nil {
		return nil, err
	}
	tokens := llm.EstimateTokens(chars) + int64(n)*400
	e.Dispatches, e.WorkerTokens = e.Dispatches+n, e.WorkerTokens+tokens
	return estimate(worker, tokens, int64(n)*usualWorkerReply), nil
}

// dispatches is how many prompts the offline root makes of a codebase.
func dispatches(ctx context.Context, code *codebase.Codebase, worker llm.Handle, env Env) (int, error) {
	r := offline.Reading{Paths: code.Paths(), Most: rlm.PromptChars(worker), Rules: worker.Rules,
		Text: func(path string) string { text, _ := code.Text(path); return text }}
	if env.Syntax != nil && r.Prompts() > 1 {
		hits, err := flow.Lazily(code, graph.Lazily(code, graph.Options{Parser: env.Syntax, CacheDir: env.GraphDir}), env.Syntax, nil)(ctx)
		if err != nil && !errors.Is(err, flow.ErrTooMuch) {
			return 0, err
		}
		for _, h := range hits {
			r.Crossing = append(r.Crossing, h.Files())
		}
	}
	return r.Prompts(), nil
}

func estimate(h llm.Handle, input, output int64) *money.USD {
	if h.Price == nil {
		return nil
	}
	return new(h.Price.Cost(llm.Usage{InputTokens: input, OutputTokens: output}))
}
