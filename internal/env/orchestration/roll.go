package orchestration

import (
	"context"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// MaxTurns is how many turns Play gives an attempt that does not say how many, as in the reference.
const MaxTurns = 20

// wantedCoverage is what the strategies with a gate ask for.
const wantedCoverage = 0.9

// Roll plays one rollout: the product's own loop over the task's codebase, then the rubric over what it left.
func (e *Environment) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	preset, err := rlm.BuiltinPreset("code")
	if err != nil {
		return env.Rollout{}, err
	}
	set := Setting{Preset: preset, Rules: e.cfg.Rules, Parser: e.cfg.Parser}
	return Play(ctx, t, a, set, func(out *env.Rollout, r rlm.Result, opinions int) {
		out.Reward, out.Parts, out.Metrics = score(t, r, e.cfg.Rules, opinions)
	})
}

// Setting is what a rollout is played under.
type Setting struct {
	Preset rlm.Preset
	Rules  Rules
	// Parser parses what the code graph is made of. Defaults to none: there is no graph then.
	Parser func() (*syntax.Parser, error)
	// GraphDir keeps what the code graph reads of each content. Defaults to none.
	GraphDir string
	// Locate is as in rlm.Config.
	Locate locate.Options
	// Unaided is as in rlm.Config.
	Unaided bool
}

// Play plays one rollout of a task, with the attempt's workers or else simulated ones, which know the task's truth. The
// rubric is the caller's: score sees what the loop left and how many second opinions were asked for, and fills in reward,
// parts and metrics.
func Play(ctx context.Context, t env.Task, a env.Attempt, set Setting,
	score func(out *env.Rollout, r rlm.Result, opinions int)) (env.Rollout, error) {
	now := a.Now
	if now == nil {
		now = time.Now
	}
	cfg := rlm.Config{
		Codebase: t.Codebase, Models: models{a: a, sim: newSim(t, coverage.New(t.Codebase), a.Seed, set.Rules)},
		Sandbox: a.Sandbox, Trace: a.Trace, Past: a.Past,
		Preset: set.Preset, Fingerprint: t.ID, RunID: a.ID, Budget: a.Budget, MaxTurns: a.MaxTurns, Concurrency: a.Concurrency,
		RootTokens: a.RootTokens, WorkerTokens: a.WorkerTokens, Observe: a.Observe, Now: a.Now, Locate: set.Locate, Unaided: set.Unaided,
	}
	if cfg.MaxTurns == 0 {
		cfg.MaxTurns = MaxTurns
	}
	asked := &counted{}
	if set.Rules.Judging {
		judging, ok := t.Private.(*aids)
		if !ok {
			judging = newAids(t.Codebase, graph.Options{Parser: set.Parser, CacheDir: set.GraphDir})
		}
		asked.Opinion, cfg.Opinion, cfg.Graph = judging.opinions, asked, judging.graph
	}
	run := rlm.Run
	switch a.Strategy {
	case env.StrategyPrompt:
		cfg.Gate = rlm.Gate{Mode: rlm.GatePrompt, Coverage: wantedCoverage}
	case env.StrategyGate:
		cfg.Gate = rlm.Gate{Mode: rlm.GateHold, Coverage: wantedCoverage}
	case env.StrategySingle:
		run = rlm.Single
	}
	started := now()
	result, err := run(ctx, cfg)
	if err != nil {
		return env.Rollout{}, err
	}
	generated := now()
	out := env.Rollout{Stop: stop(result), Turns: result.Turns, Answer: result.Analysis, Findings: result.Findings,
		Root: result.Root, Worker: result.Worker, Generation: generated.Sub(started)}
	if n := len(result.Transcript); n > 0 {
		first := min(2, n) // the system message and the opening
		out.Prompt, out.Completion = result.Transcript[:first], result.Transcript[first:]
	}
	if result.Cause != nil {
		out.Error = result.Cause.Error()
	}
	score(&out, result, int(asked.count.Load()))
	out.Scoring = now().Sub(generated)
	return out, nil
}

// stop is why a rollout ended, in the environment's words.
func stop(r rlm.Result) string {
	switch {
	case r.StopReason == trace.StopAnswer || strings.HasPrefix(string(r.StopReason), string(trace.StopUnanswered)):
		return env.StopAnswer
	case r.StopReason == trace.StopTurns:
		return env.StopTurns
	case r.StopReason == trace.StopBudget:
		return env.StopBudget
	case r.StopReason == trace.StopInterrupted:
		return env.StopInterrupted
	}
	return env.StopError
}

// models gives the loop the policy, and the workers that the attempt names or else the simulated one.
type models struct {
	a   env.Attempt
	sim *sim
}

func (m models) Root(pool *llm.Budget) (llm.Handle, error) { return m.a.Root(pool) }

func (m models) Worker(name string, pool *llm.Budget) (llm.Handle, error) {
	if m.a.Worker != nil {
		return m.a.Worker(name, pool)
	}
	// A policy may name any worker that it was taught to name: here there is one.
	return m.sim.handle(), nil
}

var _ env.Environment = (*Environment)(nil)
