package locate

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// Example is one text with the evidence for each candidate and which of them are right.
type Example struct {
	ID            string   `json:"id"`
	Repo          string   `json:"repo"`
	GoldFiles     []string `json:"gold_files"`
	GoldFunctions []string `json:"gold_functions"`
	Files         []Choice `json:"files"`
	Places        []Choice `json:"places"`
}

// Choice is a candidate of an example.
type Choice struct {
	Name  string    `json:"name"` // path, or path::function
	File  int       `json:"file"` // of a place: the index in Files
	X     []float64 `json:"x"`
	Right bool      `json:"right"`
}

// Example gathers the evidence for a text. Places are the most likely by the shipped weights, at most 400, and the right ones.
func (x *Index) Example(text string, files, places []string) Example {
	q := ask(text)
	e := x.gather(&q)
	ex := Example{GoldFiles: files, GoldFunctions: places}
	scores := make([]float64, len(x.files))
	index := make([]int, len(x.files))
	for i, f := range x.files {
		scores[i] = dot(x.weights.Files[:], e.files[i][:])
		if f.test {
			index[i] = -1
			continue
		}
		index[i] = len(ex.Files)
		ex.Files = append(ex.Files, Choice{Name: f.path, X: e.files[i][:], Right: slices.Contains(files, f.path)})
	}
	settle(scores, &e, x.places)
	order := make([]float64, len(x.places))
	for i, p := range x.places {
		if !p.file.test {
			order[i] = math.Exp(dot(x.weights.Places[:], e.places[i][:]))
		}
	}
	likely := top(order, 400)
	for i, p := range x.places {
		name := p.File
		if !p.whole() {
			name += "::" + p.Qualified
		}
		right := slices.Contains(places, name)
		if !p.file.test && (right || likely[i] > 0) {
			ex.Places = append(ex.Places, Choice{name, index[p.file.id], e.places[i][:], right})
		}
	}
	return ex
}

// Parameters of Fit.
const (
	ridge  = 0.05 // of the squared weights, by example
	rounds = 600
	rate   = 0.05
	rivals = 200 // wrong choices of an example that count: those with the most evidence
)

// fit finds weights under which the right choices are likely: conditional logistic regression (McFadden, "Conditional logit
// analysis of qualitative choice behavior", 1974) with a ridge, by Adam. Of several right choices of an example each counts its
// share. The signal of number without stays 0.
func fit(examples [][]Choice, n int, without int) []float64 {
	var kept [][]Choice
	for _, choices := range examples {
		if slices.ContainsFunc(choices, func(c Choice) bool { return c.Right }) {
			kept = append(kept, strongest(choices))
		}
	}
	w, m, v, g := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for round := 1.0; round <= rounds; round++ {
		clear(g)
		for _, choices := range kept {
			slope(choices, w, g)
		}
		for k := range w {
			d := g[k]/max(float64(len(kept)), 1) + 2*ridge*w[k]
			m[k] = 0.9*m[k] + 0.1*d
			v[k] = 0.999*v[k] + 0.001*d*d
			w[k] -= rate * m[k] / (1 - math.Pow(0.9, round)) / (math.Sqrt(v[k]/(1-math.Pow(0.999, round))) + 1e-8)
			if k == without {
				w[k] = 0
			}
		}
	}
	return w
}

// slope adds the gradient of one example's loss at w to g.
func slope(choices []Choice, w, g []float64) {
	s, right, most, total := make([]float64, len(choices)), 0.0, math.Inf(-1), 0.0
	for i, c := range choices {
		s[i] = dot(w, c.X)
		most = max(most, s[i])
		right += yes(c.Right)
	}
	for i := range s {
		s[i] = math.Exp(s[i] - most)
		total += s[i]
	}
	for i, c := range choices {
		d := s[i]/total - yes(c.Right)/right
		for k := range g {
			g[k] += d * c.X[k]
		}
	}
}

