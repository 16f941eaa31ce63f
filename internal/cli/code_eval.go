package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/spf13/cobra"
)

// codeEvalFlags are the flags of code eval. o has what a flag sets by itself.
type codeEvalFlags struct {
	o                         codeeval.EvalOptions
	prompt, showTests, budget string
	topP                      float64
	dryRun                    bool
}

func (a *app) codeEvalCommand() *cobra.Command {
	var f codeEvalFlags
	cmd := &cobra.Command{
		Use:   "eval DATASET",
		Short: "Have a model write programs, and count how many are right",
		Long: `Ask a model for programs and test each while others are still being generated. The controls run first: the dataset's
references must pass and null programs must not; until then nothing is asked and nothing is spent.

Use --prompt chat for a model that follows instructions, and complete (it continues code) or fewshot (solved tasks
first) for a base model; auto chooses by the model's name and prints its choice. Every prompt states the function's name
and signature; --show-tests adds tests that the dataset calls public. --dry-run prints the first prompt and asks no model.

The directory keeps every reply whole, with its prompt's hash and parameters. After Ctrl-C, an outage or an empty budget
deeprepo resume generates exactly the missing samples.`,
		Example: `  deeprepo code eval humaneval -m openai/gpt-5-mini --budget 1
  deeprepo code eval humaneval -m local/qwen2.5-coder-1.5b --dry-run
  deeprepo code eval humaneval -m nano/SmolLM2-135M-Instruct.gguf
  deeprepo code eval mbpp --split test -m local/any -n 10 -t 0.8 --show-tests all --out runs/mbpp
  deeprepo code eval humaneval -m local/starcoder2-3b --prompt complete --limit 20
  deeprepo resume runs/mbpp`,
		Args: oneDataset(), ValidArgsFunction: completeDataset,
		RunE: func(cmd *cobra.Command, args []string) error { return a.codeEval(cmd, args[0], f) },
	}
	datasetFlags(cmd, &f.o.Data, &f.o.Split)
	partFlags(cmd, &f.o.IDs, &f.o.Limit)
	backendFlags(cmd, &f.o.Backend, &f.o.Python, backendBoth)
	fleetFlag(cmd, &f.o.Fleet, "run the programs on a fleet")
	a.waiting.add(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.o.Model, "model", "m", "", "the model, provider/model")
	fl.StringVar(&f.prompt, "prompt", string(generate.Auto), "how to ask it: auto, chat, complete, fewshot")
	fl.StringVar(&f.showTests, "show-tests", strconv.Itoa(generate.DefaultShowTests), "public tests in a prompt: a number, all, or none")
	fl.IntVar(&f.o.Shots, "shots", 3, "solved tasks before the task, with --prompt fewshot")
	fl.IntVarP(&f.o.Samples, "samples", "n", 1, "samples per task")
	fl.Float64VarP(&f.o.Temperature, "temperature", "t", 0, "sampling temperature; 0 always takes the likeliest token")
	fl.Float64Var(&f.topP, "top-p", 0, "sample from the likeliest tokens that have this share (default: the provider's own)")
	fl.Int64Var(&f.o.Seed, "seed", 0, "seed from which each sample's seed is derived")
	fl.IntVar(&f.o.MaxTokens, "max-tokens", generate.DefaultMaxTokens, "maximum tokens of a reply")
	fl.StringVar(&f.budget, "budget", "", "maximum cost of all samples together, in USD; never exceeded")
	fl.IntVarP(&f.o.Concurrency, "concurrency", "c", generate.DefaultConcurrency, "concurrent requests")
	fl.IntVar(&f.o.Workers, "workers", 0, "programs that run at once (default: one per processor)")
	fl.StringVarP(&f.o.Out, "out", "o", "", "directory for the run (default runs/code-DATASET-MODEL-TIME)")
	fl.BoolVar(&f.o.AllowInfra, "allow-infra-errors", false, "give a score even if the sandbox failed on some samples")
	fl.BoolVar(&f.dryRun, "dry-run", false, "print the first prompt and the size of the run; ask no model and spend nothing")
	var modes []string
	for _, m := range generate.Modes() {
		modes = append(modes, string(m))
	}
	complete(cmd, "prompt", modes...)
	complete(cmd, "show-tests", "1", "all", "none")
	return cmd
}

