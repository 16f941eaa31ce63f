package judgement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

type kind int

const (
	dismissal kind = iota
	regrading
	merging
	verification
)

// judgement is what a root said of findings, as they were then.
type judgement struct {
	key      string
	kind     kind
	of       []finding.Finding
	reason   string
	by       string
	severity string
	title    string
	verdict  runfile.Verification
}

// Dismiss takes a finding back.
func (b *Book) Dismiss(key, id, reason, by string) (finding.Finding, error) {
	return b.judge(judgement{key: key, kind: dismissal, reason: reason, by: by}, id)
}

// Regrade gives a finding another severity.
func (b *Book) Regrade(key, id, severity, reason, by string) (finding.Finding, error) {
	if taxonomy.Rank(severity) == 0 {
		return finding.Finding{}, fmt.Errorf("%q is no severity; there are %s", severity, strings.Join(taxonomy.Severities(), ", "))
	}
	return b.judge(judgement{key: key, kind: regrading, severity: severity, reason: reason, by: by}, id)
}

// Merge makes one finding of several, with all their places; title may be "", for that of the strongest.
func (b *Book) Merge(key string, ids []string, title string) (finding.Finding, error) {
	if len(ids) < 2 {
		return finding.Finding{}, fmt.Errorf("merge takes two findings or more")
	}
	return b.judge(judgement{key: key, kind: merging, title: title}, ids...)
}

// Verified books a second opinion on a finding.
func (b *Book) Verified(key, id string, v runfile.Verification) (finding.Finding, error) {
	return b.judge(judgement{key: key, kind: verification, verdict: v}, id)
}

// Find is the open finding that an ID, or its first digits, stand for.
func (b *Book) Find(id string) (finding.Finding, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.find(b.show(), id)
}

// judge books a judgement of the findings that the IDs stand for, and gives the first of them as it is then. A dismissed
// one is as it was.
func (b *Book) judge(j judgement, ids ...string) (finding.Finding, error) {
	if j.kind < merging && strings.TrimSpace(j.reason) == "" {
		return finding.Finding{}, fmt.Errorf("say why: the reason stands in the report")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.show()
	for _, id := range ids {
		f, err := b.find(now, id)
		if err != nil {
			return f, err
		}
		if !slices.ContainsFunc(j.of, func(g finding.Finding) bool { return g.ID == f.ID }) {
			j.of = append(j.of, f)
		}
	}
	if j.kind == merging && len(j.of) < 2 {
		return j.of[0], fmt.Errorf("%s is one finding already", short(j.of[0].ID))
	}
	b.judged = append(b.judged, j)
	if j.kind == dismissal {
		return j.of[0], nil
	}
	after := b.show()
	if i := index(after.Findings, j.of[0]); i >= 0 {
		return after.Findings[i], nil
	}
	return j.of[0], nil
}

// find resolves an ID: one of now, or one that the root was told earlier.
func (b *Book) find(now State, id string) (finding.Finding, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	const fewest = 4
	if len(id) < fewest {
		return finding.Finding{}, fmt.Errorf("no finding is called %q: findings() lists them", id)
	}
	if f, err := only(now.Findings, id); f.ID != "" || err != nil {
		return f, err
	}
	var earlier []finding.Finding
	for _, f := range b.seen {
		earlier = append(earlier, f)
	}
	slices.SortFunc(earlier, func(x, y finding.Finding) int { return strings.Compare(x.ID, y.ID) })
	f, err := only(earlier, id)
	if err != nil {
		return f, err
	}
	if i := index(now.Findings, f); f.ID != "" && i >= 0 {
		return now.Findings[i], nil
	}
	for _, d := range now.Dismissed {
		if strings.HasPrefix(d.ID, id) || f.ID != "" && finding.Same(d.Finding, f) {
			return finding.Finding{}, fmt.Errorf("%s was dismissed: %s", short(d.ID), d.Reason)
		}
	}
	return finding.Finding{}, fmt.Errorf("no finding is called %q: findings() lists them", id)
}

// only is the one finding whose ID begins with id; the zero one when there is none.
func only(all []finding.Finding, id string) (found finding.Finding, err error) {
	for _, f := range all {
		if !strings.HasPrefix(f.ID, id) {
			continue
		}
		if found.ID != "" {
			return finding.Finding{}, fmt.Errorf("%q stands for several findings: give more digits of the ID", id)
		}
		found = f
	}
	return found, nil
}

// Short is an ID as roots are told it.
func Short(id string) string { return short(id) }

func short(id string) string { return id[:min(len(id), 8)] }

// index is where a finding of earlier stands among those of now, -1 where it is gone.
func index(now []finding.Finding, f finding.Finding) int {
	if i := slices.IndexFunc(now, func(g finding.Finding) bool { return g.ID == f.ID }); i >= 0 {
		return i
	}
	return slices.IndexFunc(now, func(g finding.Finding) bool { return at(g, f) })
}

// at reports that a finding stands, with one of its places, where another does, and says the same.
func at(f, other finding.Finding) bool {
	if finding.Same(f, other) {
		return true
	}
	return slices.ContainsFunc(f.Places, func(p runfile.Place) bool {
		return finding.Same(finding.Finding{File: p.File, Line: p.Line, EndLine: p.EndLine, Grounded: f.Grounded, Category: f.Category,
			Title: f.Title}, other)
	})
}

// dismissal is the dismissal that takes a claim in, -1 where none does. What was claimed before it goes with its finding;
// what comes later only where it says the same of the same code, for workers repeat themselves. What the root claims
// itself after it stands.
func (b *Book) dismissal(key string, own bool, claim finding.Finding) int {
	return slices.IndexFunc(b.judged, func(j judgement) bool {
		if j.kind != dismissal || !at(j.of[0], claim) {
			return false
		}
		if key < j.key {
			return true
		}
		return !own && (finding.SameEvidence(j.of[0], claim) || finding.SimilarTitles(j.of[0].Title, claim.Title))
	})
}

// apply changes the findings as the judgement says. What it was said of may be gone by now.
func (j judgement) apply(all []finding.Finding) []finding.Finding {
	var of []int
	for _, f := range j.of {
		if i := index(all, f); i >= 0 && !slices.Contains(of, i) {
			of = append(of, i)
		}
	}
	if len(of) == 0 {
		return all
	}
	f := &all[of[0]]
	switch j.kind {
	case regrading:
		f.Regraded = &runfile.Regraded{From: f.Severity, Reason: j.reason, By: j.by}
		f.Severity = j.severity
	case verification:
		v := j.verdict
		f.Verification = &v
	case merging:
		var together []finding.Finding
		for _, i := range of {
			together = append(together, all[i])
		}
		one := finding.Join(together)
		if j.title != "" {
			one.Title = j.title
		}
		var rest []finding.Finding
		for i, f := range all {
			if !slices.Contains(of, i) {
				rest = append(rest, f)
			}
		}
		return append(rest, one)
	}
	return all
}
