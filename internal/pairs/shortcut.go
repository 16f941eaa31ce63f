package pairs

import (
	"cmp"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

const (
	folds = 5
	// rounds of Newton's method; it converges in about ten.
	rounds = 25
)

// ridges are the penalties, a pair, of which the one is taken that does best on held-out tasks within the tasks fitted.
func ridges() []float64 { return []float64{0.003, 0.03, 0.3, 3} }

// shortcut fits a logistic regression on the differences of features (chosen minus rejected, without an intercept, as
// Bradley and Terry do), and measures it on whole tasks that were held out.
func shortcut(groups [][]difference) *runfile.PairShortcut {
	s := &runfile.PairShortcut{Features: alone(groups)}
	if len(groups) < 2 {
		s.CI = stats.MeanCI(nil, stats.Unit(0.95))
		return s
	}
	credit := heldOut(groups, func(fit [][]difference) []float64 { return logistic(slices.Concat(fit...), bestRidge(fit)) })
	mean := stats.Mean(slices.Concat(credit...))
	s.Accuracy, s.CI = &mean, stats.MeanCI(credit, stats.Unit(0.95))
	return s
}

// heldOut says for each pair whether weights that were fitted on other tasks tell it right.
func heldOut(groups [][]difference, fit func([][]difference) []float64) [][]float64 {
	k := min(folds, len(groups))
	credit := make([][]float64, len(groups))
	for fold := range k {
		var others [][]difference
		for g, group := range groups {
			if g%k != fold {
				others = append(others, group)
			}
		}
		weights := fit(others)
		for g := fold; g < len(groups); g += k {
			for _, x := range groups[g] {
				credit[g] = append(credit[g], sign(dot(weights, x)))
			}
		}
	}
	return credit
}

func bestRidge(groups [][]difference) float64 {
	best, most := ridges()[len(ridges())-1], -1.0
	if len(groups) < 2 {
		return best
	}
	for _, ridge := range ridges() {
		credit := heldOut(groups, func(fit [][]difference) []float64 { return logistic(slices.Concat(fit...), ridge) })
		if mean := stats.Mean(slices.Concat(credit...)); mean > most {
			best, most = ridge, mean
		}
	}
	return best
}

// difference is how much more of each feature the chosen side has than the rejected one.
type difference []float64

func subtract(chosen, rejected []float64) difference {
	d := make(difference, len(chosen))
	for i := range chosen {
		d[i] = chosen[i] - rejected[i]
	}
	return d
}

// sign is 1 for a pair that is guessed right, 0 for wrong and a half for no guess.
func sign(v float64) float64 {
	switch {
	case v > 1e-9:
		return 1
	case v < -1e-9:
		return 0
	}
	return 0.5
}

func alone(groups [][]difference) []runfile.PairFeature {
	var out []runfile.PairFeature
	for i, f := range features() {
		sum, n := 0.0, 0
		for _, group := range groups {
			for _, x := range group {
				sum += sign(x[i])
				n++
			}
		}
		a := runfile.PairFeature{Name: f.name, Accuracy: 0.5, Chosen: "more"}
		if n > 0 {
			a.Accuracy = sum / float64(n)
		}
		if a.Accuracy < 0.5 {
			a.Accuracy, a.Chosen = 1-a.Accuracy, "less"
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b runfile.PairFeature) int { return cmp.Compare(b.Accuracy, a.Accuracy) })
	return out
}

// logistic maximises the ridge-penalised likelihood that chosen beats rejected, by Newton's method.
func logistic(xs []difference, ridge float64) []float64 {
	if len(xs) == 0 {
		return nil
	}
	n := len(xs[0])
	scale := make([]float64, n) // so that the penalty is the same for each feature
	for _, x := range xs {
		for i, v := range x {
			scale[i] += v * v / float64(len(xs))
		}
	}
	w := make([]float64, n)
	for range rounds {
		gradient := make([]float64, n)
		hessian := make([][]float64, n)
		for i := range hessian {
			hessian[i] = make([]float64, n)
			penalty := float64(len(xs)) * (ridge*scale[i] + 1e-9)
			gradient[i], hessian[i][i] = -penalty*w[i], penalty
		}
		for _, x := range xs {
			p := 1 / (1 + math.Exp(-dot(w, x)))
			for i := range n {
				if x[i] == 0 {
					continue
				}
				gradient[i] += (1 - p) * x[i]
				for j := range n {
					hessian[i][j] += p * (1 - p) * x[i] * x[j]
				}
			}
		}
		step := solve(hessian, gradient)
		largest := 0.0
		for i := range w {
			w[i] += step[i]
			largest = max(largest, math.Abs(step[i]))
		}
		if largest < 1e-8 {
			break
		}
	}
	return w
}

// solve solves a symmetric positive definite system by Gaussian elimination; the ridge makes it definite.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	x := slices.Clone(b)
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			if f == 0 {
				continue
			}
			for k := i; k < n; k++ {
				a[j][k] -= f * a[i][k]
			}
			x[j] -= f * x[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}

func dot(w []float64, x difference) float64 {
	sum := 0.0
	for i := range w {
		sum += w[i] * x[i]
	}
	return sum
}
