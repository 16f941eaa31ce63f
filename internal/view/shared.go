package view

import (
	"github.com/deeprepo/deeprepo/internal/redact"
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
	}
	return doc
}
