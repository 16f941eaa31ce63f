package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/spf13/cobra"
)

// reviewFlags are the flags that analyze and baseline share. Options has what a flag sets by itself.
type reviewFlags struct {
	review.Options
	baseline           bool // it is that command
	named              bool // what is reviewed of the codebase was named
	preset, promptFile string
	budget             string
	gate               string
	offline, dryRun    bool
	exit               exitFlags
	list               listFlags
	change             changeFlags
}

// exitFlags say what a review's outcome means for the exit code, and how much of it is printed.
type exitFlags struct {
	failOn           string
	failOnNew        string // what a change brought in
	allowPartial     bool
	trustRefutations bool
	all              bool // prints every finding
	formats          []string
	leaveNothing     bool // the run's directory goes when a review is complete
}

func (e *exitFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&e.failOn, "fail-on", "", "exit code 1 when a finding is at least this severe: "+strings.Join(taxonomy.Severities(), ", "))
	fl.BoolVar(&e.allowPartial, "allow-partial", false, "exit code 0, not 3, when part of what was asked for is missing")
	fl.BoolVar(&e.trustRefutations, "trust-refutations", false,
		"--fail-on leaves out findings that a model refuted, dismissed or graded lower")
	fl.BoolVar(&e.all, "all", false, allUsage)
	complete(cmd, "fail-on", taxonomy.Severities()...)
}

// check refuses a --fail-on that would never fail.
func (e exitFlags) check() error {
	for flag, severity := range map[string]string{"--fail-on": e.failOn, "--fail-on-new": e.failOnNew} {
		if severity != "" && !slices.Contains(taxonomy.Severities(), severity) {
			return usageError{fmt.Errorf("%s %q is not a severity", flag, severity), "use " + strings.Join(taxonomy.Severities(), ", ")}
		}
	}
	return nil
}

// verifyFlags ask for a second look at the findings, by verifier.
func verifyFlags(cmd *cobra.Command, on *bool, verifier *string) {
	cmd.Flags().BoolVar(on, "verify", false, "have a second worker try to refute each finding; refuted ones are listed separately")
	cmd.Flags().StringVar(verifier, "verifier", "", "the model that --verify asks (default: the worker)")
}

// checkVerifier refuses a verifier that would have nothing to do.
func checkVerifier(on bool, verifier string) error {
	if verifier != "" && !on {
		return usageError{errors.New("--verifier names a model, but --verify is not given"), "add --verify"}
	}
	return nil
}

func (f *reviewFlags) common(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.Out, "out", "o", "", "directory for the reports and the trace (default runs/NAME-TIME)")
	fl.StringVar(&f.Root, "root", "", "root model, provider/model (default: by the keys that are set, else offline/orchestrator)")
	fl.StringVar(&f.Commit, "commit", "", "review this commit instead of the work tree")
	fl.StringSliceVar(&f.Include, "include", nil, "only files that match these globs")
	fl.StringSliceVar(&f.Exclude, "exclude", nil, "exclude files that match these globs")
	fl.Int64Var(&f.MaxFileBytes, "max-file-bytes", 0, "skip larger files (default 1 MiB)")
	fl.StringVar(&f.preset, "preset", "", "what to look for: "+strings.Join(rlm.PresetNames(), ", ")+" (default code)")
	fl.StringVar(&f.promptFile, "prompt", "", "your own preset: Markdown with parts under '# Root' and '# Worker'")
	fl.StringVar(&f.budget, "budget", "", "maximum cost of the run, in USD; never exceeded")
	f.exit.add(cmd)
	fl.StringVar(&f.BaselineReport, "baseline-report", "", "report only findings that this older report.json does not have")
	fl.StringVar(&f.SuppressFile, "suppress", "", "file of suppressed findings (default .deeprepo-suppress in the codebase)")
	fl.StringSliceVar(&f.SkipRules, "skip-rules", nil, "static rules that are off: python/weak-random, go/*:legacy/**")
	trustConfigFlag(cmd)
	fl.BoolVar(&f.offline, "offline", false, "no network: offline/orchestrator and offline/rules")
	fl.BoolVar(&f.dryRun, "dry-run", false, "print files, tokens, an estimate of the cost and what would be masked as a secret; spend nothing")
	fl.BoolVar(&f.NoRedact, "no-redact", false, "send text unchanged: do not replace secrets in it")
	complete(cmd, "preset", rlm.PresetNames()...)
	completeWith(cmd, "skip-rules", ruleIDs)
}

