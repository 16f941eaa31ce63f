package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/klauspost/compress/gzip"
)

// refusals is how many documents of a sort may in a row not fit before no more of them are tried.
const refusals = 50

// fullDispatches is how many times a file's budget the dispatches may take in the trace and still be held in full. Source
// shrinks to a fifth or so when it is packed.
const fullDispatches = 3

// Archive makes the documents that a page in a file shows, the most important first, until they would take more than
// budget bytes of the file (by estimate: packed, in base64). The header is always there, and says in Omitted what is not.
func (r *Run) Archive(budget int) (page.Archive, error) {
	h, err := r.whole(r.held() && !r.concluded())
	if err != nil {
		return nil, err
	}
	h.Live, h.Children = false, []Row{} // a file neither changes nor holds other runs
	a := page.Archive{}
	p := newPacker(budget)
	if _, err := p.fits(h); err != nil {
		return nil, err
	}
	left := map[string]int{}
	refused := map[string]int{}
	secrets := redact.New()
	short := r.kind == Review && r.dispatched() > int64(fullDispatches)*int64(budget)
	for resource := range r.inventory() {
		sort := docsName(resource)
		if refused[sort] == refusals {
			left[sort]++
			continue
		}
		doc, err := r.Get(resource)
		var own *Error
		if errors.As(err, &own) {
			continue // as damaged in the file as it is here: the header says so
		}
		if err != nil {
			return nil, err
		}
		if short {
			doc = shortened(doc)
		}
		text, err := p.fits(r.forSharing(doc, secrets))
		switch {
		case err != nil:
			return nil, fmt.Errorf("archive: %s: %w", termtext.CutWith(resource, 80, "…"), err)
		case text == nil:
			left[sort]++
			refused[sort]++
		default:
			a[resource] = text
			refused[sort] = 0
		}
	}
	if h.Omitted = omitted(left, short); h.Omitted != "" {
		h.Omitted += "; deeprepo ui " + r.path + " shows them"
	}
	if a[""], err = json.Marshal(h); err != nil {
		return nil, err
	}
	return a, nil
}

// dispatched is how many bytes of a review's trace are dispatches.
func (r *Run) dispatched() int64 {
	s, err := r.trace(traceName, [2]int64{}).refresh()
	if err != nil {
		return 0
	}
	sum := int64(0)
	for i, kind := range s.kind {
		if kind == 'd' {
			sum += int64(s.size[i])
		}
	}
	return sum
}

// concluded reports whether the file is there that tells a run's outcome. A run draws its own page as its last act, when it
// still holds its directory.
func (r *Run) concluded() bool {
	return r.has(map[Kind]string{Review: reportName, Bench: benchName, Training: summaryName, Compare: compareName}[r.kind])
}

// packer estimates what documents take. Each is packed by itself: how much those that lie side by side in the file have in
// common is not known before all are chosen, so that the file is not larger than was estimated.
type packer struct {
	budget int
	size   int // of what was written, in base64
	zip    *gzip.Writer
}

func newPacker(budget int) *packer {
	p := &packer{budget: budget}
	p.zip, _ = gzip.NewWriterLevel(p, gzip.DefaultCompression) // the level is one of gzip's
	return p
}

// Write counts what comes out of the packing.
func (p *packer) Write(b []byte) (int, error) {
	p.size += (len(b)*4 + 2) / 3
	return len(b), nil
}

// fits marshals a document, and is nil for one that does not fit any more.
func (p *packer) fits(doc any) (json.RawMessage, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	before := p.size
	p.zip.Reset(p)
	if _, err := p.zip.Write(text); err != nil {
		return nil, err
	}
	if err := p.zip.Close(); err != nil {
		return nil, err
	}
	if p.size > p.budget {
		p.size = before // others may be smaller
		return nil, nil
	}
	return text, nil
}

// docsName is what documents of a resource's sort are called.
func docsName(resource string) string {
	name, rest, _ := strings.Cut(resource, "/")
	if name == "rollout" {
		_, rest, _ = strings.Cut(rest, "/")
		name, _, _ = strings.Cut(rest, "/")
		return "rollouts' " + docsName(name)
	}
	switch name {
	case "file":
		return "files' texts"
	case "dispatch":
		return "dispatches"
	case "codeeval", "compare":
		return "tasks"
	case "eval":
		return "rollouts"
	}
	return name + "s"
}

func omitted(left map[string]int, short bool) string {
	var parts []string
	if short {
		parts = append(parts, "most of the dispatches' prompts")
	}
	for name, n := range left {
		parts = append(parts, fmt.Sprintf("%s (%d)", name, n))
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return "left out for size: " + strings.Join(parts, ", ")
}
