package review

import (
	"context"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// What the history is asked at most: a long one takes git tens of milliseconds a file.
const (
	maxBlamedFiles = 20
	blameTime      = 1500 * time.Millisecond
)

// prioritise says what to do first, and which commits brought the findings: those of the first, then the others in report
// order, as far as the limits allow.
func prioritise(ctx context.Context, r *runfile.Report, code *codebase.Codebase) {
	report.Prioritise(r, report.AccessOf(code, code.EntryPoints()))
	byID := map[string]*runfile.Finding{}
	for i := range r.Findings {
		byID[r.Findings[i].ID] = &r.Findings[i]
	}
	var order []*runfile.Finding
	for _, top := range r.Top {
		order = append(order, byID[top.ID])
	}
	for i := range r.Findings {
		order = append(order, &r.Findings[i])
	}
	var lines []codebase.Line
	files := map[string]bool{}
	for _, f := range order {
		if f.Line > 0 && (files[f.File] || len(files) < maxBlamedFiles) {
			files[f.File] = true
			lines = append(lines, codebase.Line{Path: f.File, Number: f.Line})
		}
	}
	if len(lines) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, blameTime)
	defer cancel()
	brought := code.Blame(ctx, lines)
	for i := range r.Findings {
		f := &r.Findings[i]
		if by, ok := brought[codebase.Line{Path: f.File, Number: f.Line}]; ok {
			f.Introduced = &runfile.Introduced{Commit: by.Commit, Date: by.Date}
		}
	}
}
