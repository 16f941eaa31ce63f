package codeeval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// evalCommand is what the manifest of an eval says.
const evalCommand = "code eval"

// EvalManifest is run.json: what an eval was asked to do.
type EvalManifest struct {
	runfile.Manifest
	Options EvalOptions `json:"options"`
}

// EvalOutcome is an eval, whether or not it came to its end.
type EvalOutcome struct {
	Dir     string
	Summary runfile.CodeEvalSummary
}

// IsEval reports whether dir holds an eval of code.
func IsEval(dir string) bool {
	m, err := rundir.ReadManifest[EvalManifest](dir, kind)
	return err == nil && m.Command == evalCommand
}

// Eval generates samples and judges them as they come. The controls run first: nothing is paid for while the harness is
// not known to be right. With an EvalOutcome whose Dir is set, an error is a *rundir.Stopped or a fault of the machine:
// what was made until then is saved.
func Eval(ctx context.Context, o EvalOptions, c EvalConfig) (EvalOutcome, error) {
	e, err := newEvaluation(o, c)
	if err != nil {
		return EvalOutcome{}, err
	}
	if err := e.gate(ctx); err != nil {
		return EvalOutcome{}, err
	}
	out := e.o.Out
	if out == "" {
		name := rundir.Slug(e.o.Dataset+"-"+filepath.Base(e.o.Model), "code")
		if out, err = rundir.Fresh(filepath.Join("runs", "code-"+name+"-"+e.c.Now().Format("20060102-150405")), kind); err != nil {
			return EvalOutcome{}, err
		}
	}
	dir, err := rundir.Create(out, kind)
	if err != nil {
		return EvalOutcome{}, err
	}
	defer dir.Close()
	m := EvalManifest{Manifest: runfile.Manifest{Schema: rundir.Schema, Command: evalCommand, Version: e.c.Version, StartedAt: e.c.Now().UTC(),
		Fingerprint: e.o.fingerprint(e.c.Set)}, Options: e.o}
	if err := dir.WriteJSON(ManifestName, m); err != nil {
		return EvalOutcome{}, err
	}
	return e.execute(ctx, dir)
}

// ResumeEval continues the eval in path: exactly the samples that are missing are made, and those without a verdict
// judged. budget is a new cap for the whole eval, what was spent before included; nil: the one it has. open gives the
// dataset, the sandbox and the model that the saved options name.
func ResumeEval(ctx context.Context, path string, budget *money.USD, open func(EvalOptions) (EvalConfig, error)) (EvalOutcome, error) {
	m, err := rundir.ReadManifest[EvalManifest](path, kind)
	if err != nil {
		return EvalOutcome{}, err
	}
	if m.Command != evalCommand {
		return EvalOutcome{}, hint.Wrap(fmt.Errorf("%s holds a run of %s, no eval", path, m.Command), "")
	}
	o := m.Options
	o.Out = path
	if budget != nil {
		o.Budget = budget
	}
	c, err := open(o)
	if err != nil {
		return EvalOutcome{}, err
	}
	e, err := newEvaluation(o, c)
	if err != nil {
		return EvalOutcome{}, err
	}
	if e.o.fingerprint(e.c.Set) != m.Fingerprint {
		return EvalOutcome{}, changed(m.Manifest)
	}
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return EvalOutcome{}, err
	}
	defer dir.Close()
	if m.Options = e.o; budget != nil {
		if err := dir.WriteJSON(ManifestName, m); err != nil {
			return EvalOutcome{}, err
		}
	}
	return e.execute(ctx, dir)
}

// EvalPlan is what an eval would ask, for a dry run.
type EvalPlan struct {
	Options  EvalOptions
	Tasks    int
	First    string // the task whose prompt is shown
	Prompt   generate.Prompt
	Estimate generate.Estimate
}