func (a *app) analyzeCommand() *cobra.Command {
	var f reviewFlags
	cmd := &cobra.Command{
		Use:   "analyze [PATH...] | --list FILE",
		Short: "Review a codebase: findings, coverage and cost in one report",
		Long: `Review the codebase at PATH: a directory, a git work tree or a bare repository; without PATH the current directory. A file,
or several files and directories, are what is reviewed of the repository that they stand in.

The root model plans and writes Python; worker models read the code. One directory holds the reports (report.html,
report.md, report.json, report.sarif), the trace and everything needed to resume. Every finding quotes the code at
its line. Suppress a finding with a comment 'deeprepo:ignore CATEGORY -- reason' on its line or the line above, or
in .deeprepo-suppress. Marks for other tools ('# nosec', 'NOSONAR', '//nolint:gosec') count too.

With --list, review each repository of a file, each in its own directory below DIR/runs, and sum them up in summary.md
and summary.json. A line is a path, relative to the current directory, or a git URL (https, ssh, git, file, or
git@HOST:PATH), and behind it, if it is not to be the work tree or the default branch, a commit, tag or branch; what
begins with # is a comment. Repositories at URLs are cloned below DIR/checkouts and stay there. --budget is for all
together and never exceeded: a review's cap is, when it begins, an equal share of what is left. The other flags hold for
each review. A repository that cannot be had, or is too large, does not end the others. With --dry-run, each one's estimate
and the sum: what is cloned for that is removed again.`,
		Example: `  deeprepo analyze .
  deeprepo analyze ~/src/app --root anthropic/claude-sonnet-4-5 --budget 1.50 --coverage 0.9
  deeprepo analyze . --verify                                # a second worker tries to refute each finding
  deeprepo analyze . --root local/any --worker local/any     # llama-server, vLLM, ... on this machine
  deeprepo analyze . --offline --fail-on high --baseline-report last/report.json
  deeprepo analyze web/*.py lib --format github --format sarif=out.sarif   # these files and directories, for a pipeline
  deeprepo analyze . --base main --fail-on-new high          # what this branch brings in, and what it fixes
  deeprepo analyze --list repositories.txt --offline --out runs/all   # ../app, https://host/x.git v1.2, ...`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.list.file != "" && len(args) > 0 {
				return usageError{fmt.Errorf("%s and --list contradict each other", args[0]), "write it into the list"}
			}
			return nil
		},
		PreRunE: a.configuredFor,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list.file != "" {
				return a.analyzeList(cmd, f)
			}
			if f.list != (listFlags{}) {
				return usageError{errors.New("--fleet, --at-once and --max-clone-bytes need --list"), "a list may have one line"}
			}
			return a.analyze(cmd, args, f)
		},
	}
	f.common(cmd)
	a.outputFlags(cmd, &f.exit.formats)
	failOnNewFlag(cmd, &f.exit.failOnNew)
	fl := cmd.Flags()
	fl.BoolVar(&f.exit.leaveNothing, "rm", false, "leave no directory behind: it is temporary, and stays only where the review broke off")
	fl.StringVar(&f.Worker, "worker", "", "worker model (default: by the keys that are set, else offline/rules)")
	fl.StringVar(&f.Strategy, "strategy", review.StrategyAuto, "auto, rlm (recursion) or single (one call)")
	fl.IntVar(&f.MaxTurns, "max-turns", review.DefaultTurns, "maximum turns of the root")
	fl.IntVar(&f.MaxDepth, "depth", 0, "how deep rlm_query may nest; 0 means no child roots")
	fl.IntVar(&f.Concurrency, "concurrency", review.DefaultConcurrency, "concurrent dispatches")
	fl.Float64Var(&f.Coverage, "coverage", 0, "reject the answer until workers have answered for this share of the lines, 0 to 1")
	fl.StringVar(&f.gate, "gate", string(rlm.GateHold), "what --coverage does: gate (reject the answer) or prompt (only ask for it)")
	verifyFlags(cmd, &f.Verify, &f.Verifier)
	f.change.add(cmd)
	f.list.add(cmd)
	a.waiting.add(cmd)
	fl.BoolVar(&f.NoCache, "no-cache", false, "ask workers again even if a cached reply exists")
	return cmd
}

