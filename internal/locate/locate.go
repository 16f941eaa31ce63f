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
	// Notes say what the ranking goes without.
	Notes []string `json:"notes,omitempty"`
}

// File is a file with its score.
type File struct {
	Path  string  `json:"path"`
	Score float64 `json:"score"`
	// Why are the signals that moved the score, the strongest first; their values add up to it.
	Why []Signal `json:"why,omitempty"`
}

// Function is a function, method or class with its score, or a file outside of these.
type Function struct {
	Path    string   `json:"path"`
	Name    string   `json:"name"` // qualified: Signer.sign; "" for the file outside of its functions and classes
	Line    int      `json:"line"`
	EndLine int      `json:"end_line"`
	Score   float64  `json:"score"`
	Why     []Signal `json:"why,omitempty"`
}

// Label is the function's name for people.
func (f Function) Label() string { return cmp.Or(f.Name, "the file itself") }

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
	scores := make([]float64, len(x.files))
	for i := range x.files {
		scores[i] = dot(x.weights.Files[:], e.files[i][:])
	}
	r := Ranking{Files: []File{}, Functions: []Function{}, Notes: x.notes}
	for _, i := range ranked(scores, n, func(i int) bool { return x.files[i].test }) {
		r.Files = append(r.Files, File{x.files[i].path, scores[i], why(fileNames[:], x.weights.Files[:], e.files[i][:])})
	}
	settle(scores, &e, x.places)
	scores = make([]float64, len(x.places))
	for i := range x.places {
		scores[i] = dot(x.weights.Places[:], e.places[i][:])
	}
	for _, i := range ranked(scores, n, func(i int) bool { return x.places[i].file.test }) {
		r.Functions = append(r.Functions, x.places[i].function(scores[i], why(placeNames[:], x.weights.Places[:], e.places[i][:])))
	}
	return r, nil
}

// ranked are the indexes of the n largest scores that are not left out, the largest first.
func ranked(scores []float64, n int, out func(i int) bool) []int {
	var order []int
	for i := range scores {
		if !out(i) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order[:min(max(n, 0), len(order))]
}

func (p *place) function(score float64, why []Signal) Function {
	return Function{Path: p.File, Name: p.Qualified, Line: p.Line, EndLine: p.EndLine, Score: score, Why: why}
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
	scores := make([]float64, len(x.places))
	for i, p := range x.places {
		scores[i] = ofPlaces.score(c.places[i], p.length, c.meanPlace, c.inPlaces, len(x.places), q.said)
	}
	list := []Function{}
	for _, i := range ranked(scores, n, func(i int) bool { return scores[i] == 0 }) {
		list = append(list, x.places[i].function(scores[i], nil))
	}
	return list
}