// strongest are the right choices and the rivals.
func strongest(choices []Choice) []Choice {
	sum := func(c Choice) float64 {
		if c.Right {
			return math.Inf(1)
		}
		total := 0.0
		for _, x := range c.X {
			total += x
		}
		return total
	}
	choices = slices.Clone(choices)
	slices.SortStableFunc(choices, func(a, b Choice) int { return cmp.Compare(sum(b), sum(a)) })
	return choices[:min(len(choices), rivals)]
}

// functionPrefix stands before the names of functions' signals.
const functionPrefix = "function: "

// SignalNames are the names of all signals: of files, and of functions behind "function: ".
func SignalNames() []string {
	names := slices.Clone(fileNames[:])
	for _, n := range placeNames {
		names = append(names, functionPrefix+n)
	}
	return names
}

// Fit finds the weights of all examples and, for each repository, of all others', without a signal where one is named. The
// result is weights.json.
func Fit(examples []Example, signal string) []byte {
	without := slices.Index(fileNames[:], signal)
	withoutPlaces := slices.Index(placeNames[:], strings.TrimPrefix(signal, functionPrefix))
	if without >= 0 {
		withoutPlaces = -1
	}
	all := map[string]weights{}
	repos := []string{""}
	for _, e := range examples {
		if !slices.Contains(repos, e.Repo) {
			repos = append(repos, e.Repo)
		}
	}
	for _, out := range repos {
		var w weights
		var files, places [][]Choice
		for _, e := range examples {
			if e.Repo != out {
				files = append(files, e.Files)
			}
		}
		copy(w.Files[:], fit(files, fileSignals, without))
		for _, e := range examples {
			if e.Repo != out {
				places = append(places, e.settled(w))
			}
		}
		copy(w.Places[:], fit(places, placeSignals, withoutPlaces))
		all[out] = w
	}
	text, _ := json.MarshalIndent(all, "", " ")
	return append(text, '\n')
}

// settled are the places of an example with the score of their file under w.
func (e Example) settled(w weights) []Choice {
	best := math.Inf(-1)
	s := make([]float64, len(e.Files))
	for i, c := range e.Files {
		s[i] = dot(w.Files[:], c.X)
		best = max(best, s[i])
	}
	out := make([]Choice, len(e.Places))
	for i, p := range e.Places {
		p.X = slices.Clone(p.X)
		p.X[pFile] = math.Exp(s[p.File] - best)
		out[i] = p
	}
	return out
}

// Ranked orders an example's files and places under the weights of Fit that its repository had no part in.
func (e Example) Ranked(fitted []byte) (files, places []string) {
	var all map[string]weights
	if json.Unmarshal(fitted, &all) != nil {
		return nil, nil
	}
	w, ok := all[e.Repo]
	if !ok {
		w = all[""]
	}
	return order(e.Files, func(x []float64) float64 { return dot(w.Files[:], x) }),
		order(e.settled(w), func(x []float64) float64 { return dot(w.Places[:], x) })
}

// RankedBy orders those of an example's files, or places, that one signal, by a name of SignalNames, speaks of. gold are the right ones.
func (e Example) RankedBy(signal string) (ranked, gold []string) {
	choices, gold, i := e.Files, e.GoldFiles, slices.Index(fileNames[:], signal)
	if i < 0 {
		choices, gold, i = e.Places, e.GoldFunctions, slices.Index(placeNames[:], strings.TrimPrefix(signal, functionPrefix))
	}
	choices = slices.DeleteFunc(slices.Clone(choices), func(c Choice) bool { return c.X[i] <= 0 })
	return order(choices, func(x []float64) float64 { return x[i] }), gold
}

// order gives the names of choices, those with the largest scores first.
func order(choices []Choice, score func(x []float64) float64) (names []string) {
	choices = slices.Clone(choices)
	slices.SortStableFunc(choices, func(a, b Choice) int { return cmp.Compare(score(b.X), score(a.X)) })
	for _, c := range choices {
		names = append(names, c.Name)
	}
	return names
}
