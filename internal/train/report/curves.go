package report

import (
	"github.com/deeprepo/deeprepo/internal/chart"
	"github.com/deeprepo/deeprepo/internal/train"
)

// curves are what is drawn of a training's steps. A picture without values is left out.
func curves(method string, steps []train.Step) []chart.Lines {
	var all []chart.Lines
	switch method {
	case "sft":
		all = []chart.Lines{
			{ID: "loss", Title: "Loss", YName: "nats a token", Series: []chart.Series{
				{Name: "of the lessons", Points: trace(steps, func(s train.Step) float64 { return s.Loss })}, heldout("of demonstrations of other tasks", steps)}},
		}
	case "dpo":
		all = []chart.Lines{
			{ID: "heldout", Title: "Reward on held-out tasks", YName: "mean reward", From0: true, Series: []chart.Series{heldout("held out", steps)}},
			{ID: "loss", Title: "Loss (ln 2 = 0.693 is that of a model that prefers nothing)", YName: "loss", From0: true, Series: []chart.Series{
				{Name: "loss", Points: trace(steps, func(s train.Step) float64 { return s.Loss })},
				ofHeldoutPairs(steps, func(p train.Pairwise) float64 { return p.PreferenceLoss })}},
			{ID: "margin", Title: "Margin between chosen and rejected", YName: "margin", Series: []chart.Series{
				{Name: "margin", Points: trace(steps, func(s train.Step) float64 { return s.Margin })},
				ofHeldoutPairs(steps, func(p train.Pairwise) float64 { return p.Margin })}},
			{ID: "accuracy", Title: "Pairs whose chosen side is preferred", YName: "share of the pairs", Percent: true, From0: true, Series: []chart.Series{
				{Name: "accuracy", Points: trace(steps, func(s train.Step) float64 { return s.Accuracy })},
				ofHeldoutPairs(steps, func(p train.Pairwise) float64 { return p.Accuracy })}},
			{ID: "logp", Title: "Log-probabilities", YName: "nats a sequence", Series: []chart.Series{
				{Name: "chosen", Points: trace(steps, func(s train.Step) float64 { return s.ChosenLogP })},
				{Name: "rejected", Points: trace(steps, func(s train.Step) float64 { return s.RejectedLogP })}}},
		}
	default:
		all = []chart.Lines{
			{ID: "reward", Title: "Reward", YName: "mean reward", From0: true, Series: []chart.Series{
				{Name: "training tasks", Points: played(steps, func(s train.Step) float64 { return s.Reward })}, heldout("held-out tasks", steps)}},
			{ID: "turns", Title: "Turns of a rollout", YName: "mean turns", From0: true, Series: []chart.Series{
				{Name: "turns", Points: played(steps, func(s train.Step) float64 { return s.Turns })}}},
			{ID: "dispatches", Title: "Dispatches of a rollout", YName: "mean dispatches", From0: true, Series: []chart.Series{
				{Name: "dispatches", Points: played(steps, func(s train.Step) float64 { return s.Dispatches })}}},
			{ID: "conduct", Title: "What goes wrong", YName: "share", Percent: true, From0: true, Series: []chart.Series{
				{Name: "cells that are no Python", Points: played(steps, func(s train.Step) float64 { return s.SyntaxErrors })},
				{Name: "rollouts without a dispatch", Points: played(steps, func(s train.Step) float64 { return s.ZeroDelegation })},
				{Name: "rollouts that over-explore", Points: played(steps, func(s train.Step) float64 { return s.OverExplored })}}},
			{ID: "kl", Title: "Divergence from the base", YName: "nats a token", From0: true, Series: []chart.Series{
				{Name: "KL", Points: trace(steps, func(s train.Step) float64 { return s.KL })}}},
			{ID: "entropy", Title: "Entropy of what is written", YName: "nats a token", From0: true, Series: []chart.Series{
				{Name: "entropy", Points: trace(steps, func(s train.Step) float64 { return s.Entropy })}}},
		}
	}
	var out []chart.Lines
	for _, l := range all {
		points := 0
		for _, s := range l.Series {
			points += len(s.Points)
		}
		if points > 0 {
			l.XName = "step"
			out = append(out, l)
		}
	}
	return out
}

// trace is a quantity of every step after the first state.
func trace(steps []train.Step, of func(train.Step) float64) []chart.Point {
	var out []chart.Point
	for _, s := range steps {
		if s.Step > 0 {
			out = append(out, chart.Point{X: float64(s.Step), Y: of(s)})
		}
	}
	return out
}

// played is a quantity of the steps' training rollouts. Those of step 0, where there are any, were held out.
func played(steps []train.Step, of func(train.Step) float64) []chart.Point {
	var out []chart.Point
	for _, s := range steps {
		if s.Step > 0 && s.Rollouts > 0 {
			out = append(out, chart.Point{X: float64(s.Step), Y: of(s)})
		}
	}
	return out
}

func heldout(name string, steps []train.Step) chart.Series {
	s := chart.Series{Name: name, Marks: true}
	for _, step := range steps {
		if step.Heldout != nil {
			s.Points = append(s.Points, chart.Point{X: float64(step.Step), Y: *step.Heldout})
		}
	}
	return s
}

// ofHeldoutPairs is a quantity of the pairs that are not learnt from.
func ofHeldoutPairs(steps []train.Step, of func(train.Pairwise) float64) chart.Series {
	s := chart.Series{Name: "pairs of other tasks", Marks: true}
	for _, step := range steps {
		if step.HeldoutPairs != nil {
			s.Points = append(s.Points, chart.Point{X: float64(step.Step), Y: of(*step.HeldoutPairs)})
		}
	}
	return s
}

// reward is one picture of several trainings: their held-out rewards.
func (j Joint) curve(steps map[string][]train.Step) chart.Lines {
	l := chart.Lines{ID: "heldout", Title: "Reward on held-out tasks, by step", XName: "step", YName: "mean reward", From0: true}
	for _, r := range j.Runs {
		if r.Method == "sft" { // whose held-out measure is a loss
			continue
		}
		if s := heldout(r.Run, steps[r.Run]); len(s.Points) > 0 {
			l.Series = append(l.Series, s)
		}
	}
	return l
}
