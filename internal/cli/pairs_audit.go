package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

func (a *app) pairsAuditCommand() *cobra.Command {
	var name, data, out string
	var others []string
	var strict bool
	var workers int
	var fleet string
	cmd := &cobra.Command{
		Use:   "audit FILE",
		Short: "Audit a pair file: labels run again, duplicates, shortcuts, leaks",
		Long: `Audit preference pairs. With --dataset every program is run again and the labels are compared with the tests' verdicts;
without it the audit does everything else. It counts exact and near-duplicates, rejected programs that do not even parse,
pairs over the dataset's test split and words shared with evaluation sets (--decontaminate), and measures how well the
chosen side can be told without reading the programs: by length, by fences, by a small classifier on unseen tasks.

It reads JSON Lines, compressed or not, and JSON lists: {task_id, prompt, chosen, rejected} as texts or as lists of
messages. Problems are reported as warnings; the exit code is still 0, or 1 with --strict. The audit and the pairs are left in a
directory for deeprepo ui; --out - leaves none.`,
		Example: `  deeprepo pairs audit pairs.jsonl
  deeprepo pairs audit dpo_pairs.jsonl.gz --dataset mbpp --data mbpp.jsonl
  deeprepo pairs audit pairs.jsonl --dataset mbpp --decontaminate humaneval=HumanEval.jsonl.gz --strict --json`,
		Args: one("pairs audit", "file", "deeprepo pairs audit FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name == "" && data != "" {
				return usageError{errors.New("--data needs --dataset"), "there are " + strings.Join(dataset.Names(), ", ")}
			}
			read, err := pairs.ReadFile(args[0])
			if err != nil {
				return err
			}
			p := a.newProgress()
			c := pairs.AuditConfig{File: filepath.Base(args[0]), Extract: a.extractor(),
				Observe:     func(done, total int) { p.count("programs", done, total) },
				ObserveGate: func(done, total int) { p.count("controls", done, total) }}
			if c.Evals, err = a.openEvals(cmd.Context(), others); err != nil {
				return err
			}
			if name == "" {
				p.say("without --dataset no program is run and no label is checked")
			} else {
				if c.Set, err = a.dataset(cmd.Context(), name, data, ""); err != nil {
					return err
				}
				if c.Box, c.Workers, err = a.executor(cmd.Context(), fleet, p.say, workers); err != nil {
					return err
				}
				c.Cache = a.gateCache(name)
			}
			dir, err := a.auditDir(out, pairs.AuditOptions{File: args[0], Dataset: name, Decontaminate: others})
			if err != nil {
				return err
			}
			if dir != nil {
				defer dir.Close()
				defer a.keepFleet(dir)()
			}
			report, err := pairs.Audit(cmd.Context(), read, c)
			p.close()
			if err != nil {
				return err
			}
			if dir != nil {
				if err := pairs.WriteAuditRun(dir, read, report, name); err != nil {
					return err
				}
				a.say("the audit is in " + dir.Path() + "; deeprepo ui " + dir.Path() + " shows it")
			}
			err = a.print(report, func(w io.Writer) error { return pairs.WriteAudit(report, w, termtext.Masked) })
			if err == nil && strict && len(report.Warnings) > 0 {
				return exitError{code: exitNo}
			}
			return err
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&name, "dataset", "", "dataset with the programs' tests: "+strings.Join(dataset.Names(), ", "))
	fl.StringVar(&data, "data", "", "file or directory of the dataset (default: the copy in the cache)")
	fl.StringArrayVar(&others, "decontaminate", nil, "DATASET=FILE: an evaluation set whose words should not be in the pairs; may be repeated")
	fl.StringVarP(&out, "out", "o", "", "directory for the audit (default runs/audit-FILE-TIME; - for none)")
	fl.BoolVar(&strict, "strict", false, "exit code 1 when there are warnings")
	fleetFlag(cmd, &fleet, "run the programs on a fleet")
	fl.IntVar(&workers, "workers", 0, "programs that run at once (default: one per CPU)")
	return cmd
}

// auditDir makes the directory that an audit leaves; nil where none is wanted.
func (a *app) auditDir(out string, o pairs.AuditOptions) (*rundir.Dir, error) {
	if out == "-" {
		return nil, nil
	}
	return pairs.CreateAudit(out, o, version(), time.Now())
}

// openEvals opens the evaluation sets of --decontaminate.
func (a *app) openEvals(ctx context.Context, args []string) ([]*dataset.Set, error) {
	var sets []*dataset.Set
	for _, arg := range args {
		name, file, _ := strings.Cut(arg, "=")
		set, err := a.dataset(ctx, name, file, "")
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}
