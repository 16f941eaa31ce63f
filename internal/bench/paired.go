package bench

import (
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// alpha is the chance of any false alarm among all comparisons.
const alpha = 0.05

// compare tests every configuration against the target, or, where none is named, all pairs: fewer questions need fewer
// codebases to be answered. The unit is the codebase; without a truth there is nothing to test.
func compare(rows []Row, codebases int, target string) []runfile.BenchTest {
	recalls := make([][][]float64, len(rows))
	for i := range rows {
		recalls[i] = make([][]float64, codebases)
		for _, run := range rows[i].done() {
			if run.Truth != nil && run.Truth.Total > 0 {
				recalls[i][run.job.codebase] = append(recalls[i][run.job.codebase], float64(run.Truth.Found)/float64(run.Truth.Total))
			}
		}
	}
	var tests []runfile.BenchTest
	var ps []float64
	for i := range rows {
		for j := range rows {
			if i == j || target == "" && j < i || target != "" && rows[i].Config != target {
				continue
			}
			c, err := stats.Compare(recalls[i], recalls[j], stats.CompareOptions{Alpha: alpha, Min: 0, Max: 1})
			if err != nil || c.Tasks == 0 {
				continue
			}
			tests = append(tests, runfile.BenchTest{A: rows[i].Config, B: rows[j].Config, Comparison: c})
			ps = append(ps, c.P)
		}
	}
	for i, p := range stats.Holm(ps) {
		tests[i].PHolm = p
		tests[i].Words = verdict(tests[i], len(tests))
	}
	return tests
}

// verdict words a test, and says when so few codebases could not have shown anything.
func verdict(t runfile.BenchTest, tests int) string {
	best := math.Pow(2, 1-float64(t.Tasks)) // the sign-flip test's smallest p-value
	switch {
	case t.Tasks < 2:
		return "one codebase: no test"
	case t.P < alpha && t.PHolm < alpha:
		return "B is " + t.Verdict
	case t.P < alpha && best*float64(tests) >= alpha:
		return fmt.Sprintf("too few codebases for %d comparisons: with %d the smallest possible p, corrected, is %.3g", tests, t.Tasks,
			best*float64(tests))
	case t.P < alpha:
		return fmt.Sprintf("not told apart: p %.3g is %.3g after correction for %d comparisons", t.P, t.PHolm, tests)
	case t.Verdict == stats.VerdictSame:
		return "no difference that matters"
	case best >= alpha:
		return fmt.Sprintf("too few codebases to tell: with %d the smallest possible p is %.3g", t.Tasks, best)
	case t.TasksNeeded > 0 && t.Diff != 0:
		return fmt.Sprintf("too few codebases to tell: a difference of %.3f needs about %d", math.Abs(t.Diff), t.TasksNeeded)
	}
	return "too few codebases to tell"
}
