package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/spf13/cobra"
)

// pairsBuildFlags are the flags of pairs build.
type pairsBuildFlags struct {
	dataset, data, out    string
	samples, evals        []string
	model, prompt, budget string
	n, maxTokens          int
	concurrency, workers  int
	fleet                 string
	temperature           float64
	o                     runfile.PairOptions
}

func (a *app) pairsBuildCommand() *cobra.Command {
	var f pairsBuildFlags
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build preference pairs from samples, mutants and known mistakes",
		Long: `Judge samples by running every test, make wrong programs from right ones, and choose pairs: both sides are run again with
other seeds; near-duplicates, shortcuts and evaluation sets are kept out; sources are mixed by weight and lengths balanced.
Every filter is a counted step, which is printed and stored. Before anything is written the final pairs are run once more;
unless all come out as labelled, the exit code is 1 and no files are written.

Sources are samples files (FILE or FILE:WEIGHT, may be repeated), your own model (-m; on-policy pairs teach most), the
dataset's programs known to be wrong, and mutants of right programs. With --references the dataset's own solutions count
as right programs, too.

The directory gets train.jsonl, heldout.jsonl (whole tasks), nested subset-N.jsonl and card.md. The same command with the
same --out continues where it stopped.`,
		Example: `  deeprepo pairs build --dataset mbpp --samples runs/mbpp/samples.jsonl --out runs/pairs
  deeprepo pairs build --dataset mbpp --samples mine.jsonl:0.7 --samples other.jsonl:0.3 --decontaminate humaneval --out pairs
  deeprepo pairs build --dataset mbpp -m local/qwen2.5-coder-1.5b -n 8 -t 0.8 --out runs/onpolicy
  deeprepo pairs build --dataset mbpp --data mbpp.jsonl --references --out runs/mutants   # no model needed`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, flag := range []string{"budget", "samples-per-task", "temperature", "max-tokens", "concurrency", "prompt"} {
				if f.model == "" && cmd.Flags().Changed(flag) {
					return usageError{fmt.Errorf("--%s needs a model, and none is named", flag), "name one with -m provider/model"}
				}
			}
			return a.pairsBuild(cmd.Context(), f)
		},
	}
	a.waiting.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.dataset, "dataset", "", "dataset with the programs' tests: "+strings.Join(dataset.Names(), ", "))
	fl.StringVar(&f.data, "data", "", "the dataset's file or directory (default: fetched once, and checked)")
	fl.StringArrayVar(&f.samples, "samples", nil, "FILE or FILE:WEIGHT of samples; may be repeated")
	fl.StringArrayVar(&f.evals, "decontaminate", nil,
		"DATASET or DATASET=FILE: an evaluation set with which no task may share words; may be repeated")
	fl.StringVarP(&f.out, "out", "o", "", "directory for the pairs (default runs/pairs-DATASET-TIME)")
	fl.StringVarP(&f.model, "model", "m", "", "provider/model that writes programs")
	fl.StringVar(&f.prompt, "prompt", string(generate.Auto), "how to ask it: auto, chat, complete, fewshot")
	fl.IntVarP(&f.n, "samples-per-task", "n", 8, "with -m: samples per task")
	fl.Float64VarP(&f.temperature, "temperature", "t", 0.8, "with -m: temperature")
	fl.IntVar(&f.maxTokens, "max-tokens", generate.DefaultMaxTokens, "with -m: maximum tokens of a reply")
	fl.StringVar(&f.budget, "budget", "", "with -m: maximum cost of the samples, in USD; never exceeded")
	fl.IntVarP(&f.concurrency, "concurrency", "c", generate.DefaultConcurrency, "with -m: concurrent requests")
	fleetFlag(cmd, &f.fleet, "run the programs on a fleet")
	fl.IntVar(&f.workers, "workers", 0, "programs that run at once (default: one per CPU)")
	f.filters(cmd)
	return cmd
}

