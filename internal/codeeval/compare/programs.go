package compare

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

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
		flip := runfile.Flip{TaskID: id}
		for i, c := range conditions {
			task, ok := find(c.File, id)
			if !ok {
				continue
			}
			var before resultfile.Task
			if recorded != nil {
				before, _ = find(recorded[i].File, id)
			}
			side := runfile.FlipSide{Condition: c.Name, Samples: []runfile.FlipSample{}, Total: len(task.Samples)}
			for n, s := range task.Samples[:min(len(task.Samples), mostSamples)] {
				kept := runfile.FlipSample{Sample: s.Index, Text: s.Text, Kind: string(s.Kind), Passed: s.Passed, Result: cmp.Or(s.Said, s.Result),
					Cut: s.Truncated}
				if s.Program != "" {
					kept.Text, kept.Kind = s.Program, string(resultfile.Program)
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
func writeFlips(w io.Writer, flips []runfile.Flip) error {
	enc := json.NewEncoder(w)
	for _, f := range flips {
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return nil
}
