package ui

import (
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/triage"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// triageHeader is how programs send the token that allows decisions.
const triageHeader = "X-Deeprepo-Triage"

const secondURL = "open the second URL that deeprepo ui --allow-triage printed"

// maxDecision bounds the body of a decision.
const maxDecision = 16 << 10

// Decisions are what people decided about a review's findings, as the triage file has it now: what /api/runs/ID/triage answers.
type Decisions struct {
	// Allowed says that the asker may decide; without it nothing is read.
	Allowed bool   `json:"allowed"`
	File    string `json:"file,omitempty"` // the triage file
	// Problem is why nothing can be decided here.
	Problem string `json:"problem,omitempty"`
	// Findings are the decisions by the IDs of the document "findings".
	Findings map[string]runfile.Triage `json:"findings"`
}

// decision is what is sent to decide.
type decision struct {
	Finding string `json:"finding"` // its ID in the document "findings"
	State   string `json:"state"`
	Reason  string `json:"reason"`
	Until   string `json:"until"`
}

// grant gives a visitor with the second token its cookie, and leads to the page.
func (s *Server) grant(w http.ResponseWriter, r *http.Request, given string) {
	token, tail, slash := strings.Cut(given, "/")
	if tail != "" || !s.writer.Grant(w, r, token) {
		s.problem(w, r, Problem{http.StatusForbidden, "the token for decisions is wrong", secondURL})
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", map[bool]string{false: "../", true: "../../"}[slash])
	w.WriteHeader(http.StatusSeeOther)
}

// decide writes a decision into the triage file of the codebase that was reviewed.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, path string) {
	refuse := func(status int, message, hint string) { s.problem(w, r, Problem{status, message, hint}) }
	id, resource, _ := strings.Cut(strings.TrimPrefix(path, "runs/"), "/")
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case !strings.HasPrefix(path, "runs/") || resource != "triage":
		refuse(http.StatusNotFound, "there is nothing to decide at this address", "")
		return
	case !s.writer.Granted(r, triageHeader):
		refuse(http.StatusForbidden, "deciding needs its own token", secondURL)
		return
	case r.Header.Get(triageHeader) == "" && !access.SamePage(r):
		refuse(http.StatusForbidden, "only the page itself may decide", "")
		return
	case kind != "application/json":
		refuse(http.StatusUnsupportedMediaType, "a decision is JSON", "")
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDecision))
	if err != nil {
		refuse(http.StatusRequestEntityTooLarge, "the decision is too long", "")
		return
	}
	var d decision
	if err := bounded.Unmarshal(text, &d); err != nil {
		refuse(http.StatusBadRequest, "the decision is no JSON of ours", "")
		return
	}
	s.document(w, r, func(ctx context.Context) (any, error) { return s.decided(ctx, id, d) })
}

// decided decides and answers with what is decided then.
func (s *Server) decided(ctx context.Context, id string, d decision) (any, error) {
	t := runfile.Triage{State: d.State, Reason: d.Reason, By: s.c.User, At: time.Now().UTC().Truncate(time.Second), Until: d.Until}
	if err := triage.Check(t, t.At); err != nil {
		return nil, Problem{http.StatusBadRequest, err.Error(), ""}
	}
	s.deciding.Lock()
	defer s.deciding.Unlock()
	all, name, err := s.triaged(ctx, id)
	if err != nil {
		return nil, err
	}
	var chosen []finding.Finding
	for _, f := range all {
		if f.ID == d.Finding {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) != 1 {
		return nil, Problem{http.StatusNotFound, "this review has no such finding to decide about", ""}
	}
	known, err := triage.ReadFile(name)
	if err != nil {
		return nil, Problem{http.StatusConflict, err.Error(), ""}
	}
	known.Decide(all, chosen, t)
	if err := triage.WriteFile(name, known); err != nil {
		return nil, Problem{http.StatusConflict, err.Error(), ""}
	}
	return decisionsOf(all, known, name), nil
}

// decisions answers what is decided, to those who may decide.
func (s *Server) decisions(ctx context.Context, id string, allowed bool) (any, error) {
	none := Decisions{Findings: map[string]runfile.Triage{}}
	if !allowed {
		return none, nil
	}
	all, name, err := s.triaged(ctx, id)
	var known triage.File
	if err == nil {
		known, err = triage.ReadFile(name)
	}
	if err != nil {
		none.Problem = err.Error()
		return none, nil
	}
	return decisionsOf(all, known, name), nil
}

func decisionsOf(all []finding.Finding, known triage.File, name string) Decisions {
	d := Decisions{Allowed: true, File: name, Findings: map[string]runfile.Triage{}}
	of := known.Of(all)
	for _, f := range all {
		if t := of[0]; t != nil { // of several places, the first one's
			d.Findings[f.ID] = *t
		}
		of = of[len(finding.Places(f)):]
	}
	return d
}

// triaged are a review's findings that can be decided about, and the file where that is kept.
func (s *Server) triaged(ctx context.Context, id string) ([]finding.Finding, string, error) {
	run, release, err := s.runs.use(ctx, id)
	if err != nil {
		return nil, "", err
	}
	defer release()
	document, err := run.Get("findings")
	if err != nil {
		return nil, "", err
	}
	shown, ok := document.(review.Findings)
	if !ok {
		return nil, "", Problem{http.StatusNotFound, "only a review has findings", ""}
	}
	var all []finding.Finding
	for _, f := range shown.Findings {
		all = append(all, f.Finding)
	}
	for _, f := range shown.Suppressed {
		if f.By == "triage" {
			all = append(all, f.Finding)
		}
	}
	name, err := triage.Target(runfile.Report{Repo: runfile.Repo{Path: run.Codebase()}})
	if err != nil {
		return nil, "", Problem{http.StatusConflict, err.Error(), "deeprepo triage --file decides elsewhere"}
	}
	return all, name, nil
}
