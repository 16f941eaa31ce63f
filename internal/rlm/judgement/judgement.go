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

// judgement is what a root said of findings, each named by a claim of it.
type judgement struct {
	key      string
	kind     kind
	of       []place
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

// Merge makes one finding of several, as [finding.Join] does: the first, with all their places; title may be "", for its own.
func (b *Book) Merge(key string, ids []string, title string) (finding.Finding, error) {
	if len(ids) < 2 {
		return finding.Finding{}, fmt.Errorf("merge takes a list of two findings or more, and a title: merge([id, id], title)")
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
	w := b.now()
	i, err := b.find(w, id)
	if err != nil {
		return finding.Finding{}, err
	}
	b.told(&w.entries[i])
	return w.entries[i].Finding, nil
}

// judge books a judgement of the findings that the IDs stand for, and gives the first of them as it is then. A dismissed
// one is as it was.
func (b *Book) judge(j judgement, ids ...string) (finding.Finding, error) {
	if j.kind < merging && strings.TrimSpace(j.reason) == "" {
		return finding.Finding{}, fmt.Errorf("say why: the reason stands in the report")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.now()
	var of []int
	for _, id := range ids {
		i, err := b.find(w, id)
		if err != nil {
			return finding.Finding{}, err
		}
		if !slices.Contains(of, i) {
			of = append(of, i)
			j.of = append(j.of, w.entries[i].of[0])
		}
	}
	first := w.entries[of[0]].Finding
	if j.kind == merging && len(of) < 2 {
		return first, fmt.Errorf("%s is one finding already", Short(first.ID))
	}
	b.judged = append(b.judged, j)
	if j.key > w.last {
		w.judge(j)
	} else {
		b.walked = nil
	}
	w = b.now()
	i := w.index(j.of[0])
	if i < 0 {
		return first, nil
	}
	b.told(&w.entries[i])
	return w.entries[i].Finding, nil
}

// find gives the number of the open finding that an ID, or its first digits, stand for.
func (b *Book) find(w *walk, id string) (int, error) {
	i, gone, err := b.lookup(w, id)
	if err == nil && i < 0 {
		d := w.dismissed[gone]
		return 0, fmt.Errorf("%s was dismissed: %s", Short(d.ID), d.Reason)
	}
	return i, err
}

// lookup gives the number of the finding that an ID, or its first digits, stand for, among the open ones or else (open < 0)
// among the dismissed: of the one that a root was told of under it, even where another one has the ID by now.
func (b *Book) lookup(w *walk, id string) (open, dismissed int, err error) {
	if words := strings.Fields(id); len(words) > 0 { // a finding as it is printed begins with its ID
		id = strings.ToLower(strings.Trim(words[0], "#[]()'\"`:,."))
	}
	unknown := fmt.Errorf("no finding is called %q: findings() lists them", id)
	const fewest = 4
	if len(id) < fewest {
		return -1, -1, unknown
	}
	found, gone := map[int]bool{}, map[int]bool{}
	for told, at := range b.seen {
		if !strings.HasPrefix(told, id) {
			continue
		}
		if i := w.index(at); i >= 0 {
			found[i] = true
		} else if i := w.refusal(at); i >= 0 {
			gone[i] = true
		}
	}
	if len(found) == 0 && len(gone) == 0 {
		for i, e := range w.entries {
			if strings.HasPrefix(e.ID, id) {
				found[i] = true
			}
		}
		for i, d := range w.dismissed {
			if strings.HasPrefix(d.ID, id) {
				gone[i] = true
			}
		}
	}
	switch {
	case len(found) > 1 || len(found) == 0 && len(gone) > 1:
		return -1, -1, fmt.Errorf("%q stands for several findings: give more digits of the ID", id)
	case len(found) == 1:
		return only(found), -1, nil
	case len(gone) == 1:
		return -1, only(gone), nil
	}
	return -1, -1, unknown
}

// only is the element of a set of one.
func only(set map[int]bool) int {
	for i := range set {
		return i
	}
	return -1
}

// Short is an ID as roots are told it.
func Short(id string) string { return id[:min(len(id), 8)] }
