package ui

import (
	"context"
	"net/http"
	"os"

	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/view"
)

// History is what became of a codebase over its reviews, the oldest first.
type History struct {
	Reviews []Reviewed `json:"reviews"`
	// Omitted is how many older ones are left out.
	Omitted int `json:"omitted"`
}

// Reviewed is a review in a history.
type Reviewed struct {
	history.Entry
	// Link is the review's ID in the list of runs, Of that of the one it is compared with; "" where there is none.
	Link string `json:"link"`
	Of   string `json:"of"`
}

// mostReviews is how many reviews a history shows.
const mostReviews = 300

// history makes the history of the codebase that a run reviewed, out of the reviews in and below the directories.
func (s *Server) history(ctx context.Context, id string) (any, error) {
	path, err := s.runs.find(ctx, id)
	if err != nil {
		return nil, err
	}
	found, err := history.Look(ctx, history.Options{Runs: s.c.Dirs, Cache: s.c.Cache})
	if err != nil {
		if os.IsNotExist(err) {
			err = Problem{http.StatusNotFound, err.Error(), "was the directory moved? start deeprepo ui again with the new one"}
		}
		return nil, err
	}
	h := History{Reviews: []Reviewed{}}
	all := found.Beside(path)
	h.Omitted = max(0, len(all)-mostReviews)
	for _, e := range all[h.Omitted:] {
		r := Reviewed{Entry: e, Link: view.ID(e.Run)}
		if e.Against != "" {
			r.Of = view.ID(e.Against)
		}
		h.Reviews = append(h.Reviews, r)
	}
	return h, nil
}
