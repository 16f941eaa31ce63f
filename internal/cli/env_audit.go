package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/spf13/cobra"
)

// The bar that a reward has to clear before it is fit for training.
const (
	mostForExploits = 0.05
	mostForNull     = 0.0
)

// leastForHonest is the least average reward of the honest script. Harder tasks are meant to leave room above a script.
func leastForHonest(difficulty string) float64 {
	switch difficulty {
	case env.Medium:
		return 0.8
	case env.Hard:
		return 0.7
	}
	return 0.9
}

func (a *app) envAuditCommand() *cobra.Command {
	var f taskFlags
	var tasks int
	cmd := &cobra.Command{
		Use:   "audit ENV",
		Short: "What cheating earns: exploit, null, random and honest policies under a reward",
		Long: `Play scripted policies in an environment and print what each earns: exploits that seek reward without work, null
policies that do nothing, a random one, an honest one. A reward fit for training gives exploits at most 0.05, null
policies 0, and honest work at least 0.9 (0.8 on medium and 0.7 on hard tasks, which are meant to leave room above a
script; 0.3 in localisation). Tricks, which send the code but have no plan, must earn no more than honest work. Otherwise the exit code is
1. --json lists the tricks separately from the other policies.`,
		Example: `  deeprepo env audit orchestration
  deeprepo env audit orchestration --split heldout --tasks 16
  deeprepo env audit localisation --data lite.jsonl --repos checkouts --tasks 24
  deeprepo env audit orchestration-v1 --data mini.json    # the reference's reward: see its holes`,
		Args: oneEnvironment(), ValidArgsFunction: completeEnvironment,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.selection()
			if err != nil {
				return err
			}
			if tasks < 1 {
				return usageError{errors.New("--tasks must be 1 or more"), ""}
			}
			e, err := a.chosen(cmd, args[0], f)
			if err != nil {
				return err
			}
			p := a.newProgress()
			rows, err := policy.Audit(cmd.Context(), e, policy.AuditConfig{Selection: s, Tasks: tasks, Seed: s.Seed,
				Concurrency: 2 * runtime.NumCPU(),
				Sandbox:     &lazySandbox{app: a, say: p.say},
				Observe:     func(done, total int) { p.count("rollouts", done, total) }})
			p.close()
			if err != nil {
				return err
			}
			honest := cmp.Or(e.About().LeastHonest, leastForHonest(s.Difficulty))
			policies, tricks := apart(rows)
			err = a.print(map[string]any{"environment": e.Name(), "policies": policies, "tricks": tricks},
				func(w io.Writer) error { writeAudit(w, e, rows, honest); return nil })
			if err == nil && beyond(rows, honest) > 0 {
				return exitError{code: exitNo}
			}
			return err
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&tasks, "tasks", 8, "tasks that each policy plays")
	return cmd
}

// apart separates the tricks from the policies of the four other kinds.
func apart(rows []policy.Row) (policies, tricks []policy.Row) {
	tricks = []policy.Row{}
	for _, r := range rows {
		if r.Kind == policy.Trick {
			tricks = append(tricks, r)
		} else {
			policies = append(policies, r)
		}
	}
	return policies, tricks
}

// verdict says whether a policy earned what its kind may.
func verdict(r policy.Row, honest, most float64) string {
	switch {
	case r.Kind == policy.Exploit && r.Max > mostForExploits:
		return "too much"
	case r.Kind == policy.Null && r.Max > mostForNull:
		return "too much"
	case r.Kind == policy.Trick && r.Mean > most:
		return "too much"
	case r.Kind == policy.Honest && r.Mean < honest:
		return "too little"
	}
	return "ok"
}

// bar is what a trick may earn at most: as much as honest work on the same tasks.
func bar(rows []policy.Row) float64 {
	best := 0.0
	for _, r := range rows {
		if r.Kind == policy.Honest {
			best = max(best, r.Mean)
		}
	}
	return best
}

// beyond counts the policies that earned what their kind may not.
func beyond(rows []policy.Row, honest float64) (n int) {
	most := bar(rows)
	for _, r := range rows {
		if verdict(r, honest, most) != "ok" {
			n++
		}
	}
	return n
}

func writeAudit(w io.Writer, e env.Environment, rows []policy.Row, honest float64) {
	fmt.Fprintf(w, "%s, %d tasks each\n\n", e.Name(), len(rows[0].Rewards))
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(t, "policy\tkind\tmean\tmin\tmax\t\twhat it does")
	most := bar(rows)
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%.3f\t%.3f\t%.3f\t%s\t%s\n", r.Name, r.Kind, r.Mean, r.Min, r.Max, verdict(r, honest, most), r.About)
	}
	t.Flush()
	fmt.Fprintf(w, "\nbar: every exploit at most %.2f, null %.0f, honest at least %.1f on average and no trick above it: ",
		mostForExploits, mostForNull, honest)
	bad := beyond(rows, honest)
	if bad == 0 {
		fmt.Fprintln(w, "cleared")
		return
	}
	fmt.Fprintf(w, "%d policies are beyond it\n", bad)
	if warning := e.About().Warning; warning != "" {
		fmt.Fprintln(w, warning)
	}
}
