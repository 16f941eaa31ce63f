package sft

import (
	"context"
	"math"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
)

// TestStepIsAMean: a batch that holds everything twice has the same loss and gradient, and without the views' weight the
// loss is what is measured on held-out demonstrations.
func TestStepIsAMean(t *testing.T) {
	model := transformer.New(transformer.Config{Vocab: 20, Dim: 8, Layers: 1, Heads: 1, Hidden: 8, Context: 16}, 1)
	made := func(tokens ...int32) lesson {
		own := make([]bool, len(tokens))
		for i := range own {
			own[i] = i >= 2
		}
		return lesson{train.Segment{Tokens: tokens, Own: own}, 1}
	}
	batch := []lesson{made(1, 2, 3, 4, 5), made(6, 7, 8), made(9, 10, 11, 12, 13, 14)}
	l := &learner{sum: train.NewSum(model, nil, 2), optimizer: optim.New(model.Params(), optim.AdamW{}), viewWeight: 0.25, maxNorm: 1e9}
	step := func(batch ...lesson) (float64, float64) {
		loss, norm, err := l.step(context.Background(), batch, 0)
		if err != nil {
			t.Fatal(err)
		}
		return loss, norm
	}
	loss, norm := step(batch...)
	if twice, norm2 := step(append(batch, batch...)...); math.Abs(twice-loss) > 1e-5 || math.Abs(norm2-norm) > 1e-5 || norm == 0 {
		t.Errorf("loss %.6f and gradient %.6f become %.6f and %.6f when everything comes twice", loss, norm, twice, norm2)
	}
	l.viewWeight = 0
	own, _ := step(batch...)
	measured, err := l.measure(context.Background(), batch)
	if err != nil || math.Abs(own-measured) > 1e-5 {
		t.Errorf("the loss of the cells is %.6f, measured as %.6f, %v", own, measured, err)
	}
	if math.Abs(own-loss) < 1e-6 {
		t.Error("the views have no weight")
	}
	l.viewWeight = 1
	all, _ := step(batch[0])
	logp, _ := transformer.NewPass(model, nil).Forward(
		[]transformer.Sequence{{Tokens: batch[0].segment.Tokens, Want: []bool{true, true, true, true}}}, 1)
	want := 0.0
	for _, p := range logp[0] {
		want -= float64(p) / 4
	}
	if math.Abs(all-want) > 1e-5 {
		t.Errorf("the loss of all tokens is %.6f, want %.6f", all, want)
	}
}

// TestStepLeavesRubbish: a gradient that is not a number changes no weight.
func TestStepLeavesRubbish(t *testing.T) {
	model := transformer.New(transformer.Config{Vocab: 20, Dim: 8, Layers: 1, Heads: 1, Hidden: 8, Context: 16}, 1)
	l := &learner{sum: train.NewSum(model, nil, 1), optimizer: optim.New(model.Params(), optim.AdamW{}), maxNorm: 1}
	norm := model.Params()[len(model.Params())-1].Data
	norm[0] = float32(math.NaN())
	embed := model.Params()[0].Data
	before := append([]float32{}, embed...)
	loss, _, err := l.step(context.Background(), []lesson{{train.Segment{Tokens: []int32{1, 2, 3}, Own: []bool{false, true, true}}, 1}}, 0.1)
	if err != nil || train.Finite(loss) {
		t.Fatalf("loss %v, %v", loss, err)
	}
	for i := range before {
		if embed[i] != before[i] {
			t.Fatal("the weights were changed")
		}
	}
}
