// Package triage remembers what people decided about findings: accepted as a risk, no defect, not to be mended. The decisions
// stand in a file of the codebase, .deeprepo/triage.json, which is made to be committed and reviewed as code is.
//
// A decision is about a finding's fingerprint, so it holds when lines move, the file is renamed or code is formatted; when
// the code itself changes it holds no more. It ends with its last day.
//
// The file may come from a stranger: it is bounded, its words are held to their vocabularies, and what it leaves out of a
// report is listed there with the reason.
package triage

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Name is the file's path in the codebase.
const Name = codebase.TriageName

// States of a finding. Those of Accepted, FalsePositive and WontFix are left out of a report's main list. Fixed and Open are
// not: a finding that is there again although somebody fixed it must be seen.
const (
	Open          = "open"
	Accepted      = "accepted"
	FalsePositive = "false-positive"
	WontFix       = "wont-fix"
	Fixed         = "fixed"
)

// States are all states.
func States() []string { return []string{Open, Accepted, FalsePositive, WontFix, Fixed} }

// File is the triage file.
type File struct {
	Schema    int        `json:"schema"`
	Decisions []Decision `json:"decisions"`
}

// Decision is what was decided of one finding.
type Decision struct {
	Fingerprint string `json:"fingerprint"`
	runfile.Triage
	// Where it stood and what it said when that was decided, for who reads the file, and to tell equal code in two places apart.
	File     string `json:"file"`
	Line     int    `json:"line"`
	Category string `json:"category"`
	Rule     string `json:"rule,omitempty"`
	Title    string `json:"title"`
}

const (
	schema = 1
	// MaxBytes is the size of the largest file that is read.
	MaxBytes = 16 << 20
	maxText  = 2000
)

