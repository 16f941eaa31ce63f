package compare

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
)

// Flip is a task that changed in a comparison, with what every condition made of it: a line of flips.jsonl. It is for
// those who look at the comparison where the result files are not at hand.
type Flip struct {
	TaskID string     `json:"task_id"`
	Sides  []FlipSide `json:"sides"` // in the order of the conditions that have the task
}

// FlipSide is what one condition made of a task.
type FlipSide struct {
	Condition string       `json:"condition"`
	Samples   []FlipSample `json:"samples"`
	// Total is how many samples there were: no more than mostSamples are kept.
	Total int `json:"total"`
}

// FlipSample is one program and its verdict.
type FlipSample struct {
	Sample int             `json:"sample"`
	Text   string          `json:"text"`
	Kind   resultfile.Kind `json:"kind"`
	// Passed is the verdict that counts, null if there is none, and Result is that verdict in the file's words.
	// Recorded is the file's verdict if the tests were run again, null if they were not.
	Passed   *bool  `json:"passed"`
	Result   string `json:"result"`
	Recorded *bool  `json:"recorded"`
	// Cut says that Text is not all that was generated.
	Cut bool `json:"cut"`
}

// What of the programs is kept at most: samples of a condition's task, bytes of a text, bytes of all.
const (
	mostSamples = 20
	mostProgram = 64 << 10
	mostFlips   = 32 << 20
)

// KeepFlips takes over the programs of all tasks that changed in one of the result's comparisons. conditions are those
// whose verdicts count; recorded are the same ones as their files have them, where the tests were run again, else nil.
func (r *Result) KeepFlips(conditions, recorded []Condition) {
	var ids []string
	for _, report := range r.reports() {
		for _, c := range report.Comparisons {
			ids = append(append(ids, c.Improved...), c.Regressed...)
		}
	}
	slices.SortFunc(ids, resultfile.CompareIDs)
	r.Flips = nil
	size := 0
	for _, id := range slices.Compact(ids) {
		flip := Flip{TaskID: id}
		for i, c := range conditions {
			task, ok := find(c.File, id)
			if !ok {
				continue
			}
			var before resultfile.Task
			if recorded != nil {
				before, _ = find(recorded[i].File, id)
			}
			side := FlipSide{Condition: c.Name, Samples: []FlipSample{}, Total: len(task.Samples)}
			for n, s := range task.Samples[:min(len(task.Samples), mostSamples)] {
				kept := FlipSample{Sample: s.Index, Text: s.Text, Kind: s.Kind, Passed: s.Passed, Result: cmp.Or(s.Said, s.Result), Cut: s.Truncated}
				if s.Program != "" {
					kept.Text, kept.Kind = s.Program, resultfile.Program
				}
				if n < len(before.Samples) {
					kept.Recorded = before.Samples[n].Passed
				}
				if len(kept.Text) > mostProgram {
					kept.Text, kept.Cut = strings.ToValidUTF8(kept.Text[:mostProgram], ""), true
				}
				size += len(kept.Text) + len(kept.Result)
				side.Samples = append(side.Samples, kept)
			}
			flip.Sides = append(flip.Sides, side)
		}
		if size > mostFlips {
			return
		}
		r.Flips = append(r.Flips, flip)
	}
}

// find looks a task up under any spelling of its name.
func find(f *resultfile.File, id string) (resultfile.Task, bool) {
	key := resultfile.Key(id)
	i := slices.IndexFunc(f.Tasks, func(t resultfile.Task) bool { return resultfile.Key(t.ID) == key })
	if i < 0 {
		return resultfile.Task{}, false
	}
	return f.Tasks[i], true
}

// writeFlips writes one flip a line.
func writeFlips(w io.Writer, flips []Flip) error {
	enc := json.NewEncoder(w)
	for _, f := range flips {
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return nil
}