// filters adds the flags that decide which pairs are kept.
func (f *pairsBuildFlags) filters(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.Uint64Var(&f.o.Seed, "seed", 0, "seed that decides every choice between equals")
	fl.IntVar(&f.o.Limit, "limit", 0, "use only the first N tasks (default: all)")
	fl.IntVar(&f.o.Mutants, "mutants", 6, "maximum mutants per right program; -1 for none")
	fl.Float64Var(&f.o.MutantWeight, "mutant-weight", 0.3, "weight of mutants relative to the samples")
	fl.Float64Var(&f.o.RejectWeight, "reject-weight", 0.3, "weight of the dataset's programs known to be wrong; -1 for none")
	fl.BoolVar(&f.o.References, "references", false, "also use the dataset's own solutions as right programs")
	fl.IntVar(&f.o.Probes, "mutated-tests", 6, "tests with new inputs to make per task; -1 for none")
	fl.Float64Var(&f.o.MinDelta, "min-delta", 0.1, "minimum difference of scores")
	fl.Float64Var(&f.o.LengthRatio, "length-ratio", 2, "maximum ratio of the sides' lengths; -1 for any")
	fl.Float64Var(&f.o.MinSimilarity, "min-similarity", 0.2, "minimum edit similarity of the sides; 0.5 to 0.95 is always preferred")
	fl.Float64Var(&f.o.Near, "near", 0.85, "overlap at which pairs count as near-duplicates; -1 for never")
	fl.IntVar(&f.o.PerTask, "per-task", 4, "maximum pairs per task; -1 for any number")
	fl.Float64Var(&f.o.SyntaxShare, "syntax-share", 0.05,
		"maximum share of pairs whose rejected program does not parse or lacks the function; -1 for none")
	fl.Float64Var(&f.o.Balance, "balance", 0.02, "how far \"the shorter is chosen\" may be from right half the time; -1 for any")
	fl.IntVar(&f.o.Repeat, "repeat", 3, "runs of each program with other random seeds, to find verdicts that vary")
	fl.Float64Var(&f.o.Heldout, "heldout", 0.1, "share of the pairs to hold out, by whole tasks; -1 for none")
	fl.IntSliceVar(&f.o.Sizes, "subsets", []int{120, 500, 1000, 2000}, "sizes of nested subsets")
	fl.BoolVar(&f.o.TestSplit, "test-split", false,
		"also use the test split, or a set without splits, which can then no longer measure the model")
	fl.StringVar(&f.o.Answers, "answers", pairs.Plain, "plain: programs; fenced: programs in Markdown fences, as chat models answer")
	complete(cmd, "answers", pairs.Plain, pairs.Fenced)
}

func (a *app) pairsBuild(ctx context.Context, f pairsBuildFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	set, err := a.dataset(ctx, f.dataset, f.data, "")
	if err != nil {
		return err
	}
	evals, err := a.openEvals(ctx, f.evals)
	if err != nil {
		return err
	}
	p := a.newProgress()
	samples := f.sources()
	model, use, err := a.onPolicy(f, p)
	if err != nil {
		return err
	}
	recipe, err := pairs.NewRecipe(set, f.o, samples, evals, use)
	if err != nil {
		return err
	}
	if f.out == "" {
		if f.out, err = pairs.Fresh(f.dataset, time.Now()); err != nil {
			return err
		}
	}
	dir, resumed, err := pairs.OpenDir(f.out, recipe, version(), time.Now())
	if err != nil {
		return err
	}
	defer dir.Close()
	defer a.keepFleet(dir)()
	if resumed {
		p.say("continuing in " + f.out)
	}
	box, workers, err := a.executor(ctx, f.fleet, p.say, f.workers)
	if err != nil {
		return err
	}
	built, err := pairs.Build(ctx, pairs.BuildConfig{
		PairOptions: f.o, Set: set, Box: box, Extract: a.extractor(), Parser: a.parser, Dir: dir, Samples: samples,
		Evals: evals,
		Model: model, Cache: a.gateCache(f.dataset), Workers: workers, Build: buildKey(), Sandbox: "CPython 3.13 in WebAssembly",
		Version: version(),
		Command: f.command(), Observe: func(stage string, done, total int) { p.count(stage, done, total) },
	})
	p.close()
	return a.finishPairs(f.out, built, err)
}

