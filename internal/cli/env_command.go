package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/spf13/cobra"
)

func (a *app) envCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "env",
		Short: "Environments: what policies are evaluated and trained in",
		Long: `An environment is a set of codebases with known defects, a REPL with workers, and a rubric. deeprepo eval measures a
model in it, and trainers connect to it (env serve). Before you trust a reward, see what cheating earns: env audit.`,
		Example: `  deeprepo env list
  deeprepo env show orchestration --difficulty medium --index 3
  deeprepo env generate --lang go --files 40 --seed 7 --out /tmp/codebase
  deeprepo env audit orchestration`,
	}, a.envListCommand(), a.envShowCommand(), a.envGenerateCommand(), a.envAuditCommand(), newEnvServe(a))
}

func (a *app) envListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the environments, their rubrics and caveats", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := catalog.List(cmd.Context(), a.catalog(""))
			if err != nil {
				return err
			}
			return a.print(map[string]any{"environments": list}, func(w io.Writer) error {
				for i, e := range list {
					if i > 0 {
						fmt.Fprintln(w)
					}
					fmt.Fprintf(w, "%s\n  %s\n  splits: %s; at most %d turns\n", e.Name, e.Summary, strings.Join(e.Splits, ", "), e.MaxTurns)
					if e.Data != "" {
						fmt.Fprintf(w, "  --data names %s\n", e.Data)
					}
					if e.Warning != "" {
						fmt.Fprintf(w, "  known to be exploitable: %s\n", e.Warning)
					}
					t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
					for _, p := range e.Parts {
						fmt.Fprintf(t, "  %s\t%+.2f\t%s\n", p.Name, p.Weight, p.Formula)
					}
					t.Flush()
				}
				return nil
			})
		},
	}
}

// taskFlags choose tasks.
type taskFlags struct {
	env.Selection
	data, repos string
}

func (f *taskFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Split, "split", env.Train, "train or heldout: they share neither templates nor operators")
	cmd.Flags().StringVar(&f.Language, "lang", "", "python, typescript, go or java (default: all in turn)")
	cmd.Flags().StringVar(&f.Difficulty, "difficulty", env.Easy, "easy, medium or hard")
	cmd.Flags().Int64Var(&f.Seed, "seed", 0, "seed that decides every task")
	cmd.Flags().IntVar(&f.Files, "files", 0, "size of each codebase (default: the difficulty's own)")
	cmd.Flags().StringVar(&f.data, "data", "",
		"source of the tasks: orchestration-v1's codebases, quixbugs's directory, localisation's records")
	cmd.Flags().StringVar(&f.repos, "repos", "",
		"directory with localisation's checkouts, each in owner__name (default: repos beside the records)")
	complete(cmd, "split", env.Train, env.Heldout)
	complete(cmd, "lang", language.Grown()...)
	complete(cmd, "difficulty", env.Easy, env.Medium, env.Hard)
}

// selection is what the flags choose, if it can be.
func (f taskFlags) selection() (env.Selection, error) {
	for _, c := range []struct {
		flag, value string
		of          []string
	}{
		{"--split", f.Split, []string{env.Train, env.Heldout}},
		{"--lang", f.Language, append([]string{""}, language.Grown()...)},
		{"--difficulty", f.Difficulty, []string{env.Easy, env.Medium, env.Hard}},
	} {
		if !slices.Contains(c.of, c.value) {
			return f.Selection, usageError{fmt.Errorf("%s %q is none of %s", c.flag, c.value, strings.Trim(strings.Join(c.of, ", "), ", ")), ""}
		}
	}
	if f.Files < 0 {
		return f.Selection, usageError{errors.New("--files cannot be negative"), "a codebase has at least 7 files"}
	}
	return f.Selection, nil
}

func oneEnvironment() cobra.PositionalArgs {
	return one("", "environment", "deeprepo env list names them; a path opens the tasks at that path")
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
		Args: oneEnvironment(), ValidArgsFunction: completeEnvironment,
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
			return a.print(taskJSON(t), func(w io.Writer) error { writeTaskText(w, t); return nil })
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

func writeTaskText(w io.Writer, t env.Task) {
	stats := t.Codebase.Stats()
	fmt.Fprintf(w, "%s\n%d files, %d lines\n\n%s\n%d planted defects\n", t.ID, stats.Files, stats.Lines, t.Codebase.Tree(4000), len(t.Defects))
	for _, d := range t.Defects {
		cross := ""
		if d.CrossFile {
			cross = ", cross-file"
		}
		fmt.Fprintf(w, "  %s:%d-%d  %s, %s%s\n      %s\n", d.File, d.Line, d.EndLine, d.Severity, d.Category, cross, d.Description)
	}
	if len(t.Decoys) > 0 {
		fmt.Fprintf(w, "%d decoys, which look wrong and are right\n", len(t.Decoys))
	}
	for _, d := range t.Decoys {
		fmt.Fprintf(w, "  %s:%d-%d  looks like %s\n      %s\n", d.File, d.Line, d.EndLine, d.Category, d.Why)
	}
}