// PlanEval prepares an eval and runs nothing of it.
func PlanEval(o EvalOptions, c EvalConfig) (EvalPlan, error) {
	e, err := newEvaluation(o, c)
	if err != nil {
		return EvalPlan{}, err
	}
	sampler, err := e.o.sampler(e.model, e.c, nil)
	if err != nil {
		return EvalPlan{}, err
	}
	p := EvalPlan{Options: e.o, Tasks: len(e.tasks), First: e.tasks[0].ID}
	if p.Prompt, err = sampler.Prompt(e.tasks[0]); err != nil {
		return EvalPlan{}, err
	}
	p.Estimate, err = sampler.Estimate(e.tasks)
	return p, err
}

// evaluation is an eval that is prepared.
type evaluation struct {
	o        EvalOptions
	c        EvalConfig
	tasks    []dataset.Task
	verifier *verify.Verifier
	model    llm.Handle // without a budget, for what is known of it
	view     *evalView
}

// newEvaluation finds every mistake of the options before anything is made.
func newEvaluation(o EvalOptions, c EvalConfig) (*evaluation, error) {
	c.VerifyConfig = c.VerifyConfig.withDefaults()
	h, err := c.Open(nil)
	if err != nil {
		return nil, err
	}
	if o, err = o.check(h); err != nil {
		return nil, err
	}
	if o.Budget != nil && h.Price == nil {
		return nil, hint.Wrap(fmt.Errorf("the price of %s is not known, so a budget cannot be kept", h.Name),
			fmt.Sprintf("set it in deeprepo.toml: [model.%q] input = ..., output = ... (USD per million tokens), or run without --budget", h.Name))
	}
	tasks, selected, err := o.tasks(c.Set)
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, hint.New("there is no task to do", "look at --split, --ids and --limit")
	}
	e := &evaluation{o: o, c: c, tasks: tasks, model: h, view: newEvalView(c.Progress)}
	e.c.Observe = e.view.judged
	e.verifier = o.verification().verifier(e.c.VerifyConfig, selected)
	_, err = o.sampler(h, e.c, nil) // a mode that the model does not take
	return e, err
}

// gate runs the controls. Once passed they cost nothing more.
func (e *evaluation) gate(ctx context.Context) error {
	_, err := e.verifier.Gate(ctx)
	if err != nil && ctx.Err() != nil {
		return &interruptedError{ctx.Err()}
	}
	return err
}

// interruptedError says that an eval ended before it had anything to keep.
type interruptedError struct{ cause error }

func (e *interruptedError) Error() string {
	return "interrupted before the first sample; nothing was spent"
}
func (e *interruptedError) Unwrap() error { return e.cause }

// execute makes and judges what is missing.
func (e *evaluation) execute(ctx context.Context, dir *rundir.Dir) (EvalOutcome, error) {
	defer e.c.Opened(dir)()
	if err := e.gate(ctx); err != nil {
		return EvalOutcome{}, err
	}
	g, err := e.generation(dir)
	if err != nil {
		return EvalOutcome{}, err
	}
	defer g.journal.Close()
	inventory := verify.Inventory{Samples: len(e.tasks) * e.o.Samples, PerTask: make(map[string]int, len(e.tasks))}
	for _, t := range e.tasks {
		inventory.PerTask[t.ID] = e.o.Samples
	}
	j := judging{
		set: e.c.Set, verifier: e.verifier, dir: dir, now: e.c.Now, observe: e.c.Observe, inventory: inventory, samples: g.samples(ctx),
		python: e.c.Python,
		name:   e.o.Model, what: "eval", split: e.o.Split, allowInfra: e.o.AllowInfra, prompt: g.prompt,
	}
	s, err := j.run(ctx)
	out := EvalOutcome{Dir: dir.Path(), Summary: e.summarize(s, g)}
	if stopped := (*rundir.Stopped)(nil); err != nil && !errors.As(err, &stopped) {
		return out, errors.Join(err, g.fault())
	}
	if err := dir.WriteJSON(SummaryName, out.Summary); err != nil {
		return out, err
	}
	return out, g.stopped(ctx, dir.Path())
}
