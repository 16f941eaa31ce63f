package stats

// PairedBootstrap is an interval for the change in pass rate from before to after over the same tasks, by resampling
// tasks: before[i] and after[i] are the scores between 0 and 1 of task i's samples, whose means are paired, and both sides
// of a task are drawn together (Efron and Tibshirani 1993, "An introduction to the bootstrap", 8.3; for language models
// Koehn 2004, "Statistical significance tests for machine translation evaluation"). A task without a sample on either
// side is left out. o.Method may choose MethodBCa; it defaults to the percentile interval. Where no task differs, the
// interval is that of MeanCI for values that are all equal, not one of zero width.
//
// The error is ErrUnpaired or ErrNotFinite.
func PairedBootstrap(before, after [][]float64, o MeanOptions) (Interval, error) {
	was, is, err := pairedMeans(before, after)
	if err != nil {
		return Interval{}, err
	}
	diffs, err := Differences(was, is)
	if err != nil {
		return Interval{}, err
	}
	if o.Method != MethodBCa {
		o.Method = MethodBootstrap
	}
	o.Min, o.Max = -1, 1
	return MeanCI(Singles(diffs), o), nil
}

// DetectablePassRate is the smallest change in pass rate over n tasks that a paired comparison finds significant 80 times
// in 100 (two-sided 5 %), when a share discordance of the tasks passes on one side only. It is MDEPassRate where that has
// an answer. Where even a change of all discordant tasks in one direction would be missed, more tasks must change for any
// to be found: it is then the smallest change in one direction only, which is its own discordance. False when n is so
// small that no change is found, or discordance is not a share.
func DetectablePassRate(n int, discordance float64) (float64, bool) {
	if !(discordance >= 0 && discordance <= 1) {
		return 0, false
	}
	if d, ok := MDEPassRate(n, discordance); ok {
		return d, true
	}
	found := func(d float64) bool { return connor(d, d) <= float64(n) }
	if n < 1 || !found(1) {
		return 0, false
	}
	return max(bisect(discordance, 1, found), discordance), true
}