// Parse reads a triage file. An empty one holds nothing.
func Parse(text []byte) (File, error) {
	f := File{Schema: schema}
	if len(text) == 0 {
		return f, nil
	}
	if len(text) > MaxBytes {
		return f, fmt.Errorf("it is larger than %d bytes", MaxBytes)
	}
	if err := bounded.Unmarshal(text, &f); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return File{}, fmt.Errorf("%q should be a %s, not a %s", termtext.Inline(wrong.Field), wrong.Type, termtext.Inline(wrong.Value))
		}
		return File{}, fmt.Errorf("it is not JSON: %s", termtext.Inline(err.Error()))
	}
	if f.Schema != schema {
		return File{}, fmt.Errorf("its schema is %d, and this version reads %d", f.Schema, schema)
	}
	for i := range f.Decisions {
		d := &f.Decisions[i]
		wrong := func(what, word string) (File, error) {
			return File{}, fmt.Errorf("decision %d: %s %q", i+1, what, termtext.Inline(termtext.Cut(word, 100)))
		}
		switch {
		case !finding.IsID(d.Fingerprint):
			return wrong("no fingerprint:", d.Fingerprint)
		case !slices.Contains(States(), d.State):
			return wrong("a state is one of "+strings.Join(States(), ", ")+", not", d.State)
		case d.Until != "" && !isDay(d.Until):
			return wrong("until is a day, as 2026-12-31, not", d.Until)
		}
		for _, text := range []*string{&d.Reason, &d.By, &d.File, &d.Title, &d.Rule} {
			*text = termtext.Cut(*text, maxText)
		}
		d.Category, d.Line = finding.NormalCategory(d.Category, ""), max(0, d.Line)
	}
	return f, nil
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// Write writes the file in an order that does not depend on who decided first.
func (f File) Write(w io.Writer) error {
	f.Schema = schema
	f.Decisions = append([]Decision{}, f.Decisions...)
	slices.SortStableFunc(f.Decisions, func(a, b Decision) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return jsonfile.Write(w, f)
}

// Decide sets what is decided of some of a review's findings, in the place of what was decided of them before. all are the
// review's, so that equal code in two places is told apart.
func (f *File) Decide(all, some []finding.Finding, t runfile.Triage) {
	chosen := map[string]bool{}
	for _, one := range finding.Apart(some) {
		chosen[one.ID] = true
	}
	places := finding.Apart(all)
	of := finding.Recognised(f.claims(), places)
	for i, one := range places {
		if !chosen[one.ID] {
			continue
		}
		d := Decision{Fingerprint: cmp.Or(one.Fingerprint, finding.Fingerprint(one)), Triage: t, File: one.File, Line: one.Line,
			Category: one.Category, Rule: one.Rule, Title: one.Title}
		if of[i] >= 0 {
			f.Decisions[of[i]] = d
		} else {
			f.Decisions = append(f.Decisions, d)
		}
	}
}

// Of says what is decided of the places of findings, nil where nothing is, in the order of finding.Apart.
func (f *File) Of(fs []finding.Finding) []*runfile.Triage {
	places := finding.Apart(fs)
	all := make([]*runfile.Triage, len(places))
	for i, d := range finding.Recognised(f.claims(), places) {
		if d >= 0 {
			all[i] = &f.Decisions[d].Triage
		}
	}
	return all
}

// claims are the findings that decisions are about, as far as the file says.
func (f *File) claims() []finding.Finding {
	all := make([]finding.Finding, len(f.Decisions))
	for i, d := range f.Decisions {
		all[i] = finding.Finding{Fingerprint: d.Fingerprint, File: d.File, Line: d.Line, EndLine: d.Line, Category: d.Category, Title: d.Title}
	}
	return all
}

// Source gives the text of a file.
type Source interface {
	Text(path string) (string, bool)
}

// Apply parts findings into those to report, with what was decided of them, and those that a decision leaves out on that day.
// Each place of a finding stands for itself.
func (f *File) Apply(code Source, fs []finding.Finding, day time.Time) (kept []finding.Finding, left []runfile.Suppressed) {
	of := f.Of(fs)
	for _, one := range fs {
		n := len(finding.Places(one))
		stay, gone := part(code, one, of[:n], day)
		kept, left, of = append(kept, stay...), append(left, gone...), of[n:]
	}
	return kept, left
}

// part parts one finding by its places.
func part(code Source, f finding.Finding, of []*runfile.Triage, day time.Time) (stay []finding.Finding, gone []runfile.Suppressed) {
	hidden := 0
	for _, t := range of {
		if t != nil && Hides(*t, day) {
			hidden++
		}
	}
	if hidden == 0 || len(of) == 1 {
		f.Triage = of[0]
		if hidden == 0 {
			return []finding.Finding{f}, nil
		}
		return nil, []runfile.Suppressed{{Finding: f, By: "triage", Reason: of[0].Reason}}
	}
	var left []finding.Finding
	for k, one := range finding.Apart([]finding.Finding{f}) {
		if text, ok := code.Text(one.File); ok && k > 0 { // the quotation is that of the first place
			if quoted, ok := finding.Quote(text, one.Line, one.EndLine); ok {
				one.Evidence = quoted
			}
		}
		if one.Triage = of[k]; one.Triage != nil && Hides(*one.Triage, day) {
			gone = append(gone, runfile.Suppressed{Finding: one, By: "triage", Reason: one.Triage.Reason})
		} else {
			left = append(left, one)
		}
	}
	if len(left) == 0 {
		return nil, gone
	}
	rest := left[0]
	for _, one := range left[1:] {
		rest.Places = append(rest.Places, finding.Places(one)...)
	}
	if len(rest.Places) > 0 {
		own := rest
		own.Places = nil
		rest.Places = append(finding.Places(own), rest.Places...)
	}
	return []finding.Finding{rest}, gone
}

// Hides says whether a decision leaves a finding out on a day.
func Hides(t runfile.Triage, day time.Time) bool {
	return (t.State == Accepted || t.State == FalsePositive || t.State == WontFix) &&
		(t.Until == "" || day.UTC().Format(time.DateOnly) <= t.Until)
}
