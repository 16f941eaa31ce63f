package grpo

import (
	"context"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
)

// sequence is one segment of a rollout with what the rollout was worth.
type sequence struct {
	transformer.Sequence           // the policy's own tokens are wanted
	old                  []float32 // the log-probability of the token after it when it was sampled
	ref                  []float32 // and the reference's, when refer has been here
	advantage            float64
	own                  int
}

// newSequence makes a segment something to learn from. What follows the policy's last token is left out: nothing hangs
// on it.
func newSequence(s train.Segment, advantage float64) sequence {
	n := len(s.Tokens)
	for n > 0 && !s.Own[n-1] {
		n--
	}
	q := sequence{Sequence: transformer.Sequence{Tokens: s.Tokens[:n]}, advantage: advantage}
	if n < 2 {
		return q
	}
	q.Want, q.old = make([]bool, n-1), make([]float32, n-1)
	for i := range q.Want {
		if s.Own[i+1] {
			q.Want[i], q.old[i] = true, s.LogP[i+1]
			q.own++
		}
	}
	return q
}

// typicalTokens is what Dr. GRPO's loss is divided by for every rollout: about what a rollout writes, so that learning
// rates and coefficients mean the same under every kind of advantage.
const typicalTokens = 128

// divisor is what the loss of a minibatch is divided by.
func divisor(kind string, sequences []sequence, rollouts int) float64 {
	if kind == AdvantageDrGRPO {
		return float64(max(1, rollouts) * typicalTokens)
	}
	own := 0
	for _, q := range sequences {
		own += q.own
	}
	return float64(max(1, own))
}

// sums are what an update adds up over the tokens that the policy wrote.
type sums struct {
	loss, kl float64
	clipped  int
	own      int // tokens of the policy
	tokens   int // all that passed through the model
}

func (s *sums) add(o sums) {
	s.loss += o.loss
	s.kl += o.kl
	s.clipped += o.clipped
	s.own += o.own
	s.tokens += o.tokens
}

// learner moves an adapter. It is not safe for concurrent use.
type learner struct {
	objective    objective
	temperature  float32
	maxNorm      float64
	optimizer    *optim.Optimizer
	policy, base *train.Sum
}

func newLearner(m *transformer.Model, a *transformer.Adapter, o Options, cores int) *learner {
	return &learner{objective: objective{low: o.ClipLow, high: o.ClipHigh, kl: o.KL, entropy: o.Entropy},
		temperature: float32(o.Temperature), maxNorm: o.MaxNorm, optimizer: optim.New(a.Params(), optim.AdamW{}),
		policy: train.NewSum(m, a, cores), base: train.NewReading(m, cores)}
}

// plain are the sequences alone.
func plain(sequences []sequence) []transformer.Sequence {
	out := make([]transformer.Sequence, len(sequences))
	for i, q := range sequences {
		out[i] = q.Sequence
	}
	return out
}

// refer gives every sequence the reference's log-probabilities.
func (l *learner) refer(ctx context.Context, sequences []sequence) error {
	_, err := l.base.EachBundle(ctx, plain(sequences), true,
		func(of []int, bundle []transformer.Sequence, p *transformer.Pass, _ *transformer.Grads) error {
			ref, _ := p.Forward(bundle, l.temperature)
			for j, k := range of {
				sequences[k].ref = slices.Clone(ref[j])
			}
			return nil
		})
	return err
}

// update learns from a minibatch: one step of the optimizer at the learning rate. It gives the sums over the minibatch,
// the loss already divided, and the length of the gradient before it was bounded. A gradient that is not a number
// changes nothing.
func (l *learner) update(ctx context.Context, sequences []sequence, divisor, lr float64) (total sums, norm float64, err error) {
	parts := make([]sums, len(sequences))
	grads, err := l.policy.EachBundle(ctx, plain(sequences), false,
		func(of []int, bundle []transformer.Sequence, p *transformer.Pass, g *transformer.Grads) error {
			logp, entropy := p.Forward(bundle, l.temperature)
			for j, k := range of {
				parts[k] = l.derive(sequences[k], logp[j], entropy[j], divisor)
			}
			p.Backward(logp, entropy, g)
			return nil
		})
	if err != nil {
		return total, 0, err
	}
	for _, p := range parts {
		total.add(p)
	}
	if norm = optim.Clip(grads, l.maxNorm); train.Finite(norm) {
		l.optimizer.Step(grads, lr)
	}
	return total, norm, nil
}

// derive puts the derivatives of a sequence's loss in the place of log-probabilities and entropies, which are 0 where a
// token is not the policy's.
func (l *learner) derive(q sequence, logp, entropy []float32, divisor float64) sums {
	t := sums{tokens: len(q.Tokens), own: q.own}
	for i, own := range q.Want {
		if !own {
			continue
		}
		x := l.objective.token(float64(logp[i]), float64(q.old[i]), float64(q.ref[i]), float64(entropy[i]), q.advantage)
		logp[i], entropy[i] = float32(x.dlogp/divisor), float32(x.dent/divisor)
		t.loss += x.loss / divisor
		t.kl += x.kl
		if x.clipped {
			t.clipped++
		}
	}
	return t
}
