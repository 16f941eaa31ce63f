package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Work is what is asked of whoever performs a review, beside the code: plain data that survives JSON.
type Work struct {
	Manifest Manifest `json:"manifest"`
	Decided  Decided  `json:"decided"`
	// Extra is Env.Extra.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// Performed is what came of it, and survives JSON: all that the reports need of models and the sandbox. Without a report (its
// Schema is 0) there is nothing.
type Performed struct {
	Report runfile.Report `json:"report"` // without what git knows, what to do first, and how long it took
	// Known is the report's KnownFindings, which report.json has not.
	Known   []finding.Finding      `json:"known"`
	Covered runfile.CoverageRecord `json:"covered"`
	// Said are lines for the user, beside those on how calls go.
	Said []string `json:"said,omitempty"`
	// Cause is the error of a model that ended the run.
	Cause *llm.Failure `json:"cause,omitempty"`
}

// Elsewhere has a review's work performed on another machine: by [Perform] there, over a journal that begins with past, a
// trace's lines. journal is the whole of it at the end, past included; empty where it is not known. The error is Perform's, or
// says that nobody performed it.
type Elsewhere func(ctx context.Context, w Work, code *codebase.Codebase, past []byte) (p Performed, journal []byte, err error)

// Perform does what a review needs models, a sandbox and the code graph for: it reads, verifies and sorts what was found.
// Everything it pays for is in w before it is used; what past holds, the events that stand before w's own, is not paid for
// again. An error with a report in Performed came after all that the report says.
func Perform(ctx context.Context, work Work, code *codebase.Codebase, w *trace.Writer, past []trace.Event, env Env) (Performed, error) {
	env = env.withDefaults()
	m := work.Manifest
	if code.Hash() != m.Codebase {
		return Performed{}, errors.New("the code is not what the run was begun with")
	}
	models := env.models(m.Options)
	if _, _, err := env.check(m.Options); err != nil {
		return Performed{}, err
	}
	if m.Options.Verify {
		if _, err := env.look(m.Options.Verifier, m.Options.Budget != nil); err != nil {
			return Performed{}, err
		}
	}
	var p Performed
	say := env.Say
	env.Say = func(line string) {
		p.Said = append(p.Said, line)
		say(line)
	}
	var budget *llm.Budget
	if m.Options.Budget != nil {
		budget = llm.NewBudget(*m.Options.Budget)
	}
	if env.Syntax != nil {
		if parser, err := env.Syntax(); err == nil { // who needs it says that it does not open
			defer parser.Remember()()
		}
	}
	cfg := config(m, code, models, budget, w, done(past), env)
	base := claim.NewBase(code, env.Syntax, cfg.Graph)
	opinions := opinion.New(code, base, env.Programs)
	cfg.Opinion = opinions
	res, runErr := rlmOrSingle(ctx, m.Options.Strategy, cfg)
	if res.Coverage == nil {
		return Performed{}, runErr
	}
	unjudged(&res, code, judges(models, m.Options))
	r := buildReport(m, code, res)
	if err := work.Decided.refine(&r, m.Options.SkipRules, code); err != nil {
		env.Say("warning: " + err.Error())
	}
	r.Findings = finding.Distinct(r.Findings)
	if m.Options.Verify && runErr == nil {
		stage := second{opinions: opinions, base: base, models: models, verifier: m.Options.Verifier, cfg: cfg, env: env}
		runErr = stage.verify(ctx, &r, &res)
	}
	settle(&r)
	group(&r)
	account(&r, res)
	if budget != nil {
		if over := budget.Report().Overrun; over > 0 {
			env.Say(fmt.Sprintf("warning: the provider billed %s more than its calls could cost by price and limits; the cap was %s",
				over.Round(4), m.Options.Budget))
		}
	}
	p.Report, p.Known, p.Covered, p.Cause = r, r.KnownFindings, coveredLines(code, res.Coverage), llm.FailureOf(res.Cause)
	return p, runErr
}

// done is what a journal says was done: nothing, where it holds only the event that opened it.
func done(journal []trace.Event) []trace.Event {
	if len(journal) == 1 && journal[0].Kind == trace.KindStart {
		return nil
	}
	return journal
}

// perform has the work done, here or elsewhere, from wherever the run's journal ends. The journal is on disk when it returns.
func perform(ctx context.Context, dir *rundir.Dir, work Work, code *codebase.Codebase, env Env) (Performed, error) {
	if env.Elsewhere == nil {
		if err := dir.RefuseAway("."); err != nil {
			return Performed{}, err
		}
	}
	w, past, err := dir.Trace(TraceName, true, env.Now, env.Watch)
	if err != nil {
		return Performed{}, err
	}
	if len(past) == 0 { // to begin again would pay for everything again
		return Performed{}, errors.Join(w.Close(), hint.Wrap(fmt.Errorf("%s is missing or empty, so what the run did and paid for is not known",
			dir.File(TraceName)), "start a new run: replies that came are in the cache"))
	}
	if env.Elsewhere == nil {
		p, err := Perform(ctx, work, code, w, past, env)
		return p, errors.Join(err, w.Close())
	}
	if err := w.Close(); err != nil {
		return Performed{}, err
	}
	before, err := journal(dir)
	if err != nil {
		return Performed{}, err
	}
	if err := dir.Leave(); err != nil {
		return Performed{}, err
	}
	p, after, err := env.Elsewhere(ctx, work, code, before)
	for _, line := range p.Said {
		env.Say(line)
	}
	if err = errors.Join(err, keep(dir, before, after)); err != nil {
		err = hint.WrapMissing(err, "deeprepo resume "+dir.Path()+" goes on from here")
	}
	return p, err
}

// journal is a run's trace, as it stands on disk.
func journal(dir *rundir.Dir) ([]byte, error) {
	f, err := bounded.OpenIn(dir.Root(), TraceName, 0)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return data, nil
}

// keep puts the journal of a run that was performed elsewhere in the place of what there was of it: from then on it is here.
func keep(dir *rundir.Dir, before, after []byte) error {
	if len(after) == 0 {
		return nil
	}
	_, good, err := trace.Read(bytes.NewReader(after))
	switch {
	case err != nil:
		return fmt.Errorf("the journal from elsewhere: %w", err)
	case !bytes.HasPrefix(after, before) || good != int64(len(after)):
		return errors.New("the journal from elsewhere does not go on where this one ends")
	}
	if err := dir.Write(TraceName, func(w io.Writer) error { _, err := w.Write(after); return err }); err != nil {
		return err
	}
	return dir.Return()
}
