package codeeval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// judging is the part that all runs have: samples get verdicts, rows and a summary.
type judging struct {
	set      *dataset.Set
	verifier *verify.Verifier
	dir      *rundir.Dir // nil: nothing is kept
	now      func() time.Time
	observe  func(Progress)
	// inventory says how many samples there are to be, and of which tasks.
	inventory verify.Inventory
	// samples gives them in order, as often as wanted, under the dataset's own task ids.
	samples func() iter.Seq2[verify.Sample, error]
	// name says where they are from, and names them in errors: "verification", "eval".
	name, what string
	split      string
	// prompt is the prompt of a task's samples, nil if no model was asked.
	prompt func(dataset.Task) (string, error)
	// rescue and allowInfra are as in VerifyOptions.
	rescue, allowInfra bool
	// python and tool are as in VerifyConfig.
	python, tool string
}

// run judges what has no verdict yet and sums everything up. A *verify.GateError comes with a summary that holds nothing
// but the controls.
func (j *judging) run(ctx context.Context) (runfile.CodeSummary, error) {
	rows, err := openResults(j.dir)
	if err != nil {
		return runfile.CodeSummary{}, err
	}
	defer rows.close()
	controls, err := j.verifier.Gate(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return runfile.CodeSummary{}, j.stopped(rows, err)
		}
		return runfile.CodeSummary{Dataset: j.set.Info.Name, Controls: controls, Withheld: "the controls did not pass"}, err
	}
	if err := j.keepTasks(); err != nil {
		return runfile.CodeSummary{}, err
	}
	started := j.now()
	fresh := 0
	judged := func(r verify.Result) error {
		fresh++
		if err := rows.append(r); err != nil {
			return err
		}
		j.observe(Progress{Phase: PhaseSamples, Done: rows.ledger.Total, Total: j.inventory.Samples, Passed: rows.ledger.Passed(),
			Elapsed: j.now().Sub(started)})
		return nil
	}
	verr := j.verifier.Verify(ctx, rows.missing(j.samples()), judged)
	seconds := j.now().Sub(started).Seconds()
	if err := rows.sort(j.samples()); err != nil {
		return runfile.CodeSummary{}, errors.Join(verr, err)
	}
	if verr != nil && ctx.Err() == nil {
		return runfile.CodeSummary{}, verr
	}
	s := j.summarize(controls, rows, fresh, seconds)
	if j.dir != nil {
		if err := j.dir.WriteJSON(SummaryName, s); err != nil {
			return s, err
		}
	}
	if verr != nil {
		return s, j.stopped(rows, verr)
	}
	return s, nil
}

// stopped says that the run did not come to its end.
func (j *judging) stopped(rows *results, cause error) error {
	done, total := rows.ledger.Total, j.inventory.Samples
	if j.dir == nil {
		return hint.Wrap(fmt.Errorf("interrupted after %d of %d samples; nothing is kept: %w", done, total, cause),
			"with --out DIR, deeprepo resume DIR continues from there")
	}
	return &rundir.Stopped{What: j.what, Parts: "samples", Dir: j.dir.Path(), Why: "it was interrupted", Done: done, Total: total,
		Cause: cause}
}

// results are the rows of results.jsonl. Rows are appended in the samples' order; only when a run is resumed after
// faults of the sandbox can a row be out of its place, until sort.
type results struct {
	dir    *rundir.Dir
	file   *os.File
	out    *bufio.Writer
	size   int64
	at     map[runfile.SampleRef]extent
	sorted bool
	ledger verify.Ledger
	slow   slowest
	flaky  []runfile.SampleRef
}

type extent struct{ offset, length int64 }

// openResults opens or creates the rows; those that an earlier execution left count, but for faults of the sandbox.
func openResults(dir *rundir.Dir) (*results, error) {
	r := &results{dir: dir, at: map[runfile.SampleRef]extent{}, sorted: true, slow: slowest{}}
	if dir == nil {
		return r, nil
	}
	dir.Sweep(ResultsName)
	f, err := bounded.OpenOrCreate(dir.Root(), ResultsName)
	if err != nil {
		return nil, fmt.Errorf("code run directory: %w", err)
	}
	r.file = f
	if err := r.read(); err != nil {
		f.Close()
		return nil, err
	}
	r.out = bufio.NewWriter(f)
	return r, nil
}

