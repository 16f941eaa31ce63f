// Package pairs answers the documents of a set of preference pairs: pairs of programs, or of rollouts, which a training makes
// for itself.
package pairs

import (
	"fmt"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// New shows the pairs in a directory.
func New(d *dir.Dir) doc.Shown {
	r := Run{d}
	return doc.Shown{
		Describe:  r.describe,
		Parts:     []doc.Part{{Section: doc.SectionPairs, Files: []string{trainName, tracePairsName, summaryName}}},
		Documents: map[string]doc.Get{"pairs": r.document},
		Inventory: r.inventory,
	}
}

// document answers "pairs" and "pairs/N".
func (r Run) document(rest string) (any, error) {
	if rest == "" {
		return r.set()
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return nil, doc.NotFound("no pair %q", doc.Clip(rest, 80))
	}
	return r.pair(n)
}

func (r Run) inventory(give func(string)) {
	give("pairs")
	if rows, err := r.pairRows(); err == nil {
		for i := range rows.File {
			give("pairs/" + strconv.Itoa(i))
		}
	}
}

// describe reads the summary.json of a set of pairs. The pairs of a training have none: they are there or not.
func (r Run) describe(h *doc.Header) error {
	if r.Manifest.Command == "train" {
		train, err := r.Lines(tracePairsName)
		heldout, err2 := r.Lines(traceHeldoutName)
		if err != nil || err2 != nil {
			h.Status = doc.Partial
			return nil
		}
		h.Status, h.Headline = doc.Completed, fmt.Sprintf("%s of rollouts, %d held out", doc.Plural(train.Count()+heldout.Count(), "pair"),
			heldout.Count())
		h.CostUSD = new(float64) // the policy runs here
		return nil
	}
	if r.Manifest.Command == "pairs audit" {
		return r.describeAudit(h)
	}
	var sum struct {
		Dataset        string
		Train, Heldout int
		TrainTasks     int `json:"train_tasks"`
		HeldoutTasks   int `json:"heldout_tasks"`
		Seconds        *float64
	}
	ended, err := r.Outcome(h, summaryName, &sum)
	if err == nil && !ended { // resume knows no builds
		h.Hint = "it did not come to its end: the command that began it, with --out " + r.Path() + ", continues it"
	}
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS = doc.Completed, sum.Seconds
	h.Headline = fmt.Sprintf("%s, %d held out", doc.Plural(sum.Train+sum.Heldout, "pair"), sum.Heldout)
	h.Fact("dataset", sum.Dataset)
	h.Fact("training", fmt.Sprintf("%s of %s", doc.Plural(sum.Train, "pair"), doc.Plural(sum.TrainTasks, "task")))
	h.Fact("held out", fmt.Sprintf("%s of %s", doc.Plural(sum.Heldout, "pair"), doc.Plural(sum.HeldoutTasks, "task")))
	return nil
}

// describeAudit reads the summary.json of an audit, which built nothing.
func (r Run) describeAudit(h *doc.Header) error {
	var sum struct {
		Dataset string
		Audit   struct {
			File     string
			Pairs    int
			Tasks    int
			Warnings []string
		}
		Seconds *float64
	}
	ended, err := r.Outcome(h, summaryName, &sum)
	if err == nil && !ended {
		h.Hint = "it did not come to its end: begin it again"
	}
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS, h.CostUSD = doc.Completed, sum.Seconds, new(float64)
	h.Headline = fmt.Sprintf("%s audited, %s", doc.Plural(sum.Audit.Pairs, "pair"), doc.Plural(len(sum.Audit.Warnings), "warning"))
	h.Fact("file", sum.Audit.File)
	h.Fact("dataset", sum.Dataset)
	h.Fact("tasks", fmt.Sprint(sum.Audit.Tasks))
	return nil
}
