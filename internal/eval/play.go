package eval

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// playAll plays every rollout that has no row, task by task, as many at once as the options say.
func (e *evaluation) playAll(ctx context.Context) {
	var todo []place
	left := map[int]int{}
	for example := range e.o.Examples {
		for rollout := range e.o.Rollouts {
			if p := (place{example, rollout}); !e.has(p) {
				todo = append(todo, p)
				left[example]++
			}
		}
	}
	e.tasks = &tasks{left: left, make: func(ctx context.Context, i int) (env.Task, error) {
		return e.c.Environment.Task(ctx, e.o.selection(), i)
	}}
	e.progress()
	if e.c.Elsewhere != nil {
		back, err := e.openElsewhere(ctx, todo)
		if err != nil {
			e.broke(err)
			return
		}
		defer back()
	}
	slots := make(chan struct{}, e.o.Concurrency)
	var wg sync.WaitGroup
	defer wg.Wait()
	for _, p := range todo {
		select {
		case <-ctx.Done():
			return
		case <-e.halt:
			return
		case slots <- struct{}{}:
		}
		if ctx.Err() != nil || e.halted() { // the rollout that freed the slot may be the one that ends the eval
			return
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := e.play(ctx, p); err != nil {
				e.broke(err)
			}
		})
	}
}

func (e *evaluation) has(p place) bool {
	_, ok := e.rows.at[p]
	return ok
}

// play plays one rollout. An error is a fault that ends the eval; one that was interrupted leaves its journal and no row.
func (e *evaluation) play(ctx context.Context, p place) error {
	task, err := e.tasks.get(ctx, p.example)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("make task %d: %w", p.example, err)
	}
	perform := e.here
	if e.c.Elsewhere != nil {
		perform = e.elsewhere
	}
	started := e.c.Now()
	done, rollErr := perform(ctx, p, task)
	if _, broken := errors.AsType[*journalError](rollErr); broken {
		return rollErr
	}
	events, good, err := trace.Read(bytes.NewReader(done.Journal))
	if err != nil {
		return fmt.Errorf("%s: %w", e.dir.File(journalName(p)), err)
	}
	roll := done.Rollout
	switch {
	case done.RanOut:
		roll.Stop, rollErr = env.StopBudget, nil
	case ctx.Err() != nil && (rollErr != nil || roll.Error != ""), roll.Stop == env.StopInterrupted:
		return nil
	}
	if rollErr != nil && len(events) == 0 && hint.Advises(rollErr) && e.c.Elsewhere == nil && e.rows.lines() == 0 {
		return &misuse{rollErr} // nothing was begun, and no rollout of this eval can be: other machines may differ
	}
	r, err := e.row(p, task, roll, rollErr, events, started)
	if err != nil {
		return err
	}
	return e.save(ctx, p, r, done.Journal[:good], roll.Stop == env.StopBudget)
}

// here plays a rollout on this machine.
func (e *evaluation) here(ctx context.Context, p place, task env.Task) (done Performed, err error) {
	j, err := openJournal(e.dir, p, e.durable, e.c.Now)
	if err != nil {
		return Performed{}, &journalError{err}
	}
	purse := newPurse(ctx)
	defer purse.close()
	e.begin(p, purse)
	defer e.end(p)
	done, err = e.perform(task, p, j.w, j.past, purse, func(rlm.Progress) { e.progress() })
	var broken error
	if done.Journal, broken = j.finish(); broken != nil {
		return done, &journalError{broken}
	}
	return done, err
}

