package view

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/klauspost/compress/gzip"
)

// refusals is how many documents of a sort may in a row not fit before no more of them are tried.
const refusals = 50

// fullDispatches is how many times a file's budget the dispatches may take in the trace and still be held in full. Source
// shrinks to a fifth or so when it is packed.
const fullDispatches = 3

// Archive makes the documents that a page in a file shows, the most important first, until they would take more than
// budget bytes of the file (by estimate: packed, in base64). The header is always there, and says in Omitted what is not.
//
// Names stand in it where documents have absolute paths of this machine, unless paths are asked for.
func (r *Run) Archive(budget int, paths bool) (page.Archive, error) {
	var places Places // none: nothing is hidden
	if !paths {
		places = r.places()
	}
	h := r.whole(r.dir.Held() && (r.shown.Outcome == "" || !r.dir.Has(r.shown.Outcome)))
	h.Live, h.Children = false, []doc.Row{} // a file neither changes nor holds other runs
	a := page.Archive{}
	p := newPacker(budget)
	if _, err := p.fits(h); err != nil {
		return nil, err
	}
	left := map[string]int{}
	refused := map[string]int{}
	secrets := redact.New()
	var asked struct {
		NoRedact bool `json:"no_redact"`
	}
	r.dir.Asked(&asked)
	short := r.shown.DispatchBytes != nil && r.shown.DispatchBytes() > int64(fullDispatches)*int64(budget)
	var failed error
	r.shown.Inventory(func(resource string) {
		sort := docsName(resource)
		if failed != nil || refused[sort] == refusals {
			left[sort]++
			return
		}
		one, err := r.document(resource)
		if err != nil {
			return // as damaged in the file as it is here: the header says so
		}
		if long, ok := one.(shortenable); ok && short {
			one = long.Shortened()
		}
		if open, ok := one.(shareable); ok && !asked.NoRedact {
			one = open.WithoutSecrets(secrets)
		}
		text, err := p.fits(one)
		switch {
		case err != nil:
			failed = fmt.Errorf("archive: %s: %w", doc.Clip(resource, 80), err)
		case text == nil:
			left[sort]++
			refused[sort]++
		default:
			a[resource] = places.Hide(text)
			refused[sort] = 0
		}
	})
	if failed != nil {
		return nil, failed
	}
	if h.Omitted = omitted(left, short); h.Omitted != "" {
		h.Omitted += "; deeprepo ui " + r.Path() + " shows them"
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	a[""] = places.Hide(text)
	return a, nil
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
func (p *packer) fits(document any) (json.RawMessage, error) {
	text, err := json.Marshal(document)
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
