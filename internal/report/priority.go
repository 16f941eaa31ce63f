package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// maxTop is how many findings are called the first to do.
const maxTop = 10

// Access says how near to a stranger the code of a finding is, as far as that is known.
type Access int

// What may be known, the nearest last.
const (
	AccessUnknown Access = iota
	// AccessHandler is a request handler; it may need a login.
	AccessHandler
	// AccessStart is a file in which the program starts.
	AccessStart
	// AccessOpen is a request handler on which no such check stands.
	AccessOpen
)

// Prioritise fills in r.Top: what to do first. Findings come in the order of
//
//   - severity, where test code counts two degrees less, and what else is not the product one;
//   - reach: a request handler without a check of who asks, a file in which the program starts, another handler, the rest;
//   - confidence: what a verifier found to stand, what nobody verified, what was doubted; and then the claimant's own figure;
//   - the report.
//
// The findings of one rule share one place. access may be nil: nothing is known then.
func Prioritise(r *runfile.Report, access func(finding.Finding) Access) {
	r.Top = []runfile.TopFinding{}
	for _, t := range prioritised(r.Findings, access) {
		top := runfile.TopFinding{ID: r.Findings[t.At].ID, Why: t.Why}
		for _, i := range t.Same {
			top.Same = append(top.Same, r.Findings[i].ID)
		}
		r.Top = append(r.Top, top)
	}
}

// First is one of the findings to do first, by its place in the report, with those of the same rule.
type First struct {
	At   int
	Why  string
	Same []int
}

func prioritised(fs []finding.Finding, access func(finding.Finding) Access) []First {
	if access == nil {
		access = func(finding.Finding) Access { return AccessUnknown }
	}
	type ranked struct {
		at     int
		role   codebase.Role
		access Access
	}
	var all []ranked
	for i, f := range fs {
		if f.Status != runfile.PreExisting { // who reads a change asks what it brings
			all = append(all, ranked{i, codebase.RoleOf(f.File), access(f)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		f, g := fs[a.at], fs[b.at]
		return cmp.Or(cmp.Compare(urgency(g, b.role), urgency(f, a.role)), cmp.Compare(b.access, a.access),
			cmp.Compare(certainty(g), certainty(f)), cmp.Compare(g.Confidence, f.Confidence))
	})
	var top []First
	leads := map[string]int{} // by rule
	for _, x := range all {
		f := fs[x.at]
		if i, ok := leads[f.Rule]; ok && f.Rule != "" {
			top[i].Same = append(top[i].Same, x.at)
			continue
		}
		if len(top) == maxTop {
			continue
		}
		leads[f.Rule] = len(top)
		top = append(top, First{At: x.at, Why: whyFirst(f, x.role, x.access)})
	}
	return top
}

// urgency is a severity's rank, lower where the code is not the product's own.
func urgency(f finding.Finding, role codebase.Role) int {
	rank := taxonomy.Rank(f.Severity)
	switch role {
	case codebase.Production:
		return rank
	case codebase.Test:
		return rank - 2
	}
	return rank - 1
}

func certainty(f finding.Finding) int {
	if v := f.Verification; v != nil {
		switch v.Status {
		case finding.Stands, finding.Partly:
			return 2
		case finding.Unsure, finding.ByDesign:
			return 0
		}
	}
	return 1
}

// whyFirst says in a short phrase what put a finding where it is: "critical, production code, a verifier found that it stands".
func whyFirst(f finding.Finding, role codebase.Role, access Access) string {
	what := string(role) + " code"
	switch role {
	case codebase.Document:
		what = "documentation"
	case codebase.Tooling:
		what = "development tooling"
	}
	parts := []string{f.Severity, what}
	if how := [...]string{"", "in a request handler", "in a file where the program starts",
		"in a request handler on which no login check stands"}[access]; how != "" {
		parts = append(parts, how)
	}
	switch {
	case certainty(f) == 2 && f.Verification.Execution != nil:
		parts = append(parts, "a check that ran shows it")
	case certainty(f) == 2 && f.Verification.Status == finding.Partly:
		parts = append(parts, "a verifier found that it is partly true")
	case certainty(f) == 2:
		parts = append(parts, "a verifier found that it stands")
	case certainty(f) == 0 && f.Verification.Status == finding.ByDesign:
		parts = append(parts, "documented as meant")
	case certainty(f) == 0:
		parts = append(parts, "a verifier doubts it")
	case f.Reader == runfile.ReaderRules:
		parts = append(parts, "found by a static rule")
	default:
		parts = append(parts, "confidence "+confidence(f.Confidence))
	}
	return strings.Join(parts, ", ")
}

// FirstOf gives what r calls the first to do; for a report of an older version, that is found out now.
func FirstOf(r runfile.Report) []First {
	if r.Top == nil {
		return prioritised(r.Findings, nil)
	}
	byID := map[string]int{}
	for i, f := range slices.Backward(r.Findings) {
		byID[f.ID] = i // the first of several
	}
	var top []First
	take := func(id string) (int, bool) {
		i, ok := byID[id]
		delete(byID, id)
		return i, ok
	}
	for _, t := range r.Top[:min(len(r.Top), maxTop)] {
		i, ok := take(t.ID)
		if !ok {
			continue
		}
		item := First{At: i, Why: t.Why}
		for _, id := range t.Same {
			if j, ok := take(id); ok {
				item.Same = append(item.Same, j)
			}
		}
		top = append(top, item)
	}
	return top
}

// cause is a group of findings that one change, or one way of thinking, would have prevented.
type cause struct {
	name     string
	findings []int // places in the report
}

// causes groups the findings that are not among the first: by rule, else by category and directory. The groups stand in the
// order of their worst finding in the report.
func causes(fs []finding.Finding, top []First) []cause {
	done := map[int]bool{}
	for _, t := range top {
		done[t.At] = true
	}
	var groups []cause
	at := map[string]int{}
	for i, f := range fs {
		if done[i] {
			continue
		}
		key, name := "rule "+f.Rule, f.Title
		if f.Rule == "" {
			dir := "the top directory"
			if slash := strings.LastIndexByte(f.File, '/'); slash > 0 {
				dir = f.File[:slash]
			}
			key = f.Category + " " + dir
			name = fmt.Sprintf("%s in %s", f.Category, dir)
		}
		if _, ok := at[key]; !ok {
			at[key] = len(groups)
			groups = append(groups, cause{name: name})
		}
		groups[at[key]].findings = append(groups[at[key]].findings, i)
	}
	return groups
}