// check refuses flags that make no sense together.
func (f pairsBuildFlags) check() error {
	switch {
	case f.dataset == "":
		return usageError{errors.New("no dataset is named"), "--dataset mbpp; there are " + strings.Join(dataset.Names(), ", ")}
	case len(f.samples) == 0 && f.model == "" && !f.o.References:
		return usageError{errors.New("there is nothing to make pairs from"),
			"give --samples FILE, a model to sample (-m), or --references for mutants of the dataset's own solutions"}
	case f.n < 1 || f.maxTokens < 1 || f.concurrency < 1 || f.workers < 0 || f.o.Limit < 0:
		return usageError{errors.New("-n, --max-tokens and --concurrency must be at least 1; --workers and --limit cannot be negative"), ""}
	case f.o.Answers != pairs.Plain && f.o.Answers != pairs.Fenced:
		return usageError{fmt.Errorf("invalid --answers %q", f.o.Answers), "use plain or fenced"}
	case !finite(f.o.MutantWeight, f.o.RejectWeight, f.o.MinDelta, f.o.LengthRatio, f.o.MinSimilarity, f.o.Near, f.o.SyntaxShare,
		f.o.Balance, f.o.Heldout, f.temperature):
		return usageError{errors.New("weights, shares and ratios must be finite"), ""}
	case f.o.Heldout >= 1 || f.o.SyntaxShare >= 1:
		return usageError{errors.New("--heldout and --syntax-share must be below 1"), ""}
	}
	return nil
}

