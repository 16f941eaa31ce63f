package savedrow

import (
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// Spread describes the values of rollouts, by example.
func Spread(groups [][]float64, o stats.MeanOptions) runfile.EvalSpread {
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
	}
	if len(all) == 0 {
		return runfile.EvalSpread{CIWhy: "no values"}
	}
	s := stats.Summarize(all)
	out := runfile.EvalSpread{N: s.N, Mean: &s.Mean, Std: &s.Std, Min: &s.Min, Max: &s.Max}
	if v := stats.MeanCI(groups, o); v.OK() {
		out.CI95, out.CIHow = v.Ends(1), v.Method
	} else {
		out.CIWhy = v.Why
	}
	return out
}

// Share is so many of so many, more than none, with Wilson's 95 % interval.
func Share(count, of int) *runfile.EvalShare {
	return &runfile.EvalShare{Count: count, Of: of, Rate: float64(count) / float64(of), CI95: stats.Wilson(count, of, 0.95).Ends(1)}
}

// Example is a task of an eval: the rewards and turns of its rollouts that count, of so many in all.
func Example(number int, task string, rewards, turns []float64, rollouts int) runfile.EvalTask {
	t := runfile.EvalTask{Example: number, Task: task, N: len(rewards), Errors: rollouts - len(rewards)}
	if len(rewards) > 0 {
		s := stats.Summarize(rewards)
		t.Mean, t.Std, t.Min, t.Max = &s.Mean, &s.Std, &s.Min, &s.Max
	}
	if len(turns) > 0 {
		mean := stats.Mean(turns)
		t.Turns = &mean
	}
	return t
}
