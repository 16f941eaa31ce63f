package eval

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
)

// Outcome is an eval that ran, whether or not it came to its end.
type Outcome struct {
	Dir     string
	Header  Header
	Summary runfile.EvalSummary
	Results *Results
}

// Run begins an eval and plays it to its end. With an Outcome whose Dir is set, an error is a *rundir.Stopped or a fault of the
// machine: what was played until then is saved.
func Run(ctx context.Context, o Options, c Config) (Outcome, error) {
	o, err := o.check(c.Environment)
	if err != nil {
		return Outcome{}, err
	}
	c = c.withDefaults(o)
	paid, err := c.paid(o.Budget != nil)
	if err != nil {
		return Outcome{}, err
	}
	if o.Out == "" {
		if o.Out, err = freshOut(c.Environment.Name(), c.Now()); err != nil {
			return Outcome{}, err
		}
	}
	dir, err := rundir.Create(o.Out, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	now := c.Now().UTC()
	m := Manifest{Options: o, Manifest: runfile.Manifest{Schema: rundir.Schema, Command: command, Version: c.Version, StartedAt: now,
		ID: now.Format("20060102T150405") + "-" + rand.Text()[:6], Fingerprint: o.fingerprint()}}
	if err := dir.WriteJSON(ManifestName, m); err != nil {
		return Outcome{}, err
	}
	out, err := execute(ctx, dir, m.ID, o, c, paid)
	if m, ok := errors.AsType[*misuse](err); ok {
		dir.Discard(ResultsName, MetadataName, TracesName, SummaryName, rolloutsName, runfile.FleetName)
		return Outcome{}, m.error
	}
	return out, err
}

// misuse is an eval that its environment cannot play at all: its mistake is in the options.
type misuse struct{ error }

func (m *misuse) Unwrap() error { return m.error }

// Resume continues the eval in path: rollouts without a row, and those that ended in an error, are played from where
// their journals end. budget is a new cap for the whole eval, what was spent before included; nil: the one it has. open
// gives the environment and the models that the saved options name.
func Resume(ctx context.Context, path string, budget *money.USD, open func(Options) (Config, error)) (Outcome, error) {
	m, err := readManifest(path)
	if err != nil {
		return Outcome{}, err
	}
	if m.Command != command {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s holds a run of %s, no eval", path, m.Command), "")
	}
	o := m.Options
	o.Out = path
	if o.fingerprint() != m.Fingerprint {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s was changed, or written by another version of deeprepo (%s)", ManifestName, m.Version),
			"resume with the version that began the eval, or start a new one")
	}
	if budget != nil {
		o.Budget = budget
	}
	c, err := open(o)
	if err != nil {
		return Outcome{}, err
	}
	if o, err = o.check(c.Environment); err != nil {
		return Outcome{}, err
	}
	c = c.withDefaults(o)
	paid, err := c.paid(o.Budget != nil)
	if err != nil {
		return Outcome{}, err
	}
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	if c.Elsewhere == nil {
		if err := dir.RefuseAway("."); err != nil {
			return Outcome{}, err
		}
	}
	if m.Options = o; budget != nil {
		if err := dir.WriteJSON(ManifestName, m); err != nil {
			return Outcome{}, err
		}
	}
	return execute(ctx, dir, m.ID, o, c, paid)
}

// paid opens both models, says whether calls cost anything, and refuses a cap that cannot be kept because a price is not
// known.
func (c Config) paid(capped bool) (bool, error) {
	opens := []func() (llm.Handle, error){func() (llm.Handle, error) { return c.Root(nil) }}
	if c.Worker != nil {
		opens = append(opens, func() (llm.Handle, error) { return c.Worker("", nil) })
	}
	paid := false
	for _, open := range opens {
		h, err := open()
		if c.Elsewhere != nil && llm.KindOf(err) == llm.KindNotConfigured {
			paid = true // the machines that play have the key, and know the price
			continue
		}
		if err != nil {
			return false, err
		}
		if capped && h.Price == nil {
			return false, hint.Wrap(fmt.Errorf("the price of %s is not known, so a budget cannot be kept", h.Name),
				fmt.Sprintf("set it in deeprepo.toml: [model.%q] input = ..., output = ... (USD per million tokens), or run without --budget", h.Name))
		}
		paid = paid || h.Price == nil || !h.Price.Free()
	}
	return paid, nil
}

// evaluation is an eval that runs.
type evaluation struct {
	performer
	run     string // the manifest's ID
	dir     *rundir.Dir
	durable bool
	rows    *store
	traces  *store
	tasks   *tasks
	started time.Time
	cancel  context.CancelFunc // ends what is in progress

	mu      sync.Mutex
	results *Results
	kept    int // rows of earlier executions
	ended   int // rollouts of this execution, and of these
	erred   int // those that ended in an error
	home    int // those that others played and whose journals are here
	untold  int // those of which it is not known what others paid for
	running map[place]*purse
	spent   *money.USD      // of ended rollouts; nil: not known
	sum     float64         // of rewards
	counted int             // rollouts with a reward
	halt    chan struct{}   // closed: no more rollouts begin
	why     *rundir.Stopped // why it was halted
	fault   error           // of the machine
	lastErr error           // of the policy's model
}

