package grpo

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

// TestNewSequence has a token be learnt exactly where the policy wrote it: at the place of the token before.
func TestNewSequence(t *testing.T) {
	s := train.Segment{ // 1 2 given, 3 4 written, 5 given, 6 written, 7 given
		Tokens: []int32{1, 2, 3, 4, 5, 6, 7},
		Own:    []bool{false, false, true, true, false, true, false},
		LogP:   []float32{0, 0, -.3, -.4, 0, -.6, 0},
	}
	got := newSequence(s, 1.5)
	want := sequence{Sequence: transformer.Sequence{Tokens: []int32{1, 2, 3, 4, 5, 6}, Want: []bool{false, true, true, false, true}},
		old: []float32{0, -.3, -.4, 0, -.6}, advantage: 1.5, own: 3}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(sequence{})); d != "" {
		t.Error(d)
	}
	for name, s := range map[string]train.Segment{
		"nothing":       {},
		"nothing of it": {Tokens: []int32{1, 2}, Own: []bool{false, false}, LogP: []float32{0, 0}},
		"one token":     {Tokens: []int32{1}, Own: []bool{true}, LogP: []float32{-1}}, // it follows nothing
	} {
		if got := newSequence(s, 1); got.own != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestDivisor(t *testing.T) {
	two := []sequence{{own: 30}, {own: 12}}
	for _, c := range []struct {
		kind      string
		sequences []sequence
		rollouts  int
		want      float64
	}{
		{AdvantageStd, two, 9, 42}, {AdvantageNone, two, 9, 42}, {AdvantageDrGRPO, two, 9, 9 * typicalTokens},
		{AdvantageStd, nil, 0, 1}, {AdvantageDrGRPO, nil, 0, typicalTokens},
	} {
		if got := divisor(c.kind, c.sequences, c.rollouts); got != c.want {
			t.Errorf("%s of %d: %v, want %v", c.kind, len(c.sequences), got, c.want)
		}
	}
}

// TestUpdate has one update make what was good likelier and what was bad less likely, and leave alone what was not
// the policy's: two sequences that differ in a given token only, and one that was neither good nor bad.
func TestUpdate(t *testing.T) {
	p := tiny(t)
	adapter := transformer.NewAdapter(p.Model.Config, 4, 8, 1)
	o := quick().withDefaults(&letters{})
	l := newLearner(p.Model, adapter, o, 2)
	logp := func(tokens ...int32) float64 {
		want := make([]bool, len(tokens)-1)
		want[len(want)-1] = true
		got, _ := transformer.NewPass(p.Model, adapter).Forward([]transformer.Sequence{{Tokens: tokens, Want: want}}, 1)
		return float64(got[0][len(want)-1])
	}
	good, bad, none := []int32{70, 71, 73}, []int32{70, 71, 72}, []int32{50, 51, 52} // not in the order of their bundle
	lesson := func(tokens []int32, advantage float64) sequence {
		return newSequence(train.Segment{Tokens: tokens, Own: []bool{false, false, true}, LogP: []float32{0, 0, float32(logp(tokens...))}},
			advantage)
	}
	sequences := []sequence{lesson(good, 1), lesson(bad, -1), lesson(none, 0)}
	before := []float64{logp(good...), logp(bad...)}
	if err := l.refer(t.Context(), sequences); err != nil {
		t.Fatal(err)
	}
	total, norm, err := l.update(t.Context(), sequences, 3, 1e-3)
	if err != nil || norm <= 0 || total.own != 3 || total.clipped != 0 || total.kl > 1e-6 || total.tokens != 9 {
		t.Fatalf("%+v, norm %v, %v", total, norm, err)
	}
	if g, b := logp(good...), logp(bad...); g <= before[0] || b >= before[1] {
		t.Errorf("good %.4f, was %.4f; bad %.4f, was %.4f", g, before[0], b, before[1])
	}
	// The same lesson again and again: the clip ends it, where the ratio is 1.28.
	for range 200 {
		if _, _, err := l.update(t.Context(), sequences[:1], 1, 1e-3); err != nil {
			t.Fatal(err)
		}
	}
	if total, norm, err = l.update(t.Context(), sequences[:1], 1, 1e-3); err != nil || norm != 0 || total.clipped != 1 {
		t.Errorf("after many updates: %+v, norm %v, %v", total, norm, err)
	}
}

// TestMeasure counts by hand: two groups, a failure, a dead group.
func TestMeasure(t *testing.T) {
	played := func(reward float64, turns int, metrics map[string]float64) Rollout {
		return Rollout{Reward: reward, Turns: turns, Metrics: metrics, Cut: 1, Segments: []train.Segment{{Tokens: make([]int32, 10)}},
			Entropy: 4, Written: 8}
	}
	a := played(0.2, 2, map[string]float64{"dispatches": 3, "zero_delegation": 0, "coverage": 1, "batching": 0.5, "cells": 2,
		"cell_errors": 1, "syntax_errors": 1})
	b := played(0.6, 4, map[string]float64{"dispatches": 0, "zero_delegation": 1, "coverage": 0, "batching": 0, "cells": 2,
		"cell_errors": 1, "syntax_errors": 0})
	b.Over = true
	var s runfile.TrainingStep
	measure(&s, []group{{played: []Rollout{a, b}, failures: []error{errors.New("no disk")}}, {played: []Rollout{a, a}}})
	want := runfile.TrainingStep{Rollouts: 4, Reward: 0.3, RewardStd: 0.17320508075688773, Turns: 2.5, Dispatches: 2.25,
		ZeroDelegation: 0.25, Coverage: 0.75, Batching: 0.375,
		OverExplored: 0.25, CellErrors: 0.5, SyntaxErrors: 0.375, Cut: 0.5, DeadGroups: 0.5, Dropped: 1, Entropy: 0.5, Tokens: 40}
	if d := cmp.Diff(want, s, approx); d != "" {
		t.Error(d)
	}
	var nothing runfile.TrainingStep
	measure(&nothing, nil)
	if d := cmp.Diff(runfile.TrainingStep{}, nothing); d != "" {
		t.Error(d)
	}
}

// TestSchedule has every step play tasks of its own if there is no end of them, and a closed set be gone through
// whole before any of it comes again.
func TestSchedule(t *testing.T) {
	endless := schedule{selection: env.Selection{Seed: 5}, perStep: 6}
	seen := map[int]bool{}
	for step := range 10 {
		for place := range 6 {
			if i := endless.task(step, place); seen[i] {
				t.Fatalf("task %d comes twice", i)
			} else {
				seen[i] = true
			}
		}
	}
	closed := schedule{selection: env.Selection{Seed: 5}, size: 7, perStep: 3}
	var order []int
	for step := range 14 {
		for place := range 3 {
			order = append(order, closed.task(step, place))
		}
	}
	for round := 0; round < len(order); round += 7 {
		seen := map[int]bool{}
		for _, i := range order[round : round+7] {
			seen[i] = true
		}
		if len(seen) != 7 {
			t.Errorf("round %v", order[round:round+7])
		}
	}
	if cmp.Equal(order[:7], order[7:14]) && cmp.Equal(order[:7], order[14:21]) {
		t.Error("every round has the same order")
	}
	if train.Derive(1, forPolicy, 2, 3) == train.Derive(1, forPolicy, 3, 2) ||
		train.Derive(1, forPolicy, 2) == train.Derive(1, forWorkers, 2) || train.Derive(1, forPolicy, 2) == train.Derive(2, forPolicy, 2) {
		t.Error("places share their luck")
	}
	if l := train.Luck(1, forWorkers, 9); l < 0 || l > 1<<31-1 {
		t.Errorf("luck %d", l)
	}
}

// TestOnPolicy has the trainer give what the policy wrote the very probability that the sampler drew it with, at another
// temperature than 1 and with weights that have moved: with one update a step and hardly any room no token is clipped.
func TestOnPolicy(t *testing.T) {
	o := short()
	o.Minibatches, o.Temperature, o.ClipLow, o.ClipHigh = 1, 0.8, 1e-3, 1e-3
	out, err := Run(t.Context(), o, Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range out.Steps[1:] {
		if s.ClipFraction != 0 || s.GradNorm == 0 || s.Step == 1 && s.KL > 1e-6 || s.Step > 2 && s.KL < 1e-3 {
			t.Errorf("step %d: %.4f clipped, gradient %.3f, KL %.6f", s.Step, s.ClipFraction, s.GradNorm, s.KL)
		}
	}
}
