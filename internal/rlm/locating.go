package rlm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
)

// maxLocated is how many files, and functions, one ranking has at most.
const maxLocated = 100

// index ranks the codebase's places. It is made when it is first asked for, once for all loops of a run. The errors are for the root.
func (n *node) index(ctx context.Context) (*locate.Index, error) {
	r := n.run
	if r.cfg.Unaided {
		return nil, errors.New("this run has no localise() and search(): use grep")
	}
	if _, err := n.graph(ctx); err != nil {
		return nil, err
	}
	r.locating.Lock()
	defer r.locating.Unlock()
	if r.index == nil {
		o := r.cfg.Locate
		o.Graph = r.cfg.Graph
		n.progress("reading the codebase's words")
		made, err := locate.New(ctx, r.cfg.Codebase, o)
		if err != nil {
			return nil, fmt.Errorf("the codebase's words could not be read: %w", err)
		}
		r.index = made
		n.progress("running cell")
	}
	return r.index, nil
}

// sought is what places are ranked for.
type sought struct {
	Text string `json:"text"`
	N    int    `json:"n"`
}

// check bounds what was asked for.
func (s *sought) check() error {
	if s.N < 1 {
		return fmt.Errorf("n is %d: at least one place is asked for", s.N)
	}
	s.N = min(s.N, maxLocated)
	return nil
}

// localise ranks files and functions by how likely a text, or else the run's own issue, asks for a change there.
func (n surface) localise(ctx context.Context, s sought) (answered, error) {
	if strings.TrimSpace(s.Text) == "" {
		s.Text = n.run.cfg.Preset.Issue
	}
	if strings.TrimSpace(s.Text) == "" {
		return answered{}, errors.New("this run is about no issue: localise(text) takes one, or an error message, or a question")
	}
	if err := s.check(); err != nil {
		return answered{}, err
	}
	x, err := n.index(ctx)
	if err != nil {
		return answered{}, err
	}
	ranking, err := x.Locate(ctx, s.Text, s.N)
	if err != nil {
		return answered{}, err
	}
	files := rows{Rows: []any{}, Texts: []string{}}
	for _, f := range ranking.Files {
		files.add(f, "%s %s%s", look.Name(f.Path), score(f.Score), because(f.Why))
	}
	got := map[string]any{"files": files, "functions": functions(ranking.Functions)}
	if len(ranking.Notes) > 0 {
		got["notes"] = ranking.Notes
	}
	return answered{got, fmt.Sprintf("%d files, %d functions", len(ranking.Files), len(ranking.Functions))}, nil
}

// search ranks places by the words that they share with a text.
func (n surface) search(ctx context.Context, s sought) (answered, error) {
	if strings.TrimSpace(s.Text) == "" {
		return answered{}, errors.New("the text is empty: it holds the words that are looked for")
	}
	if err := s.check(); err != nil {
		return answered{}, err
	}
	x, err := n.index(ctx)
	if err != nil {
		return answered{}, err
	}
	got := functions(x.Search(s.Text, s.N))
	return answered{got, fmt.Sprintf("%d rows", len(got.Rows))}, nil
}

// functions are rows of located functions.
func functions(all []locate.Function) rows {
	got := rows{Rows: []any{}, Texts: []string{}}
	for _, f := range all {
		got.add(f, "%s:%d-%d %s %s%s", look.Name(f.Path), f.Line, f.EndLine, look.Name(f.Label()), score(f.Score), because(f.Why))
	}
	return got
}

func score(v float64) string { return fmt.Sprintf("%.3g", v) }

// because names the strongest signals of a score, each with what it adds.
func because(why []locate.Signal) string {
	const most = 4
	var b strings.Builder
	for i, s := range why[:min(len(why), most)] {
		b.WriteString([]string{": ", ", "}[min(i, 1)] + s.Name + " " + score(s.Value))
	}
	return b.String()
}
