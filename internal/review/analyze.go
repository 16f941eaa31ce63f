package review

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Env is what a review takes from the program around it.
type Env struct {
	Registry *llm.Registry
	// Cache holds workers' replies by content. Defaults to none.
	Cache *llm.Cache
	// Sandbox opens the sandbox when the first cell needs it.
	Sandbox rlm.Sandbox
	// Syntax opens the parser that the code graph and the verification look at code with. Defaults to none: there is no code
	// graph then, and the verification sees text only.
	Syntax func() (*syntax.Parser, error)
	// Flows is told where values go, for the rules that ask it. Defaults to none: they find it out anew.
	Flows *flow.Memory
	// GraphDir keeps what the code graph read of each content. Defaults to none.
	GraphDir string
	// Programs runs a verifier's checks. Defaults to none: none is asked for.
	Programs opinion.Programs
	// Version is the program's, for run.json.
	Version string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees progress. Defaults to nothing.
	Observe func(rlm.Progress)
	// Watch sees each event of the journal, once it is written. Defaults to nothing.
	Watch func(trace.Event)
	// Say tells the user one line. Defaults to nothing.
	Say func(string)
	// Retry says how calls are repeated. Defaults to llm's own way.
	Retry llm.RetryConfig
	// Elsewhere has the work performed on another machine. Defaults to this one.
	Elsewhere Elsewhere
	// Extra is what the program around it tells whoever performs the work; a review does not read it. Defaults to nothing.
	Extra json.RawMessage
}

func (e Env) withDefaults() Env {
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Observe == nil {
		e.Observe = func(rlm.Progress) {}
	}
	if e.Say == nil {
		e.Say = func(string) {}
	}
	return e
}

// Outcome is a review that ran, whether or not it came to its end.
type Outcome struct {
	Report runfile.Report
	Dir    string
	// Cause is the error of a model that ended the run, nil when there was none.
	Cause error
}

// Analyze reviews a codebase and leaves its reports in o.Out. The error is for what yields no report at all; a run that
// was cut short has a report whose status says so.
func Analyze(ctx context.Context, o Options, env Env) (Outcome, error) {
	env = env.withDefaults()
	o, err := o.withDefaults()
	if err != nil {
		return Outcome{}, err
	}
	if o, err = sinceBase(ctx, o); err != nil {
		return Outcome{}, err
	}
	s, err := take(ctx, o, env)
	if err != nil {
		return Outcome{}, err
	}
	if s.change != nil {
		o.Change = told(s.change, !o.NoRedact)
	}
	root, worker, err := env.check(o)
	if err != nil {
		return Outcome{}, err
	}
	known := []llm.Handle{root, worker}
	switch {
	case root.Scripted && worker.Scripted:
		env.Say("no language model takes part: the root is a script, and static rules read the code")
	case worker.Scripted:
		env.Say("static rules, not a language model, read the code")
	}
	if o.Verify {
		o = chooseVerifier(o, root, worker)
		v, err := env.look(o.Verifier, o.Budget != nil)
		if err != nil {
			return Outcome{}, err
		}
		known = append(known, v)
	}
	if o.Strategy == StrategyAuto {
		o.Strategy = chooseStrategy(s.code, root)
		if o.Strategy == StrategySingle {
			env.Say("the codebase fits one call, so " + root.Name + " reads it directly (--strategy rlm to recurse all the same)")
		}
	}
	if o.Strategy == StrategySingle {
		o.Worker = o.Root // who reads
	}
	return begin(ctx, "analyze", o, s, prices(known...), env)
}

