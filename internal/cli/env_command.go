package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

func (a *app) envCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Environments: what policies are evaluated and trained in",
		Long: `An environment is a set of codebases with known defects, a REPL with workers, and a rubric. deeprepo eval measures a
model in it, and trainers connect to it (env serve). Before you trust a reward, see what cheating earns: env audit.`,
		Example: `  deeprepo env list
  deeprepo env show orchestration --difficulty medium --index 3
  deeprepo env generate --lang go --files 40 --seed 7 --out /tmp/codebase
  deeprepo env audit orchestration`,
		Args: commandOf,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.envListCommand(), a.envShowCommand(), a.envGenerateCommand(), a.envAuditCommand(), newEnvServe(a))
	return cmd
}

// commandOf refuses what is not a command of a group, which would otherwise print the group's help and succeed.
func commandOf(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := cmd.CommandPath() + " --help lists the commands"
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	if near := suggest.Nearest(args[0], names); near != "" {
		hint = "did you mean " + cmd.CommandPath() + " " + near + "?"
	}
	return usageError{fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath()), hint}
}

func (a *app) envListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the environments, their rubrics and caveats", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := catalog.List(cmd.Context(), a.catalog(""))
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"environments": list})
			}
			for i, e := range list {
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				fmt.Fprintf(a.stdout, "%s\n  %s\n  splits: %s; at most %d turns\n", e.Name, e.Summary, strings.Join(e.Splits, ", "), e.MaxTurns)
				if e.Data != "" {
					fmt.Fprintf(a.stdout, "  --data names %s\n", e.Data)
				}
				if e.Warning != "" {
					fmt.Fprintf(a.stdout, "  known to be exploitable: %s\n", e.Warning)
				}
				t := tabwriter.NewWriter(a.stdout, 2, 0, 2, ' ', 0)
				for _, p := range e.Parts {
					fmt.Fprintf(t, "  %s\t%+.2f\t%s\n", p.Name, p.Weight, p.Formula)
				}
				t.Flush()
			}
			return nil
		},
	}
}

// taskFlags choose tasks.
type taskFlags struct {
	split, language, difficulty, data, repos string
	seed                                     int64
	files                                    int
}

func (f *taskFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.split, "split", env.Train, "train or heldout: they share neither templates nor operators")
	cmd.Flags().StringVar(&f.language, "lang", "", "python, typescript, go or java (default: all in turn)")
	cmd.Flags().StringVar(&f.difficulty, "difficulty", env.Easy, "easy, medium or hard")
	cmd.Flags().Int64Var(&f.seed, "seed", 0, "seed that decides every task")
	cmd.Flags().IntVar(&f.files, "files", 0, "size of each codebase (default: the difficulty's own)")
	cmd.Flags().StringVar(&f.data, "data", "",
		"source of the tasks: orchestration-v1's codebases, quixbugs's directory, localisation's records")
	cmd.Flags().StringVar(&f.repos, "repos", "",
		"directory with localisation's checkouts, each in owner__name (default: repos beside the records)")
	complete(cmd, "split", env.Train, env.Heldout)
	complete(cmd, "lang", language.Grown()...)
	complete(cmd, "difficulty", env.Easy, env.Medium, env.Hard)
}

func complete(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag was declared a line above
	}
}

func (f taskFlags) selection() (env.Selection, error) {
	s := env.Selection{Split: f.split, Seed: f.seed, Language: f.language, Difficulty: f.difficulty, Files: f.files}
	for _, c := range []struct {
		flag, value string
		of          []string
	}{
		{"--split", f.split, []string{env.Train, env.Heldout}},
		{"--lang", f.language, append([]string{""}, language.Grown()...)},
		{"--difficulty", f.difficulty, []string{env.Easy, env.Medium, env.Hard}},
	} {
		known := false
		for _, word := range c.of {
			known = known || word == c.value
		}
		if !known {
			return s, usageError{fmt.Errorf("%s %q is none of %s", c.flag, c.value, strings.Trim(strings.Join(c.of, ", "), ", ")), ""}
		}
	}
	if f.files < 0 {
		return s, usageError{errors.New("--files cannot be negative"), "a codebase has at least 7 files"}
	}
	return s, nil
}

