package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/review/list"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/view"
	shown "github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func (a *app) showCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "show RUN [ID]",
		Short: "Show what a review found, or one finding with its code",
		Long: `Show the summary of the review, or of a list's reviews, in the directory RUN as analyze printed it, or, with the ID
of a review's finding, that one: its code with line numbers, what is wrong, the fix, the way of the value, all its
places, who found and verified it, and the commit that brought the line, as far as each is known.

The beginning of an ID is enough where it is the only one. IDs stand below the findings in the summary. The code is that
of the codebase where it still is what was reviewed; otherwise it is what the finding quotes, and that is said. Of a run
whose work a fleet did, a line says which worker did how much; of one that is no review that is all.`,
		Example: `  deeprepo show runs/app-20261121-101500           # the summary: what to do first
  deeprepo show runs/app-20261121-101500 --all     # every finding, by cause
  deeprepo show runs/app-20261121-101500 3f2a91    # one finding
  deeprepo show runs/app-20261121-101500 --json    # report.json; with an ID, that finding`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 || len(args) == 2 {
				return nil
			}
			return usageError{fmt.Errorf("show takes a run's directory and at most one ID, got %d arguments", len(args)),
				"deeprepo show runs/NAME-TIME"}
		},
		ValidArgsFunction: completeRuns(2, true),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.showRun(args[0], all)
			}
			if all {
				return usageError{errors.New("--all lists all findings, an ID shows one"), "leave out one of them"}
			}
			return a.showFinding(args[0], args[1])
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, allUsage)
	return cmd
}

const allUsage = "list all findings, by cause, and not only the first to do"

// showRun prints the summary of a review.
func (a *app) showRun(dir string, all bool) error {
	dir = filepath.Clean(dir)
	if list.IsRun(dir) {
		return a.showList(dir)
	}
	r, err := review.ReadReport(filepath.Join(dir, review.ReportName+".json"))
	work := fleetWork(dir)
	if errors.Is(err, fs.ErrNotExist) && work != nil {
		return a.print(work, func(w io.Writer) error { _, err := fmt.Fprintln(w, fleetLine(*work)); return err })
	}
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{fmt.Errorf("%s holds no report of a review", dir),
			"give the directory of a run of analyze or baseline; one that broke off has its report after deeprepo resume; deeprepo ui shows all"}
	}
	if err != nil {
		return err
	}
	if err := a.summary(r, dir, all); err != nil || work == nil || a.json {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, termtext.Masked(fleetLine(*work)))
	return err
}

// fleetWork is who did a run's items, nil where no fleet did.
func fleetWork(dir string) *runfile.FleetWork {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	w, err := readFleetWork(root)
	if err != nil {
		return nil
	}
	return &w
}

// summary prints a review's report, and how to see more of it: nothing, where dir is "".
func (a *app) summary(r runfile.Report, dir string, all bool) error {
	if a.json {
		a.printed = true
		return report.WriteJSON(a.stdout, r)
	}
	style := a.style()
	style.All, style.Quiet = all, a.quiet
	if err := report.Text(a.stdout, r, style); err != nil || a.quiet || dir == "" {
		return err
	}
	dir = termtext.Masked(dir)
	fmt.Fprintf(a.stdout, "\nreports: %s/report.html, .md, .json, .sarif\n", dir)
	if len(r.Findings) > 0 {
		fmt.Fprintf(a.stdout, "more: deeprepo show %s ID shows one finding with its code\n", dir)
	}
	return nil
}

// style is how a text may be written to stdout.
func (a *app) style() report.Style {
	f, ok := a.stdout.(interface{ Fd() uintptr })
	if !ok || !isTerminal(a.stdout) {
		return report.Style{}
	}
	style := report.Style{Color: a.getenv("NO_COLOR") == ""}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		style.Width = width
	}
	return style
}

// chosenFinding is what show prints of one finding as JSON.
type chosenFinding struct {
	List    string         `json:"list"` // of the report: findings, ungrounded, refuted, suppressed or dismissed
	First   string         `json:"why_first,omitempty"`
	Finding shown.Finding  `json:"finding"`
	Code    *shown.Snippet `json:"code,omitempty"` // as it was reviewed; absent where that text is no longer to be had
	NoCode  string         `json:"no_code,omitempty"`
}

// showFinding prints one finding.
func (a *app) showFinding(dir, id string) error {
	run, err := view.Open(filepath.Clean(dir))
	if err != nil {
		return asUsage(err)
	}
	defer run.Close()
	document, err := run.Get("findings")
	if err != nil {
		return asUsage(err)
	}
	found, ok := document.(shown.Findings)
	if !ok {
		return usageError{fmt.Errorf("%s holds no review", dir), "deeprepo ui shows runs of every kind"}
	}
	one, err := choose(&found, dir, id)
	if err != nil {
		return err
	}
	for _, top := range found.Top {
		if top.ID == one.Finding.ID || slices.Contains(top.Same, one.Finding.ID) {
			one.First = top.Why
		}
	}
	f := one.Finding
	d := report.Detail{Finding: f.Finding, List: one.List, First: one.First, By: f.By, Proof: f.Proof}
	if s, ok := found.Snippets[f.ID]; ok {
		one.Code, d.Code, d.From = &s, s.Text, s.From
	} else {
		one.NoCode = whyNoCode(run, f.File)
		d.Code, d.From = f.Evidence, f.Line
		d.CodeNote = "As the finding quotes it (" + one.NoCode + "):"
	}
	if a.json {
		return a.printJSON(one)
	}
	return report.WriteDetail(a.stdout, d, a.style())
}

// whyNoCode says why the text that was reviewed cannot be had.
func whyNoCode(run *view.Run, path string) string {
	document, err := run.Get("file/" + path)
	if file, ok := document.(shown.File); err == nil && ok && file.Why != "" {
		return file.Why
	}
	return "the file is not one that was reviewed"
}

// choose finds the one finding whose ID begins so.
func choose(all *shown.Findings, dir, id string) (chosenFinding, error) {
	var each []chosenFinding
	var findings []finding.Finding
	for list, of := range all.Lists() {
		for _, f := range of {
			each = append(each, chosenFinding{List: list, Finding: f})
			findings = append(findings, f.Finding)
		}
	}
	i, err := chooseID(findings, dir, id)
	if err != nil {
		return chosenFinding{}, err
	}
	return each[i], nil
}

// chooseID is the index of the one finding whose ID begins so. The error names those that could be meant.
func chooseID(all []finding.Finding, dir, id string) (int, error) {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	fits := finding.WithID(ids, id)
	if len(fits) == 1 {
		return fits[0], nil
	}
	if len(fits) == 0 {
		advice := "deeprepo show " + dir + " --all lists the findings with their IDs"
		if near := suggest.Nearest(id, ids); near != "" {
			advice = "did you mean " + near + "?"
		}
		return 0, usageError{fmt.Errorf("no finding of %s has an ID that begins with %q", dir, termtext.Inline(id)), advice}
	}
	var which []string
	for _, i := range fits[:min(len(fits), 8)] {
		which = append(which, all[i].ID+" ("+termtext.Left(termtext.Inline(all[i].Title), 40)+")")
	}
	return 0, usageError{fmt.Errorf("%d findings have an ID that begins with %q", len(fits), termtext.Inline(id)),
		"give more of it: " + strings.Join(which, ", ")}
}