func (a *app) codeEval(cmd *cobra.Command, name string, f codeEvalFlags) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	o, err := f.options(cmd, name, c)
	if err != nil {
		return err
	}
	p := a.newProgress()
	run, err := a.codeEvalConfig(cmd.Context(), o, c, p)
	if err != nil {
		return err
	}
	if f.dryRun {
		plan, err := codeeval.PlanEval(o, run)
		if err != nil {
			return usage(err)
		}
		p.close()
		return a.printCodePlan(plan)
	}
	if o.Prompt == generate.Auto {
		if h, err := run.Open(nil); err == nil {
			p.say(fmt.Sprintf("--prompt auto: by its name %s is a %s model", o.Model,
				map[generate.Mode]string{generate.Chat: "chat", generate.Complete: "base"}[generate.Pick(h)]))
		}
	}
	out, err := codeeval.Eval(cmd.Context(), o, run)
	p.close()
	return a.finishCodeEval(out, err)
}

// options makes an eval's options of the flags and the configuration; flags win.
func (f codeEvalFlags) options(cmd *cobra.Command, name string, c config) (codeeval.EvalOptions, error) {
	o := f.o
	o.Dataset, o.Data = name, absolute(o.Data)
	switch {
	case o.Model == "":
		return o, usageError{errors.New("no model is named"), "-m provider/model; deeprepo models lists what is reachable"}
	case o.Samples < 1 || o.MaxTokens < 1 || o.Concurrency < 1 || o.Workers < 0 || o.Limit < 0 || o.Shots < 0:
		return o, usageError{errors.New("--samples, --max-tokens and --concurrency must be at least 1; --workers, --limit and --shots " +
			"cannot be negative"), ""}
	}
	var err error
	if o.Prompt, err = generate.ParseMode(f.prompt); err != nil {
		return o, usage(err)
	}
	switch n, err := strconv.Atoi(f.showTests); {
	case f.showTests == "all":
		o.ShowTests = -1
	case f.showTests == "none" || err == nil && n == 0:
		o.ShowTests = generate.NoTests
	case err == nil && n > 0:
		o.ShowTests = n
	default:
		return o, usageError{fmt.Errorf("invalid --show-tests %q", f.showTests), "use a number, all, or none"}
	}
	if cmd.Flags().Changed("top-p") {
		o.TopP = &f.topP
	}
	o.Budget, err = budget(cmp.Or(f.budget, c.text("budget")), nil)
	return o, err
}

// codeEvalConfig opens what the options name.
func (a *app) codeEvalConfig(ctx context.Context, o codeeval.EvalOptions, c config, p *progress) (codeeval.EvalConfig, error) {
	set, err := a.dataset(ctx, o.Dataset, o.Data, o.Split)
	if err != nil {
		return codeeval.EvalConfig{}, err
	}
	judging, err := a.judgingBy(ctx, set, codeeval.VerifyOptions{Dataset: o.Dataset, Data: o.Data, Split: o.Split, Backend: o.Backend,
		Python: o.Python, Fleet: o.Fleet, Workers: o.Workers}, p)
	if err != nil {
		return codeeval.EvalConfig{}, err
	}
	registry, err := a.registry(c)
	if err != nil {
		return codeeval.EvalConfig{}, err
	}
	models := llm.NewOpener(llm.OpenerConfig{Registry: registry, Root: o.Model, Run: "eval", Say: p.say})
	return codeeval.EvalConfig{
		VerifyConfig: judging,
		Open:         models.Root,
		Shots:        func() ([]dataset.Task, error) { return a.shots(ctx, o) },
		Progress:     codeEvalShown(p),
	}, nil
}

// promptSplit is where a dataset keeps the tasks that few-shot prompts begin with.
const promptSplit = "prompt"

