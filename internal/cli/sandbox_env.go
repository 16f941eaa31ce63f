package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/sandbox/venv"
	"github.com/spf13/cobra"
)

// environments are those that sandbox env makes.
func (a *app) environments() venv.Store {
	return venv.Store{Dir: filepath.Join(a.cacheDir(), "pythons")}
}

func (a *app) sandboxEnvCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "env",
		Short: "Python environments with pinned packages, for programs that run in a jail",
		Long: `An environment is a Python with the packages of a lock file. Commands that judge programs take its name: --backend native
--python NAME, or --backend auto, which sends only those programs there that import what WebAssembly lacks. The jail
sees it read-only.`,
		Example: `  deeprepo sandbox env create science
  deeprepo code verify humaneval --samples samples.jsonl --backend auto --python science
  deeprepo sandbox env list`,
	}, a.sandboxEnvCreate(), a.sandboxEnvList(), a.sandboxEnvRemove())
}

func (a *app) sandboxEnvCreate() *cobra.Command {
	var python, lock string
	cmd := &cobra.Command{
		Use:   "create [NAME]",
		Short: "Make an environment of the packages of a lock file, whose hashes are checked",
		Long: `Make a virtual environment NAME (default: science) and install the packages of a lock file with pip: wheels only, and only
those whose hashes the file has. The default file has numpy, pandas, scipy, sympy and pytest, for CPython 3.10 to 3.13.

An environment is there whole or not at all; a call that was interrupted can be repeated, and pip keeps what it had
downloaded. It is never changed: remove it and make it again. pip's own configuration counts (PIP_INDEX_URL,
PIP_NO_INDEX, PIP_FIND_LINKS for machines without a network).`,
		Example: `  deeprepo sandbox env create
  deeprepo sandbox env create science --python python3.12
  uv pip compile --generate-hashes my.in -o my.lock && deeprepo sandbox env create mine --lock my.lock`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := venv.Order{Name: "science", Python: python, Say: a.say, Now: time.Now}
			if len(args) > 0 {
				o.Name = args[0]
			}
			if !venv.Proper(o.Name) {
				return usageError{fmt.Errorf("an environment cannot be called %q", o.Name), "small letters, digits, - and _; not as a Python is called"}
			}
			if lock != "" {
				text, err := bounded.ReadFile(lock, 16<<20)
				if err != nil {
					return usage(err)
				}
				o.Lock = string(text)
			}
			e, fresh, err := a.environments().Create(cmd.Context(), o)
			if err != nil {
				if cmd.Context().Err() != nil {
					return err
				}
				return exitError{exitOutside, err}
			}
			if !fresh {
				a.say(e.Name + " is there already")
			}
			return a.print(e, func(w io.Writer) error {
				fmt.Fprintf(w, "%s: Python %s with %s\n", e.Name, e.Python, strings.Join(e.Packages, " "))
				fmt.Fprintf(w, "use it with --backend auto --python %s, or --backend native\n", e.Name)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&python, "python", "", "interpreter that makes it (default: python3)")
	cmd.Flags().StringVar(&lock, "lock", "", "file of pinned requirements with hashes (default: numpy, pandas, scipy, sympy, pytest)")
	return cmd
}

func (a *app) sandboxEnvList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the environments", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all, err := a.environments().List()
			if err != nil {
				return err
			}
			return a.print(map[string]any{"environments": append([]venv.Environment{}, all...)}, func(w io.Writer) error {
				t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
				for _, e := range all {
					fmt.Fprintf(t, "%s\tPython %s\t%s\t%s\n", e.Name, e.Python, e.Made.Format(time.DateOnly), strings.Join(e.Packages, " "))
				}
				if len(all) == 0 {
					fmt.Fprintln(t, "there is none; deeprepo sandbox env create makes one")
				}
				return t.Flush()
			})
		},
	}
}

func (a *app) sandboxEnvRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Remove an environment", Args: one("", "environment", "deeprepo sandbox env list shows them"),
		RunE: func(_ *cobra.Command, args []string) error { return a.environments().Remove(args[0]) },
	}
}