// read takes in the rows that are there and cuts a torn last one off.
func (r *results) read() error {
	in := bufio.NewReaderSize(r.file, 1<<16)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil { // a line without an end was not written whole
			break
		}
		var row runfile.CodeResult
		if bad := json.Unmarshal(line, &row); bad != nil || row.TaskID == "" || row.Verdict == "" {
			if _, peek := in.Peek(1); errors.Is(peek, io.EOF) {
				break
			}
			return &verify.RowError{File: r.dir.File(ResultsName), Line: n,
				Why: "not a result: take the line out, and resume judges that sample again"}
		}
		here := extent{r.size, int64(len(line))}
		r.size += here.length
		if _, has := r.at[row.SampleRef]; has || row.Verdict == sandbox.InfraError {
			r.sorted = false
			continue
		}
		r.at[row.SampleRef] = here
		r.note(row)
	}
	if err := r.file.Truncate(r.size); err != nil {
		return err
	}
	_, err := r.file.Seek(r.size, io.SeekStart)
	return err
}

func (r *results) note(row runfile.CodeResult) {
	r.ledger.Add(row)
	r.slow.add(row)
	if row.Flaky && len(r.flaky) < mostSlow {
		r.flaky = append(r.flaky, row.SampleRef)
	}
}

// missing are the samples without a row.
func (r *results) missing(all iter.Seq2[verify.Sample, error]) iter.Seq2[verify.Sample, error] {
	if len(r.at) == 0 {
		return all
	}
	had := maps.Clone(r.at) // r.at grows while samples are read
	return func(yield func(verify.Sample, error) bool) {
		for s, err := range all {
			_, judged := had[runfile.SampleRef{TaskID: s.TaskID, Sample: s.Index}]
			if (err != nil || !judged) && !yield(s, err) {
				return
			}
		}
	}
}

// append adds a row. A kill afterwards loses at most a torn line.
func (r *results) append(row verify.Result) error {
	r.note(row.CodeResult)
	if r.file == nil {
		return nil
	}
	text, err := json.Marshal(keep(row))
	if err == nil {
		text = append(text, '\n')
		_, err = r.out.Write(text)
	}
	if err == nil {
		err = r.out.Flush()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", ResultsName, err)
	}
	if !r.sorted { // otherwise it is not asked again
		r.at[row.SampleRef] = extent{r.size, int64(len(text))}
	}
	r.size += int64(len(text))
	return nil
}

// sort puts rows in the samples' order where an earlier execution left gaps.
func (r *results) sort(all iter.Seq2[verify.Sample, error]) error {
	if r.file == nil || r.sorted {
		return nil
	}
	err := r.dir.Write(ResultsName, func(w io.Writer) error {
		for s, err := range all {
			if err != nil {
				return err
			}
			if e, ok := r.at[runfile.SampleRef{TaskID: s.TaskID, Sample: s.Index}]; ok {
				if _, err := io.Copy(w, io.NewSectionReader(r.file, e.offset, e.length)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	r.sorted = err == nil
	return err
}

func (r *results) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// writeSamples keeps samples as they are, each with its index.
func writeSamples(dir *rundir.Dir, all iter.Seq2[verify.Sample, error]) error {
	return dir.Write(SamplesName, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		enc := json.NewEncoder(out)
		for s, err := range all {
			if err != nil {
				return err
			}
			row := make(map[string]any, len(s.Extra)+3)
			for name, value := range s.Extra {
				row[name] = value
			}
			row["task_id"], row["sample"] = s.TaskID, s.Index
			if s.Solution != nil {
				row["solution"] = *s.Solution
			} else {
				row["completion"] = *s.Completion
			}
			if err := enc.Encode(row); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}
