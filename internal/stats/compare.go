package stats

import "fmt"

// Verdicts of Compare.
const (
	// VerdictBetter and VerdictWorse: the difference is significant.
	VerdictBetter = "better"
	VerdictWorse  = "worse"
	// VerdictSame: not significant, and the interval holds no difference that matters.
	VerdictSame = "no difference that matters"
	// VerdictTooSmall: not significant, but a difference that matters may be there.
	VerdictTooSmall = "too few tasks to tell"
)

// CompareOptions configures Compare.
type CompareOptions struct {
	// Alpha is the chance of a false alarm that is accepted. Defaults to 0.05.
	Alpha float64
	// Relevant is the smallest difference that matters, in the score's unit. Defaults to 0.05.
	Relevant float64
	// Min and Max bound the score, as in MeanOptions. Defaults to no bounds.
	Min, Max float64
	// Resamples is the number of draws of the permutation test where it is not exact. Defaults to 10,000.
	Resamples int
	// Seed seeds those draws. Defaults to 0, a seed like any other.
	Seed uint64
}

// Comparison is what two configurations' scores on the same tasks say about their difference.
type Comparison struct {
	// Tasks is how many tasks both sides have scores for; the rest is left out.
	Tasks int `json:"tasks"`
	// Before and After are means of task means, and Diff is After - Before.
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Diff   float64 `json:"diff"`
	// SD is the standard deviation of the tasks' differences (divisor Tasks-1); 0 of fewer than two.
	SD float64 `json:"sd"`
	// CI is the t interval of Diff.
	CI Interval `json:"ci"`
	// P is the p-value of the sign-flip permutation test, which Verdict goes by, and PT that of the paired t test.
	P  float64 `json:"p"`
	PT float64 `json:"p_t"`
	// MDE is the difference that this many tasks detect 80 times in 100 (MDEMean); 0 where nothing varies.
	MDE float64 `json:"mde"`
	// TasksNeeded is the number of tasks over which Diff would be detected 80 times in 100, if it is real and SD stays;
	// 0 when no number is enough or nothing varies.
	TasksNeeded int `json:"tasks_needed"`
	// Verdict is one of the Verdict constants.
	Verdict string `json:"verdict"`
}

// Compare compares the scores of two configurations on the same tasks, where before[i] and after[i] are the rollouts of
// task i. Tasks are compared by their mean score, pair by pair, which takes out what makes a task easy or hard (Miller
// 2024, arXiv:2411.00640, section 4). Tasks without a rollout on either side are left out.
//
// The error is ErrUnpaired or ErrNotFinite.
func Compare(before, after [][]float64, o CompareOptions) (Comparison, error) {
	b, a, err := pairedMeans(before, after)
	if err != nil {
		return Comparison{}, fmt.Errorf("compare %d with %d tasks: %w", len(before), len(after), err)
	}
	alpha := o.Alpha
	if !(alpha > 0 && alpha < 1) {
		alpha = designAlpha
	}
	relevant := o.Relevant
	if !(relevant > 0) {
		relevant = 0.05
	}
	diffs, err := Differences(b, a)
	if err != nil {
		return Comparison{}, fmt.Errorf("compare: %w", err)
	}
	c := Comparison{Tasks: len(diffs), P: SignFlip(diffs, o.Resamples, o.Seed), PT: PairedT(diffs).P}
	if c.Tasks > 0 {
		c.Before, c.After, c.Diff = Mean(b), Mean(a), Mean(diffs)
	}
	c.CI = MeanCI(Singles(diffs), MeanOptions{Level: 1 - alpha, Min: o.Min - o.Max, Max: o.Max - o.Min})
	if c.SD, _ = sampleSD(diffs); c.SD > 0 {
		c.MDE, _ = MDEMean(c.SD, c.Tasks)
		c.TasksNeeded, _ = TasksForMean(c.Diff, c.SD)
	}
	switch {
	case c.P < alpha && c.Diff > 0:
		c.Verdict = VerdictBetter
	case c.P < alpha && c.Diff < 0:
		c.Verdict = VerdictWorse
	case c.CI.OK() && -relevant < c.CI.Lo && c.CI.Hi < relevant:
		c.Verdict = VerdictSame
	default:
		c.Verdict = VerdictTooSmall
	}
	return c, nil
}