// row is what results.jsonl says of a rollout.
func (e *evaluation) row(p place, task env.Task, roll env.Rollout, rollErr error, events []trace.Event,
	started time.Time) (runfile.EvalRow, error) {
	about := e.c.Environment.About()
	r := runfile.EvalRow{
		ExampleID: p.example, Task: "default", Reward: runfile.Float(roll.Reward), IsCompleted: true, StopCondition: roll.Stop,
		Info: runfile.EvalInfo{Task: task.ID, Split: task.Split, Language: task.Language, Difficulty: task.Difficulty,
			Template: task.Template, TaskSeed: task.Seed},
		Timing: newTiming(runfile.Float(started.UnixMicro())/1e6, runfile.Float(roll.Generation.Seconds()),
			runfile.Float(roll.Scoring.Seconds())),
		Rollout: p.rollout, RolloutID: p.id(), RolloutSeed: RolloutSeed(e.o.Seed, p.example, p.rollout), Parts: []runfile.RewardPart{},
		RootUsage: usageOf(roll.Root), WorkerUsage: usageOf(roll.Worker),
		TokenUsage: &runfile.EvalTokens{Input: runfile.Float(roll.Root.Input), Output: runfile.Float(roll.Root.Output)},
	}
	for _, part := range roll.Parts {
		if savedrow.Usable(part.Value) && savedrow.Usable(part.Weight) {
			r.Parts = append(r.Parts, runfile.RewardPart(part))
		}
	}
	if task.Codebase != nil {
		r.Info.Files = task.Codebase.Stats().Files
	}
	if json.Valid(roll.Extra) {
		r.Info.Extra = roll.Extra
	}
	if roll.Root.UnknownCost == 0 && roll.Worker.UnknownCost == 0 {
		r.Cost = new(money.AddUSD(roll.Root.Cost, roll.Worker.Cost))
		r.AtMost = new(max(*r.Cost, money.AddUSD(roll.Root.AtMost, roll.Worker.AtMost)))
	}
	r.Conduct, r.IsTruncated = Observe(events)
	var err error
	if r.Prompt, err = messages(roll.Prompt); err != nil {
		return r, fmt.Errorf("encode a rollout's messages: %w", err)
	}
	if r.Completion, err = messages(roll.Completion); err != nil {
		return r, fmt.Errorf("encode a rollout's messages: %w", err)
	}
	if len(task.Defects) > 0 {
		truth, err := json.Marshal(task.Defects)
		if err != nil {
			return r, fmt.Errorf("encode a task's defects: %w", err)
		}
		r.Answer = string(truth)
	}
	switch {
	case rollErr != nil:
		r.Error = newRowError(errorInfra, rollErr.Error())
	case roll.Stop == env.StopBudget:
		r.Error = newRowError(errorBudget, "the budget was spent before the policy was done")
	case roll.Error != "" || roll.Stop == env.StopError:
		r.Error = newRowError(errorModel, roll.Error)
	case !savedrow.Usable(roll.Reward):
		r.Error = newRowError(errorInfra, "the environment's reward is not a number")
	}
	if r.Error != nil {
		r.Reward = 0 // verifiers' form; no mean of ours counts it
		r.ErrorChain, r.LongChain = r.Error.Repr, r.Error.Chain
		r.StopCondition = cmp.Or(r.StopCondition, env.StopError)
	}
	r.Metrics = finite(metrics(about, roll, float64(r.Reward)))
	return r, nil
}

// metrics are a rollout's: the environment's own, the parts of the reward, the reward under its function's name, and
// the turns. Every row has the same names, for old readers take those of the first.
func metrics(about env.About, roll env.Rollout, reward float64) map[string]float64 {
	m := map[string]float64{"num_turns": float64(roll.Turns)}
	for _, name := range about.Metrics {
		m[name] = 0
	}
	for _, w := range about.Parts {
		m[w.Name] = 0
	}
	for _, part := range roll.Parts {
		m[part.Name] = part.Value
	}
	maps.Copy(m, roll.Metrics)
	if about.RewardName != "" {
		m[about.RewardName] = reward
	}
	return m
}

