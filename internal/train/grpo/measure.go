package grpo

import (
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Metrics of the environments that a step reports, under their names in env.Rollout.
const (
	metricDispatches     = "dispatches"
	metricZeroDelegation = "zero_delegation"
	metricCoverage       = "coverage"
	metricBatching       = "batching"
)

// measure fills in what a step says of its rollouts, over all groups that were played.
func measure(s *runfile.TrainingStep, groups []group) {
	var rewards []float64
	var cells, syntax, failed, entropy float64
	var cut, written, deads int
	for _, g := range groups {
		s.Dropped += len(g.failures)
		if dead(g.rewards()) {
			deads++
		}
		for _, p := range g.played {
			rewards = append(rewards, p.Reward)
			s.Turns += float64(p.Turns)
			s.Dispatches += p.Metrics[metricDispatches]
			s.ZeroDelegation += p.Metrics[metricZeroDelegation]
			s.Coverage += p.Metrics[metricCoverage]
			s.Batching += p.Metrics[metricBatching]
			if p.Over {
				s.OverExplored++
			}
			cells += p.Metrics[train.MetricCells]
			syntax += p.Metrics[train.MetricSyntaxErrors]
			failed += p.Metrics[train.MetricCellErrors]
			cut += p.Cut
			entropy += p.Entropy
			written += p.Written
			for _, q := range p.Segments {
				s.Tokens += len(q.Tokens)
			}
		}
	}
	s.Rollouts = len(rewards)
	s.Reward, s.RewardStd = spread(rewards)
	for _, v := range []*float64{&s.Turns, &s.Dispatches, &s.ZeroDelegation, &s.Coverage, &s.Batching, &s.OverExplored} {
		*v = train.Share(*v, float64(len(rewards)))
	}
	s.SyntaxErrors, s.CellErrors, s.Cut = train.Share(syntax, cells), train.Share(failed, cells), train.Share(float64(cut), cells)
	s.Entropy = train.Share(entropy, float64(written))
	s.DeadGroups = train.Share(float64(deads), float64(len(groups)))
}