// softMemory is what the collector keeps the memory of a review to where it can: a million lines then take less than 1 GB, at no cost
// in time.
const softMemory = 640 << 20

func (a *app) analyze(cmd *cobra.Command, args []string, f reviewFlags) error {
	if _, chosen := os.LookupEnv("GOMEMLIMIT"); !chosen {
		debug.SetMemoryLimit(softMemory)
	}
	path, err := f.scope(args)
	if err != nil {
		return err
	}
	_, registry, err := a.open()
	if err != nil {
		return err
	}
	o, err := a.options(path, f)
	if err != nil {
		return err
	}
	if o.Out, err = f.temporary(); err != nil {
		return err
	}
	run := review.Analyze
	if f.baseline {
		if run = review.Baseline; o.Root == offline.Name { // a script cannot answer one call; the rules can
			o.Root = rules.Name
		}
	}
	p := a.newProgress()
	env := a.env(registry, p)
	if f.dryRun {
		e, err := review.DryRun(cmd.Context(), o, env)
		if err != nil {
			return err
		}
		return a.print(e, func(w io.Writer) error { printEstimate(w, e); return nil })
	}
	if !f.baseline && o.Budget == nil && (o.Root != offline.Name || o.Worker != rules.Name) { // an estimate reads the whole codebase
		if e, err := review.Plan(cmd.Context(), o, env); err == nil && e.CostUSD != nil && *e.CostUSD > 0 {
			p.say(fmt.Sprintf("about $%.2f for one pass (an estimate); --budget USD sets a cap", *e.CostUSD))
		}
	}
	out, err := run(cmd.Context(), o, env)
	p.close()
	return a.conclude(out, err, f, o.Out)
}

// open reads the configuration and knows all providers.
func (a *app) open() (config, *llm.Registry, error) {
	c, err := a.configuration()
	if err != nil {
		return c, nil, err
	}
	registry, err := a.registry(c)
	return c, registry, err
}

// options makes a review's options of the flags, on which the configuration has been set.
func (a *app) options(path string, f reviewFlags) (review.Options, error) {
	o, err := f.change.apply(f.Options, f.exit)
	if err != nil {
		return o, err
	}
	o.Path = path
	if err = errors.Join(f.exit.check(), a.checkOutputs(f.exit.formats, f.dryRun)); err != nil {
		return o, err
	}
	o.BaselineReport = a.baselineReport(o.BaselineReport)
	if o.Root, o.Worker, err = a.chooseModels(f.Root, f.Worker, f.offline); err != nil {
		return o, err
	}
	if err = checkVerifier(o.Verify, o.Verifier); err != nil {
		return o, err
	}
	if o.MaxTurns < 0 || o.MaxDepth < 0 || o.Concurrency < 0 || o.MaxFileBytes < 0 {
		return o, usageError{errors.New("--max-turns, --depth, --concurrency and --max-file-bytes cannot be negative"), ""}
	}
	if f.preset != "" && f.promptFile != "" {
		return o, usageError{errors.New("--preset and --prompt exclude each other"), "give one of them"}
	}
	if o.Preset, err = preset(f.preset, f.promptFile); err != nil {
		return o, err
	}
	if o.Budget, err = budget(f.budget, nil); err != nil {
		return o, err
	}
	if !(o.Coverage >= 0 && o.Coverage <= 1) { // also refuses NaN
		return o, usageError{fmt.Errorf("--coverage %v is not a share between 0 and 1", o.Coverage), "0.9 means nine lines in ten"}
	}
	if o.Coverage > 0 {
		switch mode := rlm.GateMode(cmp.Or(f.gate, string(rlm.GateHold))); mode {
		case rlm.GateHold, rlm.GatePrompt:
			o.GateMode = mode
		default:
			return o, usageError{fmt.Errorf("--gate %q is neither gate nor prompt", f.gate), ""}
		}
	}
	return o, nil
}