func oneEnvironment(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usageError{fmt.Errorf("%s takes one environment, got %d", cmd.CommandPath(), len(args)),
		"deeprepo env list names them; a path opens the tasks at that path"}
}

func completeEnvironment(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return catalog.Names(), cobra.ShellCompDirectiveDefault // or a path
}

func (a *app) envShowCommand() *cobra.Command {
	var f taskFlags
	var index int
	cmd := &cobra.Command{
		Use: "show ENV", Short: "Show one task with its ground truth",
		Long: `Show one task: its file tree, its planted defects and its decoys. --json prints all of it, including file contents.`,
		Args: oneEnvironment, ValidArgsFunction: completeEnvironment,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.selection()
			if err != nil {
				return err
			}
			e, err := a.chosen(cmd, args[0], f)
			if err != nil {
				return err
			}
			t, err := e.Task(cmd.Context(), s, index)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(taskJSON(t))
			}
			a.printTask(t)
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&index, "index", 0, "number of the task in the selection, from 0")
	return cmd
}

// environment opens an environment by its name, or the tasks at a path.
func (a *app) environment(ctx context.Context, name, data, repos string) (env.Environment, error) {
	o := a.catalog(data)
	o.Repos = repos
	return catalog.Open(ctx, name, o)
}

// chosen opens the environment that a command names, and refuses flags that mean nothing there.
func (a *app) chosen(cmd *cobra.Command, name string, f taskFlags) (env.Environment, error) {
	e, err := a.environment(cmd.Context(), name, f.data, f.repos)
	if err != nil {
		return nil, err
	}
	return e, fits(cmd, e)
}

// fits refuses flags that size what cannot be sized.
func fits(cmd *cobra.Command, e env.Environment) error {
	for _, flag := range []string{"files", "difficulty"} {
		if cmd.Flags().Changed(flag) && e.About().Fixed {
			return usageError{fmt.Errorf("--%s cannot be used with %s: its tasks are fixed", flag, e.Name()),
				"--lang narrows the set; --seed orders some sets"}
		}
	}
	return nil
}

// taskJSON is a task whole.
func taskJSON(t env.Task) map[string]any {
	files := map[string]string{}
	for _, p := range t.Codebase.Paths() {
		files[p], _ = t.Codebase.Text(p)
	}
	return map[string]any{"id": t.ID, "split": t.Split, "language": t.Language, "difficulty": t.Difficulty, "template": t.Template,
		"seed": t.Seed, "files": files, "truth": orEmpty(t.Defects), "decoys": orEmpty(t.Decoys)}
}

// orEmpty is a list that JSON shows as [] and not as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (a *app) printTask(t env.Task) {
	stats := t.Codebase.Stats()
	fmt.Fprintf(a.stdout, "%s\n%d files, %d lines\n\n%s\n", termtext.Masked(t.ID), stats.Files, stats.Lines,
		termtext.Masked(t.Codebase.Tree(4000)))
	fmt.Fprintf(a.stdout, "%d planted defects\n", len(t.Defects))
	for _, d := range t.Defects {
		cross := ""
		if d.CrossFile {
			cross = ", cross-file"
		}
		fmt.Fprintf(a.stdout, "  %s:%d-%d  %s, %s%s\n      %s\n", termtext.Masked(d.File), d.Line, d.EndLine, d.Severity, d.Category, cross,
			termtext.Masked(d.Description))
	}
	if len(t.Decoys) > 0 {
		fmt.Fprintf(a.stdout, "%d decoys, which look wrong and are right\n", len(t.Decoys))
	}
	for _, d := range t.Decoys {
		fmt.Fprintf(a.stdout, "  %s:%d-%d  looks like %s\n      %s\n", termtext.Masked(d.File), d.Line, d.EndLine, d.Category,
			termtext.Masked(d.Why))
	}
}

func (a *app) printJSON(v any) error {
	return jsonfile.Write(a.stdout, v)
}
