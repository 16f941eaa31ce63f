package view

import (
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// describeCodeEval reads a code eval's summary.json.
func (r *Run) describeCodeEval(h *Header) error {
	var asked struct{ Dataset, Model, Samples string }
	var asks struct{ Dataset, Model string }
	options(r.manifest.Options, &asks)
	asked.Dataset, asked.Model = asks.Dataset, asks.Model
	h.model(asked.Model)
	h.fact("dataset", asked.Dataset)
	var sum struct {
		Dataset, Samples  string
		Total, Passed     int
		PassAt            map[string]float64 `json:"pass_at_k"`
		CI                *[2]float64        `json:"ci95"`
		Partial, Complete bool
		Seconds           *float64
		Diagnosis         []json.RawMessage
		Generation        *struct {
			Cost *float64 `json:"cost_usd"`
		}
	}
	ended, err := r.outcome(h, summaryName, &sum)
	if err != nil {
		return err
	}
	if !ended {
		if l, err := r.lines(samplesName); err == nil {
			h.Headline = plural(l.count(), "sample") + " so far"
		}
		return nil
	}
	h.Status, h.DurationS = Completed, sum.Seconds
	if !sum.Complete {
		h.Status, h.Hint = Partial, "deeprepo resume "+r.path+" goes on with it"
	}
	if sum.Generation != nil {
		h.CostUSD = sum.Generation.Cost
	} else if r.manifest.Command == "code verify" {
		h.CostUSD = new(0.0) // no model is asked
	}
	h.Headline = fmt.Sprintf("%d of %d passed", sum.Passed, sum.Total)
	if p, ok := sum.PassAt["1"]; ok {
		h.Score = &p
		h.Headline = fmt.Sprintf("pass@1 %.1f%%, %s", 100*p, h.Headline)
	}
	if sum.CI != nil {
		h.fact("pass@1", fmt.Sprintf("95%% interval %.1f%% to %.1f%%", 100*sum.CI[0], 100*sum.CI[1]))
	}
	h.fact("samples", sum.Samples)
	return nil
}

// describeCompare reads compare.json.
func (r *Run) describeCompare(h *Header) error {
	var doc struct {
		Verdicts    string
		Conditions  []struct{ Name string }
		Comparisons []struct {
			Base, Other string
			Net         int
			Delta       *float64 `json:"delta_pp"`
		}
	}
	ended, err := r.outcome(h, compareName, &doc)
	if err != nil || !ended {
		return err
	}
	h.Status, h.StartedAt = Completed, h.UpdatedAt
	zero := 0.0
	h.CostUSD = &zero // no model is asked
	h.Headline = plural(len(doc.Conditions), "condition")
	if len(doc.Comparisons) > 0 {
		if c := doc.Comparisons[0]; c.Delta != nil {
			h.Headline += fmt.Sprintf(", %s against %s: %+.1f points", termtext.CutWith(c.Other, 40, "…"), termtext.CutWith(c.Base, 40, "…"), *c.Delta)
		}
	}
	for _, c := range doc.Conditions {
		h.model(c.Name)
	}
	h.fact("verdicts", doc.Verdicts)
	return nil
}

// describePairs reads the summary.json of a set of pairs. The pairs of a training have none: they are there or not.
func (r *Run) describePairs(h *Header) error {
	if r.manifest.Command == "train" {
		train, err := r.lines(tracePairsName)
		heldout, err2 := r.lines(traceHeldoutName)
		if err != nil || err2 != nil {
			h.Status = Partial
			return nil
		}
		h.Status, h.Headline = Completed, fmt.Sprintf("%s of rollouts, %d held out", plural(train.count()+heldout.count(), "pair"), heldout.count())
		zero := 0.0
		h.CostUSD = &zero // the policy runs here
		return nil
	}
	var sum struct {
		Dataset        string
		Train, Heldout int
		TrainTasks     int `json:"train_tasks"`
		HeldoutTasks   int `json:"heldout_tasks"`
		Seconds        *float64
	}
	ended, err := r.outcome(h, summaryName, &sum)
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS = Completed, sum.Seconds
	h.Headline = fmt.Sprintf("%s, %d held out", plural(sum.Train+sum.Heldout, "pair"), sum.Heldout)
	h.fact("dataset", sum.Dataset)
	h.fact("training", fmt.Sprintf("%s of %s", plural(sum.Train, "pair"), plural(sum.TrainTasks, "task")))
	h.fact("held out", fmt.Sprintf("%s of %s", plural(sum.Heldout, "pair"), plural(sum.HeldoutTasks, "task")))
	return nil
}
