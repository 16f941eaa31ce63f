package sft

import (
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
)

// learner makes steps.
type learner struct {
	sum        *train.Sum
	optimizer  *optim.Optimizer
	viewWeight float64
	maxNorm    float64
}

// step learns from a batch: the loss is the mean of -log p over its tokens, each with its weight. Where the gradient is
// not a number the weights stay as they are.
func (l *learner) step(ctx context.Context, batch []lesson, rate float64) (loss, norm float64, err error) {
	whole := 0.0
	for _, b := range batch {
		whole += l.weight(b.segment)
	}
	losses := make([]float64, len(batch))
	sequences := make([]transformer.Sequence, len(batch))
	for i, b := range batch {
		want := make([]bool, len(b.segment.Tokens))
		for j := range want {
			want[j] = l.of(b.segment, j+1) > 0
		}
		sequences[i] = transformer.Sequence{Tokens: b.segment.Tokens, Want: want}
	}
	g, err := l.sum.EachBundle(ctx, sequences, false,
		func(of []int, bundle []transformer.Sequence, p *transformer.Pass, g *transformer.Grads) error {
			logp, _ := p.Forward(bundle, 1)
			for n, i := range of {
				for j, v := range logp[n] { // 0 where its weight is 0
					w := l.of(batch[i].segment, j+1) / whole
					losses[i] -= w * float64(v)
					logp[n][j] = float32(-w)
				}
			}
			p.Backward(logp, nil, g)
			return nil
		})
	if err != nil {
		return 0, 0, err
	}
	for _, v := range losses {
		loss += v
	}
	norm = optim.Clip(g, l.maxNorm)
	if !train.Finite(loss) || !train.Finite(norm) {
		return loss, norm, nil
	}
	l.optimizer.Step(g, rate)
	return loss, norm, nil
}

// of is the weight of a token: of the first one, which nothing predicts, and of those behind the end it is 0.
func (l *learner) of(s train.Segment, at int) float64 {
	switch {
	case at == 0 || at >= len(s.Tokens):
		return 0
	case s.Own[at]:
		return 1
	}
	return l.viewWeight
}

// weight is that of all tokens of a sequence.
func (l *learner) weight(s train.Segment) float64 {
	own := float64(s.Owned())
	return own + l.viewWeight*(float64(len(s.Tokens)-1)-own)
}

// measure is the mean of -log p over the tokens of the cells, and nothing else.
func (l *learner) measure(ctx context.Context, lessons []lesson) (float64, error) {
	sums, own := make([]float64, len(lessons)), 0
	for _, l := range lessons {
		own += l.segment.Owned()
	}
	sequences := make([]transformer.Sequence, len(lessons))
	for i, l := range lessons {
		sequences[i] = transformer.Sequence{Tokens: l.segment.Tokens, Want: l.segment.Own[1:]}
	}
	_, err := l.sum.EachBundle(ctx, sequences, true,
		func(of []int, bundle []transformer.Sequence, p *transformer.Pass, _ *transformer.Grads) error {
			logp, _ := p.Forward(bundle, 1)
			for n, i := range of {
				for _, v := range logp[n] {
					sums[i] -= float64(v)
				}
			}
			return nil
		})
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, v := range sums {
		total += v
	}
	return total / float64(own), nil
}

// Diverged is a run that was stopped because continuing would only have made it worse.
type Diverged struct {
	Step int
	Why  string
}

func (d *Diverged) Error() string {
	return fmt.Sprintf("the training diverged at step %d: %s", d.Step, d.Why)
}

// Hint says what helps.
func (d *Diverged) Hint() string {
	return "a lower learning rate, a longer warm-up or a smaller largest gradient, in a new directory; the last good checkpoint stays in " +
		"this one"
}

// course is what the decision to stop depends on. It is part of a checkpoint.
type course struct {
	First float64 `json:"first"` // the loss of the first step
	Above int     `json:"above"` // steps in a row with a larger one
}

// check gives the reason to stop that a step gives, nil for none.
func (c *course) check(step int, loss, norm float64, patience int) error {
	if !train.Finite(loss) || !train.Finite(norm) {
		return &Diverged{step, "the loss or its gradient is no longer a number"}
	}
	if step == 1 {
		c.First = loss
	}
	if c.Above++; loss <= c.First {
		c.Above = 0
	}
	if c.Above >= patience {
		return &Diverged{step, fmt.Sprintf("the loss was above that of the first step, %.3g, for %d steps in a row", c.First, c.Above)}
	}
	return nil
}
