package locate

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/graph"
)

// Options say how an Index is made.
type Options struct {
	// Graph gives the codebase's code graph. It must be set.
	Graph func(context.Context) (*graph.Graph, error)
	// HeldOut is a repository (owner/name) whose records had no part in the weights. Defaults to none: the weights are of all.
	HeldOut string
}

// Ranking is where a text asks for a change, most likely first.
type Ranking struct {
	Files     []File     `json:"files"`
	Functions []Function `json:"functions"`
}

// File is a file with its score.
type File struct {
	Path  string  `json:"path"`
	Score float64 `json:"score"`
	// Why are the signals that moved the score, the strongest first; their values add up to it.
	Why []Signal `json:"why,omitempty"`
}

// Function is a function, method or class with its score.
type Function struct {
	Path    string   `json:"path"`
	Name    string   `json:"name"` // qualified: Signer.sign
	Line    int      `json:"line"`
	EndLine int      `json:"end_line"`
	Score   float64  `json:"score"`
	Why     []Signal `json:"why,omitempty"`
}

// Signal is what one kind of evidence adds to a score.
type Signal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Locate ranks at most n files and n functions for a text. Tests are evidence; they are not ranked.
func (x *Index) Locate(ctx context.Context, text string, n int) (Ranking, error) {
	if err := ctx.Err(); err != nil {
		return Ranking{}, err
	}
	q := ask(text)
	e := x.gather(&q)
	r := Ranking{Files: []File{}, Functions: []Function{}}
	scores := make([]float64, len(x.files))
	for i, f := range x.files {
		scores[i] = dot(x.weights.Files[:], e.files[i][:])
		if !f.test {
			r.Files = append(r.Files, File{f.path, scores[i], why(fileNames[:], x.weights.Files[:], e.files[i][:])})
		}
	}
	settle(scores, &e, x.places)
	for i, p := range x.places {
		if !p.file.test {
			s := dot(x.weights.Places[:], e.places[i][:])
			r.Functions = append(r.Functions, Function{p.File, p.Qualified, p.Line, p.EndLine, s, nil})
		}
	}
	slices.SortStableFunc(r.Files, func(a, b File) int { return cmp.Compare(b.Score, a.Score) })
	slices.SortStableFunc(r.Functions, func(a, b Function) int { return cmp.Compare(b.Score, a.Score) })
	r.Files, r.Functions = r.Files[:min(n, len(r.Files))], r.Functions[:min(n, len(r.Functions))]
	return r, nil
}

// settle gives places the score of their file: how far it is below the best, between 1 and 0.
func settle(scores []float64, e *evidence, places []*place) {
	best := slices.Max(append(scores, math.Inf(-1)))
	for i, p := range places {
		e.places[i][pFile] = math.Exp(scores[p.file.id] - best)
	}
}

func dot(w, v []float64) float64 {
	sum := 0.0
	for i := range w {
		sum += w[i] * v[i]
	}
	return sum
}

// why lists what moved a score.
func why(names []string, w, v []float64) []Signal {
	var list []Signal
	for i, name := range names {
		if s := w[i] * v[i]; s != 0 {
			list = append(list, Signal{name, s})
		}
	}
	slices.SortStableFunc(list, func(a, b Signal) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return list
}

// Search ranks at most n places by the words they share with a text, and by nothing else.
func (x *Index) Search(text string, n int) []Function {
	q := ask(text)
	c := x.count(&q)
	list := []Function{}
	for i, p := range x.places {
		if s := ofPlaces.score(c.places[i], p.length, c.meanPlace, c.inPlaces, len(x.places), q.said); s > 0 {
			list = append(list, Function{Path: p.File, Name: p.Qualified, Line: p.Line, EndLine: p.EndLine, Score: s})
		}
	}
	slices.SortStableFunc(list, func(a, b Function) int { return cmp.Compare(b.Score, a.Score) })
	return list[:min(max(n, 0), len(list))]
}
