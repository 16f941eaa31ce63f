package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/triage"
	"github.com/spf13/cobra"
)

// triageFlags are what was decided, and of which findings beside those that are named.
type triageFlags struct {
	states               map[string]*bool // by state
	reason, by, until    string
	rule, path, category string
	file                 string
}

func (a *app) triageCommand() *cobra.Command {
	f := triageFlags{states: map[string]*bool{}}
	cmd := &cobra.Command{
		Use:   "triage RUN [ID...]",
		Short: "Decide about findings, and have later reviews know it",
		Long: `Decide about findings of the review in the directory RUN. Decisions stand in ` + triage.Name + ` of the reviewed codebase:
commit it. Later reviews leave out what is accepted, a false positive or not to be mended, and list it with the reason
under "suppressed". A decision knows its finding by the quoted code, so it holds when lines move, the file is renamed or
code is formatted; when that code changes it holds no more, nor after --until.

Findings are named by their IDs, or their beginnings, or chosen by --rule, --path and --category together. Without a
decision the command lists what was decided about the findings of RUN.`,
		Example: `  deeprepo triage runs/app-20261121-101500 3f2a91 --accept --reason "internal network only" --until 2027-01-31
  deeprepo triage runs/app-20261121-101500 3f2a91 9be01c --false-positive --reason "checked by the caller"
  deeprepo triage RUN --rule python/weak-password-hash --path 'legacy/**' --wont-fix --reason "goes away with the old client"
  deeprepo triage RUN 3f2a91 --reopen --reason "the network is no longer internal"
  deeprepo triage RUN                                # what was decided about its findings`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("triage takes a run's directory"), "deeprepo triage runs/NAME-TIME ID --accept --reason TEXT"}
			}
			return f.check(args[1:])
		},
		ValidArgsFunction: completeRuns(math.MaxInt, true),
		RunE:              func(_ *cobra.Command, args []string) error { return a.triage(f, args[0], args[1:]) },
	}
	fl := cmd.Flags()
	for _, of := range []struct{ flag, state, usage string }{
		{"accept", triage.Accepted, "a risk that is taken"},
		{"false-positive", triage.FalsePositive, "no defect"},
		{"wont-fix", triage.WontFix, "a defect that stays"},
		{"fixed", triage.Fixed, "mended: if it is found again it is listed, with this decision"},
		{"reopen", triage.Open, "none of these any more"},
	} {
		f.states[of.state] = fl.Bool(of.flag, false, of.usage)
	}
	fl.StringVar(&f.reason, "reason", "", "why, for who reads the decision")
	fl.StringVar(&f.by, "by", "", "who decided (default: the user of this machine)")
	fl.StringVar(&f.until, "until", "", "last day on which the decision holds, as 2027-01-31 (default: for good)")
	fl.StringVar(&f.rule, "rule", "", "decide about all findings of this static rule")
	fl.StringVar(&f.path, "path", "", "decide about all findings in files that match this pattern, as legacy/**")
	fl.StringVar(&f.category, "category", "", "decide about all findings of this category")
	fl.StringVar(&f.file, "file", "", "the triage file (default: "+triage.Name+" in the codebase that was reviewed)")
	return cmd
}

// check refuses what cannot be meant.
func (f triageFlags) check(ids []string) error {
	state, err := f.state()
	chosen := len(ids) > 0 || f.rule != "" || f.path != "" || f.category != ""
	switch {
	case err != nil:
		return err
	case state == "" && (chosen || f.reason != "" || f.until != "" || f.by != ""):
		return usageError{errors.New("what is decided?"), "add --accept, --false-positive, --wont-fix, --fixed or --reopen"}
	case state == "":
		return nil
	case !chosen:
		return usageError{errors.New("about which findings?"), "name their IDs, or choose them with --rule, --path or --category"}
	case len(ids) > 0 && (f.rule != "" || f.path != "" || f.category != ""):
		return usageError{errors.New("IDs name findings, and so do --rule, --path and --category"), "use one or the other"}
	case strings.TrimSpace(f.reason) == "":
		return usageError{errors.New("a decision needs its reason"), `add --reason "why"`}
	}
	if err := triage.Check(runfile.Triage{State: state, Reason: f.reason, By: f.by, Until: f.until}, time.Now()); err != nil {
		return usageError{err, "--until takes a day to come, as 2027-01-31"}
	}
	return nil
}

// state is the one that is asked for, "" for none.
func (f triageFlags) state() (string, error) {
	chosen := ""
	for _, state := range triage.States() {
		if *f.states[state] && chosen != "" {
			return "", usageError{errors.New("a finding has one state"), "use one of --accept, --false-positive, --wont-fix, --fixed, --reopen"}
		} else if *f.states[state] {
			chosen = state
		}
	}
	return chosen, nil
}

