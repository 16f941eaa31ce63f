package localisation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// scoreHint says what is scored.
const scoreHint = `a line is {"instance_id", "gold_files": [path], "found_files": [path, best first]}; ` +
	`gold_files may stand in the records of --data instead`

// ranked is one line of a file that is scored.
type ranked struct {
	InstanceID string   `json:"instance_id"`
	GoldFiles  []string `json:"gold_files"`
	FoundFiles []string `json:"found_files"`
}

// Score is what rankings are worth.
type Score struct {
	Records int `json:"records"`
	// Unranked is how many records the file does not rank although the data have them; they count as not found.
	Unranked int     `json:"unranked"`
	Metrics  []Value `json:"metrics"`
}

// Value is one metric over all records.
type Value struct {
	Name string  `json:"name"`
	Mean float64 `json:"mean"`
	// Interval is at 95%: Wilson's for acc, which is a proportion, Student's t over records for the others.
	Interval stats.Interval `json:"interval"`
}

// ScoreFile scores the rankings in a file. Where a line has no gold files, those of the record with its instance_id
// count; records may be nil.
func ScoreFile(name string, records []Record) (Score, error) {
	f, err := bounded.Open(name, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return Score{}, &taskset.Error{File: name, Err: errors.New("no such file"), Advice: scoreHint}
	}
	if err != nil {
		return Score{}, err
	}
	defer f.Close()
	return score(f, name, records)
}

func score(from io.Reader, name string, records []Record) (Score, error) {
	byID := map[string]Record{}
	for _, r := range records {
		byID[r.InstanceID] = r
	}
	at, values := map[string]int{}, map[string][]float64{}
	add := func(gold, found []string) {
		for metric, v := range Measure(gold, found) {
			values[metric] = append(values[metric], v)
		}
	}
	err := taskset.EachLine(from, name, scoreHint, func(number int, text []byte) error {
		var r ranked
		if err := json.Unmarshal(text, &r); err != nil {
			return errors.New("this is no JSON object with found files")
		}
		if !instanceID.MatchString(r.InstanceID) {
			return fmt.Errorf("instance_id %q is missing or odd", r.InstanceID)
		}
		if other, ok := at[r.InstanceID]; ok {
			return fmt.Errorf("instance_id %q is that of line %d", r.InstanceID, other)
		}
		at[r.InstanceID] = number
		if r.FoundFiles == nil {
			return errors.New("found_files is missing; nothing found is []")
		}
		want := r.GoldFiles
		if len(records) > 0 {
			record, ok := byID[r.InstanceID]
			if !ok {
				return fmt.Errorf("the data have no record %q", r.InstanceID)
			}
			want = record.GoldFiles
		}
		if len(want) == 0 {
			return errors.New("gold_files is missing, and no data say which they are")
		}
		add(want, ranking(r.FoundFiles, func(string) bool { return false }))
		return nil
	})
	if err != nil {
		return Score{}, err
	}
	if len(at) == 0 {
		return Score{}, &taskset.Error{File: name, Err: errors.New("the file ranks nothing"), Advice: scoreHint}
	}
	s := Score{}
	for _, r := range records { // a file that was not ranked was not found: leaving out the hard ones must not pay
		if _, ok := at[r.InstanceID]; !ok {
			add(r.GoldFiles, nil)
			s.Unranked++
		}
	}
	s.Records = len(at) + s.Unranked
	for _, metric := range MetricNames() {
		v := Value{Name: metric, Mean: stats.Mean(values[metric])}
		if passed, ok := proportion(values[metric]); ok && metric[:3] == "acc" {
			v.Interval = stats.Wilson(passed, s.Records, 0.95)
		} else {
			v.Interval = stats.MeanCI(stats.Singles(values[metric]), stats.Unit(0.95))
		}
		s.Metrics = append(s.Metrics, v)
	}
	return s, nil
}

// proportion counts the ones among zeros and ones.
func proportion(xs []float64) (ones int, ok bool) {
	for _, x := range xs {
		switch x {
		case 1:
			ones++
		case 0:
		default:
			return 0, false
		}
	}
	return ones, true
}
