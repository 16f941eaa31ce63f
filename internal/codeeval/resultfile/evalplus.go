package resultfile

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// evalPlusSample is a sample in the files of EvalPlus 0.2 and later.
type evalPlusSample struct {
	Solution *string `json:"solution"`
	Base     *string `json:"base_status"`
	Plus     *string `json:"plus_status"`
}

// evalPlusTask is a task in the files of EvalPlus 0.1: a status and details for each sample, and no texts.
type evalPlusTask struct {
	Base []json.RawMessage `json:"base"`
	Plus []json.RawMessage `json:"plus"`
}

// evalPlus reads the "eval" of EvalPlus's document.
func (d document) evalPlus(p part, o Options) (*File, error) {
	f := &File{Form: FormEvalPlus}
	tasks, err := d.fields(p)
	if err != nil {
		return nil, err
	}
	var c collector
	for _, t := range tasks {
		if t.key == "" || len(t.key) > maxID {
			return nil, d.fault(t.at, fmt.Sprintf("eval: a task's name is empty or longer than %d bytes", maxID))
		}
		what := fmt.Sprintf("eval[%q]", t.key)
		if _, twice := c.at[Key(t.key)]; twice {
			return nil, d.fault(t.at, what+" stands there twice")
		}
		var samples []Sample
		if t.raw[0] == '[' {
			samples, err = d.evalPlusSamples(t.part, what, o.Plus)
		} else {
			samples, err = d.evalPlusStatuses(t.part, what, o.Plus)
		}
		if err != nil {
			return nil, err
		}
		for _, s := range samples {
			if !c.add(t.key, s) {
				return nil, d.tooMany(t.at)
			}
		}
	}
	f.Tasks = c.sorted()
	if o.Plus {
		f.Notes = append(f.Notes, "passes are of base and extra tests")
	} else {
		f.Notes = append(f.Notes, "passes are of the base tests; --plus counts the extra tests, too")
	}
	return f, nil
}

func (d document) evalPlusSamples(p part, what string, plus bool) ([]Sample, error) {
	parts, err := d.elements(p, what)
	if err != nil {
		return nil, err
	}
	var out []Sample
	for i, q := range parts {
		what := fmt.Sprintf("%s[%d]", what, i)
		var s evalPlusSample
		if err := d.decode(q, &s, what); err != nil {
			return nil, err
		}
		sample := Sample{Kind: Absent}
		if s.Solution != nil {
			sample.Kind, sample.Text = Program, *s.Solution
		}
		if sample.Result, sample.Passed, err = d.evalPlusVerdict(q, s.Base, s.Plus, what, plus); err != nil {
			return nil, err
		}
		out = append(out, sample)
	}
	return out, nil
}

func (d document) evalPlusStatuses(p part, what string, plus bool) ([]Sample, error) {
	var t evalPlusTask
	if err := d.decode(p, &t, what); err != nil {
		return nil, err
	}
	if plus && len(t.Plus) != len(t.Base) {
		return nil, d.fault(p.at, fmt.Sprintf("%s: %d samples of base tests, %d of extra tests", what, len(t.Base), len(t.Plus)))
	}
	var out []Sample
	for i := range t.Base {
		base, err := d.status(p, t.Base[i], fmt.Sprintf("%s.base[%d]", what, i))
		if err != nil {
			return nil, err
		}
		var extra *string
		if plus {
			if extra, err = d.status(p, t.Plus[i], fmt.Sprintf("%s.plus[%d]", what, i)); err != nil {
				return nil, err
			}
		}
		s := Sample{Kind: Absent}
		if s.Result, s.Passed, err = d.evalPlusVerdict(p, base, extra, what, plus); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// status is the first item of [status, details], or the status alone.
func (d document) status(p part, raw json.RawMessage, what string) (*string, error) {
	if bytes.HasPrefix(raw, []byte("[")) {
		var pair []json.RawMessage
		if json.Unmarshal(raw, &pair) != nil || len(pair) == 0 {
			return nil, d.fault(p.at, what+" has no status")
		}
		raw = pair[0]
	}
	var s *string
	if json.Unmarshal(raw, &s) != nil {
		return nil, d.fault(p.at, what+" has no status")
	}
	return s, nil
}

// evalPlusVerdict is what the statuses say. One that is missing or null was not judged.
func (d document) evalPlusVerdict(p part, base, extra *string, what string, plus bool) (string, *bool, error) {
	all := []*string{base}
	if plus {
		all = append(all, extra)
	}
	passed, words := true, ""
	for _, s := range all {
		if s == nil {
			return "", nil, nil
		}
		switch *s {
		case "pass", "success":
			words = "passed"
		case "fail", "failed":
			passed = false
			return "failed", &passed, nil
		case "timeout", "timed out":
			passed = false
			return "timed out", &passed, nil
		default:
			return "", nil, d.fault(p.at, what+": a status is none of pass, fail, timeout")
		}
	}
	return words, &passed, nil
}
