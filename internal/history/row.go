package history

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// row is a review as it is indexed.
type row struct {
	Entry
	stamp                string // of its report.json
	remote, first, below string // see codebase.Origin
	before               string // stamp and run of the review that it was compared with
	problem              string // why its report cannot be read; then nothing else is known, and there is no status

	repository string // see name
	changed    bool   // since it was indexed
}

// fill takes from a report what is indexed.
func (r *row) fill(rep runfile.Report) {
	run, repo := rep.Run, rep.Repo
	r.Entry = Entry{
		Run: r.Run, ID: run.ID, Codebase: clip(repo.Path), Commit: clip(repo.Commit), At: plausible(run.StartedAt), Status: run.Status,
		Root: run.Root, Worker: run.Worker, Lines: max(0, repo.Lines), Coverage: rep.Coverage.Fraction, CostUSD: rep.Usage.TotalCostUSD,
		Findings: len(rep.Findings), Severities: map[string]int{}, Known: rep.Known,
	}
	if r.Known != nil && *r.Known < 0 {
		*r.Known = 0
	}
	r.remote, r.first, r.below, r.changed = clip(repo.Remote), clip(repo.FirstCommit), clip(repo.Below), true
	for _, f := range rep.Findings {
		r.Severities[f.Severity]++
		r.Places += max(1, len(f.Places))
	}
	for _, s := range rep.Suppressed {
		r.Suppressed += max(1, len(s.Places))
	}
}

// set notes what a review came to against an older one, nil for none.
func (r *row) set(old *row, d report.Difference) {
	if old == nil {
		r.changed = r.changed || r.before != ""
		r.New, r.Fixed, r.Against, r.before, r.Notes = nil, nil, "", "", nil
		return
	}
	r.New, r.Fixed, r.Against, r.before, r.changed = new(len(d.New)), new(len(d.Fixed)), old.Run, old.mark(), true
	r.Notes = append([]string(nil), d.Notes...)
}

// mark is what a review is compared with: its report as it is now.
func (r *row) mark() string { return r.stamp + " " + r.Run }

// source is what reviews share.
type source struct{ Codebase, Remote, First, Below, Root, Worker string }

func (r *row) source() source {
	return source{r.Codebase, r.remote, r.first, r.below, r.Root, r.Worker}
}

func (r *row) setSource(s source) {
	r.Codebase, r.remote, r.first, r.below, r.Root, r.Worker = s.Codebase, s.Remote, s.First, s.Below, s.Root, s.Worker
}

// figures are the numbers of a review in one text, - for what is not known.
func (r *row) figures() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %d %d", r.Lines, r.Findings, r.Places, r.Suppressed)
	for _, severity := range taxonomy.Severities() {
		fmt.Fprintf(&b, " %d", r.Severities[severity])
	}
	for _, n := range []*int{r.Known, r.New, r.Fixed} {
		if n == nil {
			b.WriteString(" -")
		} else {
			fmt.Fprintf(&b, " %d", *n)
		}
	}
	fmt.Fprintf(&b, " %v", r.Coverage)
	if r.CostUSD == nil {
		return b.String() + " -"
	}
	return b.String() + fmt.Sprintf(" %v", *r.CostUSD)
}

var errFigures = errors.New("figures are not as they were written")

// setFigures is the way back; it also takes from before which run that was.
func (r *row) setFigures(text string) error {
	words, severities := strings.Fields(text), taxonomy.Severities()
	if len(words) != 4+len(severities)+5 {
		return errFigures
	}
	number := func() (n int) {
		word := words[0]
		words = words[1:]
		n, err := strconv.Atoi(word)
		if err != nil {
			n = -1
		}
		return n
	}
	for _, to := range []*int{&r.Lines, &r.Findings, &r.Places, &r.Suppressed} {
		*to = number()
	}
	r.Severities = make(map[string]int, len(severities))
	for _, severity := range severities {
		if n := number(); n > 0 {
			r.Severities[severity] = n
		}
	}
	for _, to := range []**int{&r.Known, &r.New, &r.Fixed} {
		if n := number(); n >= 0 {
			*to = &n
		}
	}
	var err error
	if r.Coverage, err = strconv.ParseFloat(words[0], 64); err != nil {
		return errFigures
	}
	if usd, err := strconv.ParseFloat(words[1], 64); err == nil {
		r.CostUSD = &usd
	}
	_, rest, _ := strings.Cut(r.before, " ")
	_, r.Against, _ = strings.Cut(rest, " ")
	return nil
}

// maxText bounds a text of a report, in bytes: as long as paths can be.
const maxText = 4096

func clip(s string) string {
	if len(s) > maxText {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(s[:maxText], ""), len(s))
	}
	return s
}

// plausible is a time that fits into nanoseconds, or none.
func plausible(t time.Time) time.Time {
	if t.Year() < 1970 || t.Year() > 2261 {
		return time.Time{}
	}
	return t.UTC()
}
