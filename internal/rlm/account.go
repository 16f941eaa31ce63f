package rlm

import (
	"context"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rlm/judgement"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Bounds on what finding prints; the dict has the rest.
const (
	accountPlaces = 20
	accountClaims = 10
	accountSteps  = 20
	accountText   = 4_000 // characters of each text
)

// account is a finding as a cell gets it.
type account struct {
	finding.Finding
	Claims    []made             `json:"claims"`
	History   []string           `json:"history"`
	Dismissed *runfile.Dismissed `json:"dismissed"`
}

// made is a claim with who made it.
type made struct {
	Call       string   `json:"call"` // its key in the trace
	By         string   `json:"by"`
	Task       string   `json:"task"` // what the worker was asked, in short; "" for the root's own
	Files      []string `json:"files"`
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Severity   string   `json:"severity"`
	Title      string   `json:"title"`
	Confidence float64  `json:"confidence"`
}

// finding tells everything about one finding.
func (n surface) finding(_ context.Context, a struct {
	ID string `json:"id"`
}) (answered, error) {
	about, err := n.run.found.About(a.ID)
	if err != nil {
		return answered{}, err
	}
	all := account{Finding: about.Finding, Dismissed: about.Dismissed, History: about.History, Claims: []made{}}
	for _, c := range about.Claims {
		all.Claims = append(all.Claims, n.run.made(c))
	}
	if all.History == nil {
		all.History = []string{}
	}
	return answered{map[string]any{"finding": all, "text": all.text()}, line(all.Finding)}, nil
}

// made looks up who made a claim.
func (r *run) made(c judgement.Claim) made {
	m := made{Call: c.Key, By: "the root", File: c.File, Line: c.Line, Severity: c.Severity, Title: c.Title, Confidence: c.Confidence,
		Files: []string{}}
	if !c.Own {
		r.mu.Lock()
		read := r.read[c.Key]
		r.mu.Unlock()
		m.By, m.Task = read.by, read.task
		m.Files = append(m.Files, read.held.Files...)
	}
	return m
}

// text is the account as it is printed.
func (a account) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s] confidence %.2f\n", line(a.Finding), strings.TrimSpace(a.Category+" "+a.CWE), a.Confidence)
	if d := a.Dismissed; d != nil {
		fmt.Fprintf(&b, "DISMISSED by %s: %s\n", d.By, d.Reason)
	}
	if g := a.Regraded; g != nil {
		fmt.Fprintf(&b, "regraded from %s by %s: %s\n", g.From, g.By, g.Reason)
	}
	b.WriteString("evidence:\n")
	for i, row := range strings.Split(cut(a.Evidence, accountText), "\n") {
		look.Numbered(&b, a.Line+i, row)
	}
	for _, part := range [][2]string{{"explanation", a.Explanation}, {"suggestion", a.Suggestion}} {
		if part[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", part[0], cut(part[1], accountText))
		}
	}
	listed(&b, "places", a.Places, accountPlaces, func(p runfile.Place) string { return fmt.Sprintf("%s:%d", look.Name(p.File), p.Line) })
	listed(&b, "path", a.Path, accountSteps, func(s runfile.Step) string {
		return fmt.Sprintf("%s %s:%d %s", s.Kind, look.Name(s.File), s.Line, oneLine(s.Text, 160))
	})
	listed(&b, "claimed by", a.Claims, accountClaims, made.String)
	if v := a.Verification; v != nil {
		fmt.Fprintf(&b, "verdict: %s, by %s: %s\n", v.Status, v.By, cut(v.Reason, accountText))
	}
	listed(&b, "history", a.History, accountSteps, func(s string) string { return oneLine(s, 400) })
	return b.String()
}

// String is a claim with who made it, in a line.
func (m made) String() string {
	s := fmt.Sprintf("%s in %s", m.By, m.Call)
	if m.Task != "" {
		s += fmt.Sprintf(", asked %q", m.Task)
	}
	if len(m.Files) > 0 {
		s += " of " + oneLine(strings.Join(m.Files, " "), 200)
	}
	return fmt.Sprintf("%s: %s %s:%d %s (confidence %.2f)", s, m.Severity, look.Name(m.File), m.Line, oneLine(m.Title, 160), m.Confidence)
}

// listed writes a list, a line each, of at most so many.
func listed[T any](b *strings.Builder, title string, all []T, most int, line func(T) string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for _, one := range all[:min(len(all), most)] {
		fmt.Fprintf(b, "  - %s\n", line(one))
	}
	if left := len(all) - most; left > 0 {
		fmt.Fprintf(b, "  - and %d more\n", left)
	}
}