// shots are the solved tasks that a dataset keeps for few-shot prompts, from the second on, as other harnesses take
// them; nil where it keeps none.
func (a *app) shots(ctx context.Context, o codeeval.EvalOptions) ([]dataset.Task, error) {
	info, err := dataset.Describe(o.Dataset)
	if err != nil || !slices.Contains(info.Splits, promptSplit) {
		return nil, err
	}
	set, err := a.dataset(ctx, o.Dataset, o.Data, promptSplit)
	if err != nil || len(set.Tasks) < 2 {
		return nil, err
	}
	return set.Tasks[1:], nil
}

// printCodePlan is what --dry-run shows.
func (a *app) printCodePlan(plan codeeval.EvalPlan) error {
	e := plan.Estimate
	return a.print(struct {
		Tasks   int           `json:"tasks"`
		Samples int           `json:"samples"`
		Prompt  generate.Mode `json:"prompt"`
		First   string        `json:"first_task"`
		Text    string        `json:"first_prompt"`
		Stop    []string      `json:"stop"`
		Input   int64         `json:"input_tokens"`
		Output  int64         `json:"output_tokens_at_most"`
		Cost    *money.USD    `json:"cost_usd_at_most"`
	}{plan.Tasks, e.Samples, plan.Prompt.Mode, plan.First, plan.Prompt.Text, plan.Prompt.Stop, e.Input, e.Output, e.Most},
		func(w io.Writer) error { writeCodePlan(w, plan); return nil })
}

func writeCodePlan(w io.Writer, plan codeeval.EvalPlan) {
	e := plan.Estimate
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("dataset", "%s, %d tasks", plan.Options.Dataset, plan.Tasks)
	row("model", "%s, %s prompts", plan.Options.Model, plan.Prompt.Mode)
	row("samples", "%d", e.Samples)
	row("tokens", "about %d in, at most %d out", e.Input, e.Output)
	if e.Most == nil {
		row("cost", "? (the price is not known; set it in deeprepo.toml)")
	} else {
		row("cost", "at most %s, if every reply has the maximum length", e.Most.Round(4))
	}
	if len(plan.Prompt.Stop) > 0 {
		row("stops at", "%q", plan.Prompt.Stop)
	}
	t.Flush()
	fmt.Fprintf(w, "\nprompt of %s:\n%s\n\nnothing was sent and nothing was spent\n", plan.First, plan.Prompt.Text)
}

// finishCodeEval prints what came of an eval and turns it into an exit code.
func (a *app) finishCodeEval(out codeeval.EvalOutcome, err error) error {
	switch {
	case errors.As(err, new(*verify.GateError)):
		return a.finishCodeVerify(codeeval.Outcome{Summary: out.Summary.CodeSummary}, err)
	case errors.As(err, new(*generate.CorruptError)):
		return exitError{exitOutside, err}
	case out.Dir == "":
		return err
	case err != nil && !errors.As(err, new(*rundir.Stopped)):
		return ended(err, out.Dir)
	}
	return finishCode(a, out.Dir, out.Summary, out.Summary.CodeSummary, out.Summary.Generation.Made > 0, codeeval.WriteEvalSummary, err)
}

// codeEvalShown shows an eval on p: one line that is redrawn on a terminal, a line at every half of the controls and
// every tenth of the samples elsewhere.
func codeEvalShown(p *progress) func(codeeval.EvalProgress) {
	return func(s codeeval.EvalProgress) {
		if s.Total == 0 {
			p.show(fmt.Sprintf("controls %d/%d", s.Controls, s.ControlsTotal), partDone("controls", 2, s.Controls, s.ControlsTotal))
			return
		}
		line := fmt.Sprintf("samples %d/%d  passed %d of %d  %.1f tokens/s  %s  %s", s.Done, s.Total, s.Passed, s.Verified, s.TokensPerSecond,
			money.Text(s.Cost, "$?"), s.Elapsed.Round(time.Second))
		if s.Lost > 0 {
			line += fmt.Sprintf("  %d lost", s.Lost)
		}
		p.show(line+remaining(s.Left), partDone("samples", 10, s.Done, s.Total))
	}
}
