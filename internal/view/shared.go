package view

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// forSharing is a document as it goes into a file that people send to each other: source text without secrets, as workers
// were sent it. What a finding quotes stays: it stands in every form of the report, and the finding may be the secret.
func (r *Run) forSharing(doc any, secrets *redact.Redactor) any {
	var asked struct {
		NoRedact bool `json:"no_redact"`
	}
	options(r.manifest.Options, &asked)
	if asked.NoRedact {
		return doc
	}
	switch d := doc.(type) {
	case File:
		if d.Text != nil {
			text, _ := secrets.Redact(*d.Text)
			d.Text = &text
		}
		return d
	case Findings:
		snippets := make(map[string]Snippet, len(d.Snippets))
		for id, s := range d.Snippets {
			s.Text, _ = secrets.Redact(s.Text)
			snippets[id] = s
		}
		d.Snippets = snippets
		return d
	case Dispatch: // workers on this machine are sent secrets, too
		d.Prompt, _ = secrets.Redact(d.Prompt)
		d.Reply, _ = secrets.Redact(d.Reply)
		return d
	case Turn:
		d.Message, _ = secrets.Redact(d.Message)
		d.Cells = slices.Clone(d.Cells)
		for i := range d.Cells {
			d.Cells[i].Output, _ = secrets.Redact(d.Cells[i].Output)
		}
		return d
	case Prompt:
		d.Messages = slices.Clone(d.Messages)
		for i := range d.Messages {
			d.Messages[i].Text, _ = secrets.Redact(d.Messages[i].Text)
		}
		return d
	}
	return doc
}

// What is left of a dispatch in a file that has no room for all of them in full, in bytes.
const (
	cutPrompt = 1_500
	cutReply  = 4_000
)

// shortened is a dispatch without the most of its prompt: which files it held stands beside it.
func shortened(doc any) any {
	if d, ok := doc.(Dispatch); ok {
		d.Prompt, d.Reply = headOf(d.Prompt, cutPrompt), headOf(d.Reply, cutReply)
		return d
	}
	return doc
}

func headOf(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s\n[cut for this file at %d of %d bytes]", termtext.Cut(s, most), most, len(s))
}