// begin makes the run's directory and runs.
func begin(ctx context.Context, command string, o Options, s subject, prices map[string]*llm.Price,
	env Env) (Outcome, error) {
	now := env.Now()
	if err := checkDecided(o); err != nil {
		return Outcome{}, err // said before anything is spent
	}
	if o.Out == "" {
		var err error
		if o.Out, err = rundir.Fresh(DefaultOut(o.Path, now), kind); err != nil {
			return Outcome{}, err
		}
	}
	m := Manifest{
		Schema: rundir.Schema, ID: now.UTC().Format("20060102T150405") + "-" + rand.Text()[:6], Command: command, Version: env.Version,
		StartedAt: now.UTC(), Codebase: s.code.Hash(), Options: o, Seeds: map[string]int64{"sandbox": 0}, Prices: prices,
	}
	stats := s.code.Stats()
	m.Size = runfile.Size{Commit: s.code.Commit(), Files: stats.Files, Lines: stats.Lines}
	m.Fingerprint = fingerprint(m)
	dir, err := rundir.Create(o.Out, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	if err := errors.Join(openJournal(dir, m, env), dir.WriteJSON(ManifestName, m)); err != nil {
		return Outcome{}, err
	}
	return execute(ctx, dir, m, s, env)
}

// openJournal begins a run's journal with an event that says which run it is of. It is on disk before run.json is, so a run
// with a run.json has an empty journal only where somebody emptied it.
func openJournal(dir *rundir.Dir, m Manifest, env Env) error {
	w, _, err := dir.Trace(TraceName, true, env.Now, nil)
	if err != nil {
		return err
	}
	opened := trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: m.ID, Fingerprint: m.Fingerprint}}
	return errors.Join(w.AppendDurable(opened), w.Close())
}

// loadLike reads a codebase that is like another one.
func loadLike(ctx context.Context, o Options, like *codebase.Codebase) (*codebase.Codebase, error) {
	return codebase.Load(ctx, o.Path, codebase.Options{Commit: o.Commit, Include: o.Include, Exclude: o.Exclude,
		MaxFileBytes: o.MaxFileBytes, Like: like})
}

func load(ctx context.Context, o Options, env Env) (*codebase.Codebase, error) {
	code, err := loadLike(ctx, o, nil)
	if err != nil {
		return nil, err
	}
	for _, w := range code.Warnings() {
		env.Say("warning: " + w)
	}
	return code, nil
}

// fingerprint digests what decides which calls a run makes.
func fingerprint(m Manifest) string {
	o := m.Options
	if o.Base != "" {
		o.Preset.Root += "\x00" + o.Base + "\x00" + o.Change
	}
	return digest(1, m.Codebase, m.Command, o.Root, o.Worker, o.Strategy, o.Preset, o.MaxTurns, o.MaxDepth, o.Coverage, o.GateMode,
		rlm.Surface())
}

// execute has a manifest's work done, from wherever its trace ends, and writes the reports.
func execute(ctx context.Context, dir *rundir.Dir, m Manifest, s subject, env Env) (Outcome, error) {
	started, code := env.Now(), s.code
	decided := s.decided
	if decided == nil {
		d, err := decide(m.Options, code)
		if err != nil {
			env.Say("warning: " + err.Error())
		}
		decided = &d
	}
	var p Performed
	var runErr error
	if s.change != nil && len(code.Paths()) == 0 {
		p = nothing(m, code)
	} else {
		p, runErr = perform(ctx, dir, Work{Manifest: m, Decided: *decided, Extra: env.Extra}, code, env)
	}
	if p.Report.Schema == 0 {
		return Outcome{}, runErr
	}
	if s.change != nil {
		runErr = errors.Join(runErr, s.judge(ctx, dir, m, &p, env))
	}
	doc := report.Document{Report: p.Report, Files: fileCoverage(p.Covered)}
	doc.Report.KnownFindings = p.Known
	prioritise(ctx, &doc.Report, code)
	origin := codebase.OriginOf(context.WithoutCancel(ctx), m.Options.Path) // a review that is stopped belongs to its history, too
	doc.Report.Repo.Remote, doc.Report.Repo.FirstCommit, doc.Report.Repo.Below = origin.Remote, origin.First, origin.Below
	doc.Report.Run.DurationS = math.Round(env.Now().Sub(started).Seconds()*1000) / 1000
	out := Outcome{Report: doc.Report, Dir: dir.Path(), Cause: p.Cause.Cause()}
	return out, errors.Join(runErr, writeReports(dir, doc, p.Covered, env.Version))
}