// triaged is what triage prints of a finding.
type triaged struct {
	ID          string          `json:"id"`
	Fingerprint string          `json:"fingerprint"`
	File        string          `json:"file"`
	Line        int             `json:"line"`
	Severity    string          `json:"severity"`
	Title       string          `json:"title"`
	Triage      *runfile.Triage `json:"triage"`
}

func (a *app) triage(f triageFlags, dir string, ids []string) error {
	state, err := f.state()
	if err != nil {
		return err
	}
	name, known, all, chosen, err := f.decide(filepath.Clean(dir), ids, state)
	if err != nil {
		return err
	}
	return a.printTriage(name, known, all, chosen)
}

// decide sets a state, where one is given, of chosen ones of all findings of a review that can be decided about. It gives the
// triage file's name and what stands there.
func (f triageFlags) decide(dir string, ids []string, state string) (
	name string, known triage.File, all, chosen []finding.Finding, err error) {
	r, err := readReview(dir)
	if err != nil {
		return "", known, nil, nil, err
	}
	if name, err = f.target(r); err != nil {
		return "", known, nil, nil, err
	}
	if known, err = triage.ReadFile(name); err != nil {
		return "", known, nil, nil, err
	}
	all = triage.Known(r)
	if state == "" {
		return name, known, all, all, nil
	}
	if chosen, err = f.choose(all, dir, ids); err != nil {
		return "", known, nil, nil, err
	}
	decision := runfile.Triage{State: state, Reason: f.reason, By: f.by, At: time.Now().UTC().Truncate(time.Second), Until: f.until}
	if me, err := user.Current(); decision.By == "" && err == nil {
		decision.By = me.Username
	}
	known.Decide(all, chosen, decision)
	return name, known, all, chosen, triage.WriteFile(name, known)
}

// target is the triage file of the codebase that a report is of.
func (f triageFlags) target(r runfile.Report) (string, error) {
	if f.file != "" {
		return f.file, nil
	}
	name, err := triage.Target(r)
	if err != nil {
		return "", usageError{err, "--file FILE names the triage file"}
	}
	return name, nil
}

// choose gives the findings that are decided about.
func (f triageFlags) choose(all []finding.Finding, dir string, ids []string) (chosen []finding.Finding, err error) {
	places := finding.Apart(all)
	for _, id := range ids {
		i, err := chooseID(places, dir, id)
		if err != nil {
			return nil, err
		}
		if whole := wholeOf(all, places[i].ID); whole != nil {
			chosen = append(chosen, *whole)
		} else {
			chosen = append(chosen, places[i])
		}
	}
	if len(ids) > 0 {
		return chosen, nil
	}
	for _, one := range places {
		if (f.rule == "" || one.Rule == f.rule) && (f.category == "" || one.Category == f.category) &&
			(f.path == "" || report.PathPattern(f.path).MatchString(one.File)) {
			chosen = append(chosen, one)
		}
	}
	if len(chosen) == 0 {
		return nil, usageError{fmt.Errorf("no finding of %s is of that rule, path and category", dir),
			"deeprepo show " + dir + " --all lists them"}
	}
	return chosen, nil
}

// wholeOf is the finding of that ID with all its places; nil where it is the ID of one place of several.
func wholeOf(all []finding.Finding, id string) *finding.Finding {
	for i := range all {
		if all[i].ID == id {
			return &all[i]
		}
	}
	return nil
}

// printTriage prints what was decided about some of a review's findings.
func (a *app) printTriage(name string, known triage.File, all, some []finding.Finding) error {
	chosen := map[string]bool{}
	for _, p := range finding.Apart(some) {
		chosen[p.ID] = true
	}
	rows, places := []triaged{}, []finding.Finding{}
	of := known.Of(all)
	for i, p := range finding.Apart(all) {
		if chosen[p.ID] {
			rows = append(rows, triaged{p.ID, p.Fingerprint, p.File, p.Line, p.Severity, p.Title, of[i]})
			places = append(places, p)
		}
	}
	return a.print(struct {
		File     string    `json:"file"`
		Findings []triaged `json:"findings"`
	}{name, rows}, func(w io.Writer) error {
		ids, open := report.ShortIDs(places), 0
		for i, row := range rows {
			if row.Triage == nil {
				open++
				continue
			}
			fmt.Fprintf(w, "%-8s  %s:%d  %s\n          %s\n", ids[i], termtext.Inline(row.File), row.Line, termtext.Inline(row.Title),
				termtext.Inline(report.Decided(row.Triage)))
		}
		if open > 0 {
			fmt.Fprintf(w, "nothing was decided about %d of %d\n", open, len(rows))
		}
		_, err := fmt.Fprintf(w, "decisions: %s\n", name)
		return err
	})
}
