package dpo

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// learner moves an adapter. It is not safe for concurrent use.
type learner struct {
	objective objective
	maxNorm   float64
	optimizer *optim.Optimizer
	policy    *train.Sum
}

func newLearner(m *transformer.Model, a *transformer.Adapter, o Options, cores int) *learner {
	return &learner{objective: objective{beta: o.Beta, norm: o.Norm, sft: o.SFT}, maxNorm: o.MaxNorm,
		optimizer: optim.New(a.Params(), optim.AdamW{}), policy: train.NewSum(m, a, cores)}
}

// tally adds up what a policy makes of pairs.
type tally struct {
	pairs                                      int
	loss, preference, chosen, rejected, margin float64
	drift                                      float64 // in nats
	own                                        int     // tokens of the chosen sides
	right                                      int     // pairs whose margin is positive
	tokens                                     int     // that went through the model
}

// compare says what the policy makes of a pair.
func (l *learner) compare(p *transformer.Pass, pair lesson) (value, tally) {
	chosen := sums{reference: pair.chosen.reference, own: pair.chosen.own}
	rejected := sums{reference: pair.rejected.reference, own: pair.rejected.own}
	chosen.policy, rejected.policy = pair.logp(p)
	v := l.objective.ofPair(chosen, rejected)
	t := tally{pairs: 1, loss: v.loss, preference: v.preference, margin: v.margin, chosen: chosen.policy, rejected: rejected.policy,
		drift: chosen.policy - chosen.reference, own: chosen.own, tokens: pair.chosen.tokens + pair.rejected.tokens}
	if v.margin > 0 {
		t.right = 1
	}
	return v, t
}

func (t *tally) join(o tally) {
	t.pairs += o.pairs
	t.loss += o.loss
	t.preference += o.preference
	t.margin += o.margin
	t.chosen += o.chosen
	t.rejected += o.rejected
	t.drift += o.drift
	t.own += o.own
	t.right += o.right
	t.tokens += o.tokens
}

// pairwise is a tally as means.
func (t tally) pairwise() runfile.TrainingPairwise {
	n := float64(t.pairs)
	return runfile.TrainingPairwise{Pairs: t.pairs, PreferenceLoss: train.Share(t.preference, n), ChosenLogP: train.Share(t.chosen, n),
		RejectedLogP: train.Share(t.rejected, n),
		ChosenDrift:  train.Share(t.drift, float64(t.own)), Margin: train.Share(t.margin, n), Accuracy: train.Share(float64(t.right), n)}
}

// update learns from a batch: one step of the optimizer at the learning rate. It returns the policy's metrics on the
// batch before the update, and the length of the gradient before it was bounded. A gradient that is not a number
// changes nothing.
func (l *learner) update(ctx context.Context, batch []lesson, lr float64) (total tally, norm float64, err error) {
	parts := make([]tally, len(batch))
	grads, err := l.policy.Each(ctx, len(batch), false, func(i int, p *transformer.Pass, g *transformer.Grads) error {
		parts[i] = l.learn(p, g, batch[i], float64(len(batch)))
		return nil
	})
	if err != nil {
		return total, 0, err
	}
	for _, p := range parts {
		total.join(p)
	}
	if norm = optim.Clip(grads, l.maxNorm); train.Finite(norm) {
		l.optimizer.Step(grads, lr)
	}
	return total, norm, nil
}

// learn adds the gradient of one pair's share of the batch.
func (l *learner) learn(p *transformer.Pass, g *transformer.Grads, pair lesson, batch float64) tally {
	v, t := l.compare(p, pair)
	t.tokens *= 2 // forward and backward
	var dlogp [][]float32
	for _, side := range []struct {
		sequences []transformer.Sequence
		d         float64
	}{{pair.chosen.sequences, v.dChosen}, {pair.rejected.sequences, v.dRejected}} {
		for _, q := range side.sequences {
			d := make([]float32, len(q.Want))
			for i := range d { // what is not wanted counts nothing
				d[i] = float32(side.d / batch)
			}
			dlogp = append(dlogp, d)
		}
	}
	p.Backward(dlogp, nil, g)
	return t
}

// measure says what the policy makes of pairs that it does not learn from.
func (l *learner) measure(ctx context.Context, pairs []lesson) (total tally, err error) {
	parts := make([]tally, len(pairs))
	_, err = l.policy.Each(ctx, len(pairs), true, func(i int, p *transformer.Pass, _ *transformer.Grads) error {
		_, parts[i] = l.compare(p, pairs[i])
		return nil
	})
	for _, p := range parts {
		total.join(p)
	}
	return total, err
}