// config is what a manifest asks of the loop.
func config(m Manifest, code *codebase.Codebase, models *llm.Opener, budget *llm.Budget, w *trace.Writer, past []trace.Event,
	env Env) rlm.Config {
	o := m.Options
	_, skipped := leftOut(code)
	var redactor rlm.Redactor // a nil pointer in it would not be nil
	if !o.NoRedact {
		redactor = redact.New()
	}
	if o.Change != "" {
		o.Preset = ofChange(o.Preset, o.Change)
	}
	cfg := rlm.Config{
		Codebase: code, Models: models, Sandbox: env.Sandbox, Trace: w, Past: past, Preset: o.Preset,
		Fingerprint: m.Fingerprint, RunID: m.ID, Budget: budget, Redact: redactor,
		Gate: rlm.Gate{Mode: o.GateMode, Coverage: o.Coverage}, Skipped: skipped, MaxTurns: o.MaxTurns, MaxDepth: o.MaxDepth,
		Concurrency: o.Concurrency, CellWall: o.CellWall, Observe: env.Observe, Now: env.Now,
	}
	if env.Syntax != nil {
		cfg.Graph = graph.Lazily(code, graph.Options{Parser: env.Syntax, CacheDir: env.GraphDir})
		cfg.Flows = flow.Lazily(code, cfg.Graph, env.Syntax, env.Flows)
	}
	return cfg
}

// rlmOrSingle runs the strategy that was chosen.
func rlmOrSingle(ctx context.Context, strategy string, cfg rlm.Config) (rlm.Result, error) {
	if strategy == StrategySingle {
		return rlm.Single(ctx, cfg)
	}
	return rlm.Run(ctx, cfg)
}

// Changes are how a resumed run should differ from its original options.
type Changes struct {
	// Budget replaces the run's own: it is the cap for the whole run, what was spent before included. Defaults to it.
	Budget *money.USD
	// Verifying asks for a second look at the findings. Defaults to the run's original option.
	Verifying Verifying
}

// Resume continues the run in dir. What its trace holds is not done or paid for again.
func Resume(ctx context.Context, path string, change Changes, env Env) (Outcome, error) {
	env = env.withDefaults()
	m, err := ReadManifest(path)
	if err != nil {
		return Outcome{}, err
	}
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	if got := fingerprint(m); got != m.Fingerprint {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s was changed, or written by another version of deeprepo (%s, this is %s)", ManifestName,
			m.Version, env.Version),
			"resume with the version that began the run, or start a new one")
	}
	s, err := take(ctx, m.Options, env)
	if err != nil {
		return Outcome{}, err
	}
	if s.code.Hash() != m.Codebase {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s has changed since the run began", m.Options.Path),
			"start a new run: replies about unchanged files come from the cache at no cost")
	}
	if change.Budget != nil {
		m.Options.Budget = change.Budget
	}
	if m.Options, err = change.Verifying.apply(m.Options); err != nil {
		return Outcome{}, err
	}
	root, worker, err := env.check(m.Options)
	if err != nil {
		return Outcome{}, err
	}
	sayPrices(m, env.Say, root, worker)
	if m.Options.Verify {
		m.Options = chooseVerifier(m.Options, root, worker)
		v, err := env.look(m.Options.Verifier, m.Options.Budget != nil)
		if err != nil {
			return Outcome{}, err
		}
		m.Prices[v.Name] = v.Price
	}
	if change != (Changes{}) {
		if err := dir.WriteJSON(ManifestName, m); err != nil {
			return Outcome{}, err
		}
	}
	return execute(ctx, dir, m, s, env)
}
