package ui

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train/report"
)

// mostAcross is how many runs one document may be made of.
const mostAcross = 13

// across makes the documents of several runs: what `deeprepo eval compare`, `deeprepo train compare` and
// `deeprepo history` print of them. They belong to no run, so no run's directory answers them. It is false for every other resource.
func (s *Server) across(ctx context.Context, id, resource string) (document any, ok bool, err error) {
	if other, found := strings.CutPrefix(resource, "eval/compare/"); found {
		document, err = s.compareEvals(ctx, other, id)
		return document, true, err
	}
	if others, found := strings.CutPrefix(resource, "training/compare/"); found {
		document, err = s.compareTrainings(ctx, append([]string{id}, strings.Split(others, ",")...))
		return document, true, err
	}
	if resource == "history" {
		document, err = s.history(ctx, id)
		return document, true, err
	}
	return nil, false, nil
}

// compareEvals compares an eval with another of the same tasks, the base.
func (s *Server) compareEvals(ctx context.Context, base, id string) (any, error) {
	paths, err := s.paths(ctx, []string{base, id})
	if err != nil {
		return nil, err
	}
	var evals []eval.Saved
	for _, path := range paths {
		saved, err := eval.Load(path)
		if err != nil {
			return nil, cannotCompare(err)
		}
		evals = append(evals, saved)
	}
	comparison, err := eval.CompareSaved(evals)
	if err != nil {
		return nil, cannotCompare(err)
	}
	return comparison, nil
}

// compareTrainings sets trainings side by side.
func (s *Server) compareTrainings(ctx context.Context, ids []string) (any, error) {
	paths, err := s.paths(ctx, ids)
	if err != nil {
		return nil, err
	}
	var runs []runfile.TrainingSummary
	for _, path := range paths {
		summary, err := report.Read(path)
		if err != nil {
			return nil, cannotCompare(err)
		}
		summary.Run = path // where it is now
		runs = append(runs, summary)
	}
	joint, err := report.Join(runs)
	if err != nil {
		return nil, cannotCompare(err)
	}
	return joint, nil
}

// paths are the directories of runs.
func (s *Server) paths(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) > mostAcross {
		return nil, Problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("%d runs are too many to set side by side", len(ids)),
			fmt.Sprintf("choose %d at most", mostAcross)}
	}
	var paths []string
	for _, id := range ids {
		path, err := s.runs.find(ctx, id)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// cannotCompare says why runs cannot be set side by side: for the most part because they are not done, or not of the same
// tasks.
func cannotCompare(err error) error {
	return Problem{Status: http.StatusUnprocessableEntity, Message: err.Error(), Hint: hint.Of(err)}
}
