package codeeval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// generation is the half of an eval that makes samples, while the other one judges them.
type generation struct {
	e       *evaluation
	sampler *generate.Sampler
	journal *generate.Journal
	pool    *llm.Budget    // nil without a cap
	past    generate.Tally // samples that earlier executions made

	begun  bool
	report generate.Report
	err    error // why generating ended early
}

// generation opens the journal of samples and books what they cost.
func (e *evaluation) generation(dir *rundir.Dir) (*generation, error) {
	g := &generation{e: e, past: generate.Tally{Cost: new(money.USD)}}
	if e.o.Budget != nil {
		g.pool = llm.NewBudget(*e.o.Budget)
	}
	h, err := e.c.Open(g.pool)
	if err != nil {
		return nil, err
	}
	if g.sampler, err = e.o.sampler(h, e.c, e.view.generated); err != nil {
		return nil, err
	}
	prompts := make(map[string]string, len(e.tasks))
	for _, t := range e.tasks {
		p, err := g.sampler.Prompt(t)
		if err != nil {
			return nil, err
		}
		prompts[t.ID] = p.Hash()
	}
	durable := h.Price == nil || !h.Price.Free()
	g.journal, err = generate.OpenJournal(dir, SamplesName, durable, func(s generate.Sample) error {
		hash, asked := prompts[s.TaskID]
		switch {
		case !asked || s.Index >= e.o.Samples:
			return fmt.Errorf("sample %d of %s is no part of this run", s.Index, s.TaskID)
		case s.Prompt != hash:
			return fmt.Errorf("sample %d of %s was made with another prompt than this version of deeprepo makes of this dataset", s.Index, s.TaskID)
		}
		g.past.Add(s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(g.journal.Spent(priorSpent(dir)), g.journal.Charge(g.pool)); err != nil {
		g.journal.Close()
		return nil, err
	}
	return g, nil
}

// prompt is what the model is sent for a task.
func (g *generation) prompt(t dataset.Task) (string, error) {
	p, err := g.sampler.Prompt(t)
	return p.Text, err
}

// maxSummary bounds a summary that is read, in bytes.
const maxSummary = 64 << 20

// priorSpent is what the summary of an earlier execution says that the budget lost, 0 if there is none. Executions of older
// versions have it nowhere else.
func priorSpent(dir *rundir.Dir) money.USD {
	var s struct {
		Generation struct {
			Spent money.USD `json:"spent_usd"`
		} `json:"generation"`
	}
	text, err := bounded.ReadFileIn(dir.Root(), SummaryName, maxSummary)
	if err != nil || json.Unmarshal(text, &s) != nil {
		return 0
	}
	return s.Generation.Spent
}

// ahead is how many samples may be made before they are judged.
const ahead = 1024

// samples gives the samples for judging. Read the first time it makes what is missing on the way; read again it gives
// those that are there. Breaking off ends the making.
func (g *generation) samples(ctx context.Context) func() iter.Seq2[verify.Sample, error] {
	return func() iter.Seq2[verify.Sample, error] {
		return func(yield func(verify.Sample, error) bool) {
			for s, err := range g.journal.Samples() {
				if !yield(asVerified(s), err) || err != nil {
					return
				}
			}
			if !g.begun {
				g.begun = true
				g.generate(ctx, yield)
			}
		}
	}
}

// generate makes what is missing and yields it.
func (g *generation) generate(ctx context.Context, yield func(verify.Sample, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	made := make(chan generate.Sample, ahead)
	go func() {
		defer close(made)
		g.report, g.err = g.sampler.Into(g.journal).Run(ctx, g.e.tasks, g.journal.Has, func(s generate.Sample) error {
			if err := g.journal.Add(s); err != nil {
				return err
			}
			select {
			case made <- s:
			case <-ctx.Done(): // judging has stopped; resume will
			}
			return nil
		})
	}()
	for s := range made {
		if !yield(asVerified(s), nil) {
			cancel()
			for range made { // until the sampler has come to its end
			}
			return
		}
	}
}

// asVerified is a sample as it is read from samples.jsonl.
func asVerified(s generate.Sample) verify.Sample {
	v := verify.Sample{TaskID: s.TaskID, Index: s.Index, Named: true, Finish: llm.Finish(s.Finish), Mode: extract.Complete}
	if s.Mode == string(generate.Chat) {
		v.Mode = extract.Chat
	}
	if v.Solution = s.Solution; v.Solution == nil {
		v.Completion = &s.Completion
	}
	return v
}

// fault is a failure of the journal, or of the program, not of the model.
func (g *generation) fault() error {
	var halt *generate.Halt
	if g.err == nil || errors.As(g.err, &halt) || errors.Is(g.err, context.Canceled) {
		return nil
	}
	return g.err
}

// stopped says why samples are missing, nil when none is.
func (g *generation) stopped(ctx context.Context, dir string) error {
	if err := g.fault(); err != nil {
		return err
	}
	total := len(g.e.tasks) * g.e.o.Samples
	s := &rundir.Stopped{What: "eval", Parts: "samples", Dir: dir, Done: g.journal.Len(), Total: total}
	var halt *generate.Halt
	switch {
	case ctx.Err() != nil:
		s.Why = "it was interrupted"
	case errors.As(g.err, &halt):
		s.Why, s.Budget, s.Cause = halt.Error(), halt.Budget, halt.Err
	case len(g.report.Lost) > 0:
		lost := g.report.Lost[0]
		s.Why = fmt.Sprintf("%d samples could not be made; the first, sample %d of %s: %v", len(g.report.Lost), lost.Index, lost.Task, lost.Err)
		s.Cause = lost.Err
	default:
		return nil
	}
	return s
}
