// Package stats says how sure a number is: summaries, intervals for means and proportions, paired tests, pass@k, and
// Python's way of rounding and printing floats.
//
// Start with [MeanCI] for a score over tasks, [Wilson] for a pass rate, [Compare] for two configurations on the same
// tasks, [McNemar] and [PairedBootstrap] for two pass/fail columns, and [Trend] for pass rates over a size. [PyRound] and
// [FormatPy] are there because verifiers' result block is reproduced character for character.
//
// The unit that is drawn at random is the task, not the rollout: several rollouts of one task are a cluster and say
// less than as many tasks would (Miller 2024, "Adding error bars to evals", arXiv:2411.00640). Every interval that
// takes groups honours that.
//
// The invariant: an [Interval] that is OK was earned by the data. A result that is undefined (one task, no variation in
// an unbounded variable, a NaN among the values) is not OK and says why; it is never an interval of zero width.
// Functions are pure: the same input and seed give the same bits.
//
// The package reads and writes nothing, holds no distribution beyond what its tests need, and does not choose which
// test an experiment calls for.
package stats