func preset(name, file string) (rlm.Preset, error) {
	if file != "" {
		data, err := bounded.ReadFile(file, maxConfig)
		if err != nil {
			return rlm.Preset{}, usageError{fmt.Errorf("--prompt: %w", err), cmp.Or(hint.Of(err), "give a Markdown file")}
		}
		return rlm.ParsePreset(file, string(data))
	}
	return rlm.BuiltinPreset(cmp.Or(name, "code"))
}

func budget(flag string, configured *float64) (*money.USD, error) {
	text := flag
	if text == "" && configured != nil {
		text = strconv.FormatFloat(*configured, 'f', -1, 64)
	}
	if text == "" {
		return nil, nil
	}
	usd, err := money.ParseUSD(text)
	if err != nil || usd <= 0 {
		return nil, usageError{fmt.Errorf("--budget %q is not an amount of dollars above 0", text), "--budget 1.50"}
	}
	return &usd, nil
}

// finish prints a review's outcome and turns it into an exit code.
func (a *app) finish(out review.Outcome, err error, e exitFlags) error {
	if out.Dir == "" {
		return err
	}
	if werr := a.deliver(out.Report, out.Dir, e); werr != nil {
		return werr
	}
	if err != nil {
		return ended(err, out.Dir)
	}
	run := out.Report.Run
	if report.FailOnNew(out.Report, e.failOnNew, e.trustRefutations) {
		fmt.Fprintf(a.stderr, "deeprepo: the change brings in findings at or above %s (--fail-on-new)\n", e.failOnNew)
		a.sayAside(out.Report)
		return exitError{code: exitNo}
	}
	if report.FailOn(out.Report, e.failOn, e.trustRefutations) {
		fmt.Fprintf(a.stderr, "deeprepo: there are findings at or above %s (--fail-on)\n", e.failOn)
		a.sayAside(out.Report)
		return exitError{code: exitNo}
	}
	switch {
	case run.Status == trace.StatusCompleted:
		return nil
	case run.Status == trace.StatusPartial && e.allowPartial:
		return nil
	}
	return exitError{exitOutside, stopped{run, out.Dir, out.Cause}}
}

// broken is a fault of the machine in the middle of a run, such as a full disk.
type broken struct {
	error
	dir string
}

func (b broken) Unwrap() error { return b.error }

// ended is the error of a run in dir that did not come to its end: its own hint, if it has one, says how to go on.
func ended(err error, dir string) error {
	if err == nil {
		return nil
	}
	return exitError{exitOutside, broken{err, dir}}
}

// Hint says what is left and how to continue.
func (b broken) Hint() string {
	if own := hint.Of(b.error); own != "" {
		return own
	}
	return fmt.Sprintf("the work so far is in %s; once the cause is fixed, continue with deeprepo resume %s", b.dir, b.dir)
}

// stopped says why a run is not complete, and how to continue it.
type stopped struct {
	run   runfile.ReportRun
	dir   string
	cause error
}

func (s stopped) Error() string {
	why := string(s.run.StopReason)
	switch s.run.StopReason {
	case trace.StopBudget:
		why = "the money that is left does not cover another call"
	case trace.StopTurns:
		why = "the root used up its turns without an answer"
	case trace.StopInterrupted:
		why = "it was interrupted"
	}
	if s.run.StopReason == trace.StopAnswer { // the root came to its end, and not everything did
		var texts []string
		for _, short := range s.run.Shortfalls {
			texts = append(texts, strings.TrimSuffix(short.Text, "."))
		}
		why = strings.Join(texts, "; ")
	}
	if s.run.Status == trace.StatusFailed {
		return "the review failed: " + why
	}
	return "the review is not complete: " + why + "; the findings so far are saved"
}

// Hint says how to continue.
func (s stopped) Hint() string {
	if s.run.StopReason == trace.StopBudget {
		return fmt.Sprintf("deeprepo resume %s --budget USD continues with a larger budget", s.dir)
	}
	if s.run.StopReason == trace.StopAnswer {
		return "run it again: replies that came are in the cache; --allow-partial accepts a partial review (exit code 0)"
	}
	return hint.Then(s.cause, fmt.Sprintf("deeprepo resume %s continues from here; nothing is paid for twice", s.dir))
}
