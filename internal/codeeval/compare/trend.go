package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// trendPoints is the fewest sizes of a trend: two are a difference, which the comparison has already.
const trendPoints = 3

// addTrends fits a line through each base and what is compared with it, where they have sizes.
func addTrends(r *runfile.CompareReport, conditions []Condition, bases []int, o Options) error {
	for base := range conditions {
		group := []Condition{}
		for i, c := range conditions {
			if (i == base || bases[i] == base) && c.Size != nil {
				group = append(group, c)
			}
		}
		if bases[base] >= 0 || different(group) < trendPoints {
			continue
		}
		t, err := trendOf(conditions[base].Name, group, o)
		if err != nil {
			return err
		}
		if r.Trend == nil {
			r.Trend = &t
		} else {
			r.FurtherTrends = append(r.FurtherTrends, t)
		}
	}
	return nil
}

// different counts the sizes of a group.
func different(group []Condition) int {
	sizes := map[float64]bool{}
	for _, c := range group {
		sizes[*c.Size] = true
	}
	return len(sizes)
}

func trendOf(base string, group []Condition, o Options) (runfile.CompareTrend, error) {
	slices.SortStableFunc(group, func(a, b Condition) int { return cmp.Compare(*a.Size, *b.Size) })
	t := runfile.CompareTrend{Base: base, Unit: o.Unit, Per: o.Per}
	for _, c := range group {
		t.Conditions, t.Sizes = append(t.Conditions, c.Name), append(t.Sizes, *c.Size)
	}
	scores := common(group)
	t.Tasks = len(scores[0])
	if t.Tasks == 0 {
		return t, hint.New("the files of the trend have no task in common",
			"leave the sizes out, or give - for the files that do not belong to it")
	}
	line, err := stats.Trend(t.Sizes, scores, stats.TrendOptions{Per: o.Per, Resamples: o.Resamples, Seed: o.Seed})
	if err != nil {
		return t, err
	}
	t.SlopePP, t.At0, t.CI95, t.P = 100*line.Slope, line.At0, line.CI.Ends(100), line.P
	t.Words = trendWords(t, len(group) > different(group))
	return t, nil
}

// common are the shares of passes of the tasks that all conditions have, condition by condition.
func common(group []Condition) [][]float64 {
	have := map[string]int{}
	shares := make([]map[string]float64, len(group))
	for i, c := range group {
		shares[i] = map[string]float64{}
		for _, t := range c.File.Tasks {
			if v := verdicts(t); len(v) > 0 {
				key := resultfile.Key(t.ID)
				shares[i][key] = stats.Mean(v)
				have[key]++
			}
		}
	}
	var keys []string
	for key, n := range have {
		if n == len(group) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, resultfile.CompareIDs)
	scores := make([][]float64, len(group))
	for i := range group {
		scores[i] = make([]float64, len(keys))
		for k, key := range keys {
			scores[i][k] = shares[i][key]
		}
	}
	return scores
}

// trendWords says what the slope is worth. repeated: a size was trained several times.
func trendWords(t runfile.CompareTrend, repeated bool) string {
	if t.CI95 == nil {
		return "these tasks are too few for an interval of the trend"
	}
	lo, hi := t.CI95[0], t.CI95[1]
	span := fmt.Sprintf("95%% interval %s to %s, permutation p %s", points(lo), points(hi), pText(t.P))
	limits := "It speaks of other tasks for these same models"
	if repeated {
		limits += "; runs of one size count as points of their own."
	} else {
		limits += ": every size was trained once, and how much another run would differ is not in the data."
	}
	per := fmt.Sprintf("%s %s", number(t.Per), t.Unit)
	if lo <= 0 && hi >= 0 {
		return fmt.Sprintf("no trend is shown: %s pp for each %s (%s). The interval holds 0: these tasks cannot tell whether more helps, "+
			"hurts or does nothing. %s",
			points(t.SlopePP), per, span, limits)
	}
	verb := "rises"
	if t.SlopePP < 0 {
		verb = "falls"
	}
	return fmt.Sprintf("pass@1 %s by %.2f pp for each %s (%s). %s", verb, math.Abs(t.SlopePP), per, span, limits)
}
