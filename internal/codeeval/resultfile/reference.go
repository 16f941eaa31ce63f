package resultfile

import (
	"encoding/json"
	"fmt"
	"strings"
)

// referenceBlock is what the reference experiment stores of one benchmark.
type referenceBlock struct {
	Passed *int `json:"passed"`
}

// referenceRow is one task in it.
type referenceRow struct {
	ID          taskID `json:"task_id"`
	Passed      *bool  `json:"passed"`
	Completions []struct {
		Completion *string `json:"completion"`
		Correct    *bool   `json:"correct"`
	} `json:"completions"`
}

// reference reads a document of the reference experiment: a block with "results", or an object of such blocks by name.
func (d document) reference(whole part, fields []field, o Options) (*File, error) {
	f := &File{Form: FormReference}
	var names []string
	var block part
	for _, m := range fields {
		switch {
		case m.key == "model":
			_ = json.Unmarshal(m.raw, &f.Model) // a name for tables; a file without one is as good
		case m.key == "results":
			names, block = append(names, m.key), whole
		case m.raw[0] == '{':
			inner, err := d.fields(m.part)
			if err != nil {
				return nil, err
			}
			for _, i := range inner {
				if i.key != "results" {
					continue
				}
				names = append(names, m.key)
				if len(names) == 1 || strings.EqualFold(m.key, o.Benchmark) {
					block = m.part
				}
			}
		}
	}
	if len(names) == 0 {
		e := d.fault(whole.at, "this is no result file: it has neither results nor an eval")
		e.Help = formsHint
		return nil, e
	}
	if len(names) > 1 {
		chosen := ""
		for _, name := range names {
			if strings.EqualFold(name, o.Benchmark) {
				chosen = name
			}
		}
		if chosen == "" {
			return nil, &Error{File: d.name, Why: "it holds results of several benchmarks: " + strings.Join(names, ", "),
				Help: "--dataset says which is meant"}
		}
		f.Notes = append(f.Notes, fmt.Sprintf("of its benchmarks %s, only %s was read", strings.Join(names, ", "), chosen))
	}
	return f, d.referenceBlock(f, block)
}

func (d document) referenceBlock(f *File, block part) error {
	var head referenceBlock
	if err := d.decode(block, &head, "the block"); err != nil {
		return err
	}
	f.Claimed = head.Passed
	members, err := d.fields(block)
	if err != nil {
		return err
	}
	var c collector
	for _, m := range members {
		if m.key != "results" {
			continue
		}
		rows, err := d.elements(m.part, "results")
		if err != nil {
			return err
		}
		for i, p := range rows {
			if err := d.referenceRow(&c, p, fmt.Sprintf("results[%d]", i)); err != nil {
				return err
			}
		}
	}
	f.Tasks = c.sorted()
	return nil
}

// referenceRow adds the samples of one task. A sample's own verdict counts before the task's.
func (d document) referenceRow(c *collector, p part, what string) error {
	var row referenceRow
	if err := d.decode(p, &row, what); err != nil {
		return err
	}
	if row.ID == "" {
		return d.fault(p.at, what+".task_id is missing")
	}
	if _, twice := c.at[Key(string(row.ID))]; twice {
		return d.fault(p.at, fmt.Sprintf("%s: task %q stands there twice", what, row.ID))
	}
	if len(row.Completions) == 0 {
		c.add(string(row.ID), Sample{Kind: Absent, Passed: row.Passed})
	}
	any, known := false, true
	for _, s := range row.Completions {
		sample := Sample{Kind: Absent, Passed: s.Correct}
		if s.Completion != nil {
			sample.Kind, sample.Text = Completion, *s.Completion
		}
		if s.Correct == nil && len(row.Completions) == 1 {
			sample.Passed = row.Passed
		}
		if sample.Passed == nil {
			known = false
		} else {
			any = any || *sample.Passed
		}
		if !c.add(string(row.ID), sample) {
			return d.tooMany(p.at)
		}
	}
	if row.Passed != nil && known && len(row.Completions) > 0 && any != *row.Passed {
		return d.fault(p.at, fmt.Sprintf("%s: passed contradicts the verdicts of the completions of %q", what, row.ID))
	}
	return nil
}