// finite reports whether all of them are numbers that can be counted with.
func finite(all ...float64) bool {
	return !slices.ContainsFunc(all, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// sources reads FILE and FILE:WEIGHT.
func (f pairsBuildFlags) sources() []pairs.SampleFile {
	var out []pairs.SampleFile
	names := map[string]int{}
	for _, arg := range f.samples {
		one := pairs.SampleFile{Weight: 1}
		one.Source.Name = arg
		if i := strings.LastIndexByte(arg, ':'); i > 0 {
			if w, err := strconv.ParseFloat(arg[i+1:], 64); err == nil && w > 0 {
				one.Source.Name, one.Weight = arg[:i], w
			}
		}
		one.Name = filepath.Base(one.Source.Name)
		if names[one.Name]++; names[one.Name] > 1 { // two runs have a samples.jsonl each
			one.Name = fmt.Sprintf("%s (%d)", one.Name, names[one.Name])
		}
		out = append(out, one)
	}
	return out
}

// onPolicy opens the model that writes programs, nil where none is asked for.
func (a *app) onPolicy(f pairsBuildFlags, p *progress) (*pairs.OnPolicy, *runfile.PairModel, error) {
	if f.model == "" {
		return nil, nil, nil
	}
	c, err := a.configuration()
	if err != nil {
		return nil, nil, err
	}
	mode, err := generate.ParseMode(f.prompt)
	if err != nil {
		return nil, nil, usage(err)
	}
	usd, err := budget(cmp.Or(f.budget, c.text("budget")), nil)
	if err != nil {
		return nil, nil, err
	}
	registry, err := a.registry(c)
	if err != nil {
		return nil, nil, err
	}
	var pool *llm.Budget
	if usd != nil {
		pool = llm.NewBudget(*usd)
	}
	h, err := llm.NewOpener(llm.OpenerConfig{Registry: registry, Root: f.model, Run: "build", Say: p.say}).Root(pool)
	if err != nil {
		return nil, nil, err
	}
	s, err := generate.New(generate.Config{Model: h, Mode: mode, N: f.n, Temperature: f.temperature, Seed: int64(f.o.Seed),
		MaxTokens: f.maxTokens, Concurrency: f.concurrency})
	if err != nil {
		return nil, nil, err
	}
	return &pairs.OnPolicy{Sampler: s, Weight: 1, Durable: h.Price == nil || !h.Price.Free(), Pool: pool, N: f.n},
		&runfile.PairModel{Name: f.model, Mode: string(s.Mode()), N: f.n, Temperature: f.temperature, MaxTokens: f.maxTokens, Weight: 1}, nil
}

// command is what builds the same pairs again.
func (f pairsBuildFlags) command() string {
	var b strings.Builder
	b.WriteString("deeprepo pairs build --dataset " + f.dataset)
	for _, s := range f.sources() {
		fmt.Fprintf(&b, " --samples %s:%g", filepath.Base(s.Source.Name), s.Weight)
	}
	if f.model != "" {
		fmt.Fprintf(&b, " -m %s -n %d -t %g", f.model, f.n, f.temperature)
	}
	if f.o.References {
		b.WriteString(" --references")
	}
	for _, e := range f.evals {
		name, _, _ := strings.Cut(e, "=")
		b.WriteString(" --decontaminate " + name)
	}
	fmt.Fprintf(&b, " --seed %d", f.o.Seed)
	return b.String()
}

// finishPairs prints what was built.
func (a *app) finishPairs(out string, built *runfile.PairBuild, err error) error {
	if empty, ok := errors.AsType[*pairs.EmptyError](err); ok {
		empty.Funnel.WriteText(a.stderr)
		return exitError{exitNo, err}
	}
	switch {
	case errors.As(err, new(*pairs.LostError)):
		return exitError{exitOutside, err}
	case errors.Is(err, context.Canceled):
		return exitError{exitOutside, usageError{errors.New("the build was interrupted"),
			"the same command with --out " + out + " continues; nothing is run or paid for twice"}}
	case errors.Is(err, fs.ErrNotExist):
		return usage(err)
	case err != nil:
		return err
	}
	bad := len(built.Reverified.Wrong)
	if err := a.print(built, func(w io.Writer) error { writePairs(w, out, built); return nil }); err != nil {
		return err
	}
	if bad > 0 {
		return exitError{exitNo, fmt.Errorf("%d of %d final pairs did not come out as labelled; no pairs were written", bad,
			built.Reverified.Total)}
	}
	return nil
}

func writePairs(w io.Writer, out string, b *runfile.PairBuild) {
	pairs.Funnel(b.Funnel).WriteText(w)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(t, "source\tweight\tpairs")
	for _, s := range b.Sources {
		fmt.Fprintf(t, "%s\t%g\t%d\n", s.Source, s.Weight, s.Pairs)
	}
	t.Flush()
	fmt.Fprintf(w, "\nrun again: %d of %d pairs came out as labelled\n", b.Reverified.OK, b.Reverified.Total)
	for _, wrong := range b.Reverified.Wrong {
		fmt.Fprintf(w, "  %s: the %s program: %s (%s)\n", wrong.TaskID, wrong.Side, wrong.Verdict, wrong.Error)
	}
	if b.Cost != nil {
		fmt.Fprintf(w, "sampling cost %s\n", money.Range(b.Cost, b.AtMost, ""))
	}
	if b.Audit == nil {
		return
	}
	fmt.Fprintf(w, "%d pairs for training (%d tasks), %d held out (%d tasks), subsets %v\n", b.Train, b.TrainTasks, b.Heldout,
		b.HeldoutTasks, b.Subsets)
	fmt.Fprintf(w, "told by length %.1f %%, by surface %s; %d audit warnings\n", 100*b.Audit.Length.Accuracy,
		shareOf(b.Audit.Shortcut.Accuracy), len(b.Audit.Warnings))
	for _, warning := range b.Audit.Warnings {
		fmt.Fprintf(w, "  - %s\n", warning)
	}
	fmt.Fprintln(w, filepath.Join(out, "card.md"))
}

func shareOf(v *float64) string {
	if v == nil {
		return "n/a"
	}
	return fmt.Sprintf("%.1f %%", 100**v)
}

// buildKey changes when this program does: what another one found out about programs is not relied on.
func buildKey() string {
	if exe, err := os.Executable(); err == nil {
		if info, err := os.Stat(exe); err == nil {
			return fmt.Sprint(version(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return version()
}
