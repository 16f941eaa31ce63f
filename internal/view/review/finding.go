package review

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// One is one finding of a review, whichever list it is in: the document "finding/ID", also by the beginning of an ID.
type One struct {
	Finding
	List  string `json:"list"`                // that of Findings, by its name in JSON
	First string `json:"why_first,omitempty"` // why it, or one like it, is among what to do first
	// Snippet is the lines around it; nil where the text that was reviewed cannot be had.
	Snippet *Snippet `json:"snippet"`
}

// finding answers "finding/ID". It reads that finding's file alone.
func (r *Run) finding(id string) (any, error) {
	v, err := r.finished()
	if err != nil {
		return nil, err
	}
	all := v.found
	var ids []string
	for _, of := range all.Lists() {
		for i := range of {
			ids = append(ids, of[i].ID)
		}
	}
	fits := finding.WithID(ids, id)
	switch len(fits) {
	case 0:
		return nil, doc.NotFound("no finding has an ID that begins with %q", doc.Clip(id, 80))
	case 1:
	default:
		return nil, &doc.Error{Status: 404, Message: fmt.Sprintf("%d findings have an ID that begins with %q", len(fits), doc.Clip(id, 80)),
			Hint: "give more of it"}
	}
	var one One
	at := fits[0]
	for list, of := range all.Lists() {
		if at < len(of) {
			one = One{Finding: of[at], List: list}
			break
		}
		at -= len(of)
	}
	for _, top := range all.Top {
		if top.ID == one.ID || slices.Contains(top.Same, one.ID) {
			one.First = top.Why
		}
	}
	near := Findings{Findings: []Finding{one.Finding}, Snippets: map[string]Snippet{}}
	v.addSnippets(&near, v.texts(near.files()))
	if s, ok := near.Snippets[one.ID]; ok {
		one.Snippet = &s
	}
	return one, nil
}

// WithoutSecrets is the finding without secrets in the lines around it.
func (o One) WithoutSecrets(secrets *redact.Redactor) any {
	if o.Snippet != nil {
		s := *o.Snippet
		s.Text, _ = secrets.RedactFile(o.File, s.Text)
		o.Snippet = &s
	}
	return o
}