// save appends the rollout to the files and lets its journal go, unless it is to be played again.
func (e *evaluation) save(ctx context.Context, p place, r runfile.EvalRow, journal []byte, broke bool) error {
	text, err := encodeRow(r)
	if err != nil {
		return err
	}
	head := runfile.EvalTrace{ID: p.id(), Example: p.example, Rollout: p.rollout, Task: r.Info.Task, Reward: float64(r.Reward),
		Stop: r.StopCondition}
	if r.Error != nil {
		head.ErrorWas = r.Error.Error + ": " + r.Error.Message
	}
	line, err := encodeTrace(head, journal)
	if err != nil {
		return err
	}
	if err := e.traces.append(p, line); err != nil {
		return err
	}
	if err := e.rows.append(p, text); err != nil {
		return err
	}
	if e.c.Elsewhere != nil {
		w, err := e.work(p)
		if err == nil && r.Error != nil && len(journal) > len(w.Past) { // it may be played again, and goes on from there
			err = e.keepJournal(p, journal)
		}
		if err == nil {
			err = e.c.Elsewhere.Saved(context.WithoutCancel(ctx), w, *cmp.Or(r.AtMost, new(money.USD)))
		}
		if err != nil {
			return err
		}
	}
	if r.Error == nil {
		if err := e.dir.Root().Remove(journalName(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("journal: %w", err)
		}
	}
	row, err := savedrow.Parse(text)
	if err != nil {
		return err
	}
	e.recorded(p, row, broke, r.Error)
	return nil
}

// recorded takes a rollout into the statistics, and halts the eval where going on makes no sense.
func (e *evaluation) recorded(p place, row savedrow.Row, broke bool, failure *runfile.EvalError) {
	e.mu.Lock()
	e.results.add(row)
	e.book(&row)
	e.ended++
	if failure != nil {
		e.erred++
		if e.lastErr == nil {
			e.lastErr = errors.New(failure.Message)
		}
	}
	delete(e.running, p)
	all := e.erred == e.ended && e.ended >= max(4, e.o.Concurrency)
	ended, cause := e.ended, e.lastErr
	e.mu.Unlock()
	switch {
	case broke:
		e.stop(&rundir.Stopped{Why: "the budget is spent", Budget: true})
	case all:
		e.stop(&rundir.Stopped{Why: fmt.Sprintf("the first %d rollouts all ended in an error: %v", ended, cause), Cause: cause})
	}
	e.progress()
}

// modelFailed is told of the policy's failed calls: what every rollout would meet ends the eval before the others
// begin.
func (e *evaluation) modelFailed(err error) {
	e.mu.Lock()
	e.lastErr = err
	e.mu.Unlock()
	if hopeless(err) {
		e.stop(&rundir.Stopped{Why: err.Error(), Cause: err})
	}
}

// stop lets no more rollouts begin. The first reason counts.
func (e *evaluation) stop(why *rundir.Stopped) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.why == nil {
		e.why = why
		close(e.halt)
	}
}

// halted reports that no more rollouts may begin.
func (e *evaluation) halted() bool {
	select {
	case <-e.halt:
		return true
	default:
		return false
	}
}

// broke ends everything: the machine failed.
func (e *evaluation) broke(err error) {
	e.mu.Lock()
	if e.fault == nil {
		e.fault = err
	}
	e.mu.Unlock()
	e.cancel()
}

// tasks makes each task once, when its first rollout begins, and forgets it after its last one.
type tasks struct {
	make func(ctx context.Context, i int) (env.Task, error)

	mu   sync.Mutex
	left map[int]int // rollouts that have not asked yet
	open map[int]*taskEntry
}

type taskEntry struct {
	once sync.Once
	task env.Task
	err  error
}

func (t *tasks) get(ctx context.Context, i int) (env.Task, error) {
	t.mu.Lock()
	if t.open == nil {
		t.open = map[int]*taskEntry{}
	}
	entry := t.open[i]
	if entry == nil {
		entry = &taskEntry{}
		t.open[i] = entry
	}
	if t.left[i]--; t.left[i] <= 0 {
		delete(t.open, i) // nothing else will ask; those that have it keep it
		delete(t.left, i)
	}
	t.mu.Unlock()
	entry.once.Do(func() { entry.task, entry.err = t.make(ctx, i) })
	return entry.task, entry.err
}
