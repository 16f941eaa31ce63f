package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Difference is what became of the findings of one report in a later one. Each finding has one place; the lists have none
// in common.
type Difference struct {
	New        []finding.Finding `json:"new"`
	Fixed      []finding.Finding `json:"fixed"`      // as the old report has them
	Persisting []finding.Finding `json:"persisting"` // at the same line of the same file
	Moved      []Moved           `json:"moved"`
	// Aside are claimed still, and suppressed, refuted or dismissed in the later report.
	Aside []finding.Finding `json:"aside"`
	// Notes say what the lists cannot tell: what a review did not read is not fixed because it is not found.
	Notes []string `json:"notes"`
}

// Moved is a finding that stands at another line or in another file than before.
type Moved struct {
	finding.Finding
	From runfile.Place `json:"from"`
}

// Diff compares two reports of one codebase. New is what Baseline calls new.
func Diff(old, now runfile.Report) Difference {
	d := Difference{New: []finding.Finding{}, Fixed: []finding.Finding{}, Persisting: []finding.Finding{}, Moved: []Moved{},
		Aside: []finding.Finding{}, Notes: notes(old, now)}
	before, after := known(old), finding.Apart(now.Findings)
	there := make([]bool, len(before))
	for i, k := range finding.Persisting(before, after) {
		f := after[i]
		if k < 0 {
			d.New = append(d.New, f)
			continue
		}
		there[k] = true
		if was := before[k]; was.File != f.File || was.Line != f.Line {
			from := runfile.Place{File: was.File, Line: was.Line, EndLine: was.EndLine, ID: was.ID, Fingerprint: was.Fingerprint}
			d.Moved = append(d.Moved, Moved{f, from})
		} else {
			d.Persisting = append(d.Persisting, f)
		}
	}
	var rest []finding.Finding
	for k, f := range before[:len(finding.Apart(old.Findings))] { // behind them are those that were suppressed
		if !there[k] {
			rest = append(rest, f)
		}
	}
	aside := setAside(now)
	claimed := make([]bool, len(rest))
	for i, k := range finding.Persisting(rest, aside) {
		if k >= 0 {
			claimed[k] = true
			d.Aside = append(d.Aside, aside[i])
		}
	}
	for k, f := range rest {
		if !claimed[k] {
			d.Fixed = append(d.Fixed, f)
		}
	}
	if n := leftOut(old, now, d.Fixed); n > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("%s of the fixed stand in files that the new review left out: they need not be fixed", count(n)))
	}
	return d
}

// leftOut counts the findings of old in files that now skipped: by their names, by a directory's, which ends with a slash, or by
// none, where the user asked for some files alone.
func leftOut(old, now runfile.Report, all []finding.Finding) (n int) {
	names := map[string]bool{}
	for _, s := range now.Coverage.Skipped {
		names[s.Path] = true
	}
	for _, s := range old.Coverage.Skipped {
		if s.Path == "" { // as then
			delete(names, "")
		}
	}
	for _, f := range all {
		out := names[f.File] || names[""]
		for i, c := range f.File {
			out = out || c == '/' && names[f.File[:i+1]]
		}
		if out {
			n++
		}
	}
	return n
}

// setAside are the findings of a report that are not in its main list, one for each place.
func setAside(r runfile.Report) []finding.Finding {
	var all []finding.Finding
	for _, s := range r.Suppressed {
		all = append(all, s.Finding)
	}
	for _, d := range r.Dismissed {
		all = append(all, d.Finding)
	}
	for _, f := range r.Refuted {
		all = append(all, f.Finding)
	}
	return finding.Apart(all)
}

func notes(old, now runfile.Report) []string {
	all := []string{}
	if now.Run.Status != trace.StatusCompleted {
		all = append(all, "the new review is "+string(now.Run.Status)+": what it lacks need not be fixed")
	}
	if now.Coverage.Fraction < old.Coverage.Fraction-0.01 {
		all = append(all, fmt.Sprintf("the new review covers less (%s of the lines, before %s): what it lacks need not be fixed",
			Percent(now.Coverage.Fraction), Percent(old.Coverage.Fraction)))
	}
	if now.Known != nil {
		all = append(all, "the new review lists only what its baseline report has not: what it lacks need not be fixed")
	}
	if now.Change != nil && old.Change == nil {
		all = append(all, "the new review is of a change: what it lacks need not be fixed")
	}
	if old.Change != nil && now.Change == nil {
		all = append(all, "the old review is of a change: what it lacks need not be new")
	}
	if old.Run.Status != trace.StatusCompleted {
		all = append(all, "the old review is "+string(old.Run.Status)+": what it lacks need not be new")
	}
	if old.Run.Worker != now.Run.Worker || old.Run.Root != now.Run.Root {
		all = append(all, fmt.Sprintf("other readers: %s with %s, before %s with %s", termtext.Inline(now.Run.Root),
			termtext.Inline(now.Run.Worker), termtext.Inline(old.Run.Root), termtext.Inline(old.Run.Worker)))
	}
	return all
}

// DiffText writes a difference for the terminal: how many of each, what is new, fixed and moved; with s.All what persists, too.
func DiffText(w io.Writer, d Difference, s Style) error {
	var b strings.Builder
	head := fmt.Sprintf("%s new, %s fixed, %s persisting, %s moved", count(len(d.New)), count(len(d.Fixed)), count(len(d.Persisting)),
		count(len(d.Moved)))
	if len(d.Aside) > 0 {
		head += fmt.Sprintf(", %s set aside", count(len(d.Aside)))
	}
	fmt.Fprintf(&b, "%s\n", s.bold(head))
	for _, note := range d.Notes {
		fmt.Fprintf(&b, "note      %s\n", note)
	}
	moved := make([]finding.Finding, len(d.Moved))
	for i, m := range d.Moved {
		moved[i] = m.Finding
	}
	for _, part := range []struct {
		name string
		all  []finding.Finding
		show bool
	}{{"new", d.New, true}, {"fixed", d.Fixed, true}, {"moved", moved, true},
		{"set aside", d.Aside, s.All}, {"persisting", d.Persisting, s.All}} {
		if len(part.all) == 0 || !part.show {
			continue
		}
		fmt.Fprintf(&b, "%s\n", part.name)
		widest := 0
		for _, f := range part.all {
			widest = max(widest, utf8.RuneCountInString(target(f)))
		}
		if s.Width > 0 {
			widest = min(widest, s.Width/2)
		}
		ids := ShortIDs(part.all)
		for i, f := range part.all {
			s.finding(&b, f, widest, ids[i])
			if part.name == "moved" {
				fmt.Fprintf(&b, "            %s\n", s.faint("from "+target(finding.Finding{File: d.Moved[i].From.File, Line: d.Moved[i].From.Line})))
			}
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write difference: %w", err)
	}
	return nil
}