// execute plays what is missing and writes everything that an eval leaves.
func execute(ctx context.Context, dir *rundir.Dir, run string, o Options, c Config, paid bool) (Outcome, error) {
	defer c.Opened(dir)()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &evaluation{performer: performer{o: o, c: c}, run: run, dir: dir, durable: paid, results: &Results{}, started: c.Now(),
		cancel:  cancel,
		running: map[place]*purse{}, spent: new(money.USD), halt: make(chan struct{})}
	e.performer.failed = e.modelFailed
	out := Outcome{Dir: dir.Path(), Results: e.results, Header: o.header(c)}
	before := priorSeconds(dir)
	if err := e.open(); err != nil {
		return Outcome{}, err
	}
	defer e.rows.close()
	defer e.traces.close()
	if err := e.writeMetadata(before); err != nil { // so that readers of verifiers' files can look on
		return out, err
	}
	e.playAll(ctx)

	e.results.settle()
	err := errors.Join(e.fault, e.traces.sort(), e.rows.sort())
	out.Summary = e.summarize(before)
	err = errors.Join(err, e.writeMetadata(before), dir.WriteJSON(SummaryName, out.Summary))
	_ = dir.Root().Remove(rolloutsName) // fails while there are journals to continue from
	if err != nil {
		return out, err
	}
	return out, e.stopped(ctx)
}

// stopped says why the eval is not complete, nil when it is.
func (e *evaluation) stopped(ctx context.Context) error {
	total := e.o.Examples * e.o.Rollouts
	done := 0
	for i := range e.results.records {
		if e.results.records[i].OK() {
			done++
		}
	}
	why := e.why
	switch {
	case why != nil:
	case ctx.Err() != nil:
		why = &rundir.Stopped{Why: rundir.Interrupted(e.untold)}
	case done == 0:
		why = &rundir.Stopped{Why: "every rollout ended in an error", Cause: e.lastErr}
	default:
		return nil // errors of some rollouts are counted and named; the eval is complete
	}
	why.What, why.Parts = "eval", "rollouts"
	why.Dir, why.Done, why.Total = e.dir.Path(), done, total
	return why
}

// open opens the files and takes in the rows that count.
func (e *evaluation) open() error {
	if err := e.dir.Root().MkdirAll(rolloutsName, 0o755); err != nil {
		return fmt.Errorf("eval directory: %w", err)
	}
	var err error
	e.rows, err = openStore(e.dir, ResultsName, e.durable, func(text []byte) (place, bool, error) {
		rec, err := savedrow.Parse(text)
		if err != nil {
			return place{}, false, err
		}
		p := place{rec.Example, rec.Rollout}
		if rec.Rollout < 0 || !e.planned(p) {
			return p, false, fmt.Errorf("example %d, rollout %d is not part of this eval", rec.Example, rec.Rollout)
		}
		if rec.OK() {
			e.results.add(rec)
		}
		return p, rec.OK(), nil
	})
	if err != nil {
		return err
	}
	e.results.settle()
	e.traces, err = openStore(e.dir, TracesName, false, func(text []byte) (place, bool, error) {
		p, err := parseTrace(text)
		_, has := e.rows.at[p]
		return p, has, err
	})
	if err != nil {
		e.rows.close()
		return err
	}
	if err := errors.Join(e.rows.sort(), e.traces.sort()); err != nil {
		return err
	}
	return e.settlePast()
}

func (e *evaluation) planned(p place) bool {
	return p.example < e.o.Examples && p.rollout < e.o.Rollouts
}

// settlePast books what earlier executions spent and removes the journals of what is done.
func (e *evaluation) settlePast() error {
	if e.o.Budget != nil {
		e.pool = llm.NewBudget(*e.o.Budget)
	}
	e.kept = len(e.results.records)
	most := new(money.USD)
	for i := range e.results.records {
		rec := &e.results.records[i]
		e.book(&rec.Row)
		most = money.Plus(most, rec.AtMost)
		_ = e.dir.Root().Remove(journalName(place{rec.Example, rec.Rollout}))
	}
	if e.pool == nil {
		return nil
	}
	_, unfinished := e.unfinished()
	if most == nil || unfinished == nil {
		return hint.New("what was spent before is not known, so a budget cannot be kept", "resume without --budget, or start a new eval")
	}
	r, err := e.pool.Reserve(*most)
	if err != nil {
		return hint.Wrap(fmt.Errorf("%s were spent already, and the budget is %s", most.Round(4), *e.o.Budget),
			"give a larger one: --budget USD")
	}
	r.Settle(*most)
	e.pool.Replaying(*unfinished) // each rollout books its part when it is played again
	return nil
}

// book adds an ended rollout to what the progress shows.
func (e *evaluation) book(rec *savedrow.Row) {
	e.spent = money.Plus(e.spent, rec.Cost)
	if rec.OK() {
		e.sum += rec.Reward
		e.counted++
	}
}
