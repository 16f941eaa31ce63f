// Package evals answers the documents of an eval: its figures, its rollouts, and their traces. Evals that verifiers saved are
// shown, too, as far as their rows tell.
package evals

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// Run is an eval's directory.
type Run struct {
	*dir.Dir
	traces *traces.Traces
	evals  evalTables
}

// asked is what an eval was asked for.
type asked struct {
	Environment, Model, Worker, Strategy, Split string
	Seed                                        *int64
	Examples, Rollouts                          int
}

func (r *Run) asked() (a asked) {
	r.Asked(&a)
	return a
}

// planned is how many rollouts so many examples have; 0 for numbers that no eval has.
func planned(examples, rollouts int) int {
	if examples < 0 || rollouts < 0 || examples > mostRollouts || rollouts > mostRollouts {
		return 0
	}
	return examples * rollouts
}

// evalTable is what was read of a results.jsonl: its rows by example and rollout. Of several rows for one rollout the last
// counts.
type evalTable struct {
	rows []evalRow
	// problem says what could not be read; the rows in front of it are shown all the same.
	problem string
}

// evalTables remembers the rows of a results.jsonl while it only grows.
type evalTables struct {
	mu   sync.Mutex
	last dir.Lines // that were read
	read []evalRow // in the order of the file
	made *evalTable
}

// evalRows reads the rows of an eval.
func (r *Run) evalRows() (*evalTable, error) {
	l, err := r.Lines(runfile.ResultsName)
	if err != nil {
		return nil, err
	}
	t := &r.evals
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.last.Count()
	if !l.Same(t.last) {
		t.last, t.read, t.made, known = dir.Lines{}, nil, nil, 0
	}
	if t.made != nil && (l.Count() == known || t.made.problem != "") {
		return t.made, nil
	}
	problem := ""
	to := min(l.Count(), mostRollouts)
	if to < l.Count() {
		problem = fmt.Sprintf("only the first %d rollouts are shown", mostRollouts)
	}
	err = l.Each(known, to, func(i int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 {
			return nil
		}
		row, fault := parseEvalRow(text)
		if fault != nil {
			return doc.Damaged("%s is damaged at line %d: %v", runfile.ResultsName, i+1, fault)
		}
		row.line = i
		t.read = append(t.read, row)
		return nil
	})
	if err != nil {
		problem = doc.Plain(err)
	}
	t.last = l
	t.made = &evalTable{rows: savedrow.Settle(slices.Clone(t.read), rowOf), problem: problem}
	return t.made, nil
}
