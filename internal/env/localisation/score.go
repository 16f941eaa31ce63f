package localisation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// scoreHint says what is scored.
const scoreHint = `a line is {"instance_id", "gold_files": [path], "found_files": [path, best first]}; gold_files may stand in the ` +
	`records of --data instead; gold_functions and found_functions ["path::Class.method"], gold_lines and found_lines ` +
	`[{"file", "line", "end_line"}] may be left out`

// line is one line of a file that is scored.
type line struct {
	InstanceID string `json:"instance_id"`
	runfile.Rankings
}

// Gold is what a record's ranking should hold.
type Gold struct {
	InstanceID, Repo string
	Answer
}

// Golds are those of records by themselves: files.
func Golds(records []Record) (golds []Gold) {
	for _, r := range records {
		golds = append(golds, Gold{r.InstanceID, r.Repo, Answer{Files: r.GoldFiles}})
	}
	return golds
}

// ReadGolds are those of records with their repositories, of which the gold files are read: functions and lines too.
func ReadGolds(ctx context.Context, c Config) (golds []Gold, err error) {
	if _, err := New(c); err != nil {
		return nil, err
	}
	for _, r := range c.Records {
		code, err := codebase.Read(ctx, c.dir(r.Repo), r.GoldFiles, codebase.Options{Commit: r.BaseCommit})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.InstanceID, err)
		}
		gold, err := r.Gold(ctx, code, c.Parser)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.InstanceID, err)
		}
		golds = append(golds, Gold{r.InstanceID, r.Repo, gold})
	}
	return golds, nil
}

// Score is what rankings are worth.
type Score struct {
	Records int `json:"records"`
	// Unranked is how many records the file does not rank although the data have them; they count as not found.
	Unranked int     `json:"unranked"`
	Metrics  []Value `json:"metrics"`
	// Repositories are the same figures by repository, where there are several.
	Repositories []RepositoryScore `json:"repositories,omitempty"`
}

// RepositoryScore is what the rankings of one repository's records are worth.
type RepositoryScore struct {
	Repo    string  `json:"repo"`
	Records int     `json:"records"`
	Metrics []Value `json:"metrics"`
}

// Value is one metric over all records that have gold at its level.
type Value struct {
	Name    string  `json:"name"`
	Records int     `json:"records"`
	Mean    float64 `json:"mean"`
	// Interval is at 95%: Wilson's for acc of one ranking a record, which is a proportion, Student's t with the record as the unit for
	// the others.
	Interval stats.Interval `json:"interval"`
}

// tally gathers measured rankings by record.
type tally struct {
	order []string                        // instance ids
	repos map[string]string               // by instance id
	all   map[string][]map[string]float64 // by instance id, a map for each ranking
}

func newTally() *tally {
	return &tally{repos: map[string]string{}, all: map[string][]map[string]float64{}}
}

// published is an instance id that begins with its repository's name: owner__name-123.
var published = pattern.New(`^(\w[\w.-]*)__(\w[\w.-]*)-[0-9]+$`)

func (t *tally) add(id, repo string, gold, found Answer) {
	if _, ok := t.all[id]; !ok {
		t.order = append(t.order, id)
		if m := published.FindStringSubmatch(id); m != nil && repo == "" {
			repo = m[1] + "/" + m[2]
		}
		t.repos[id] = cmp.Or(repo, "?")
	}
	t.all[id] = append(t.all[id], Measure(gold, found))
}

// score sums up.
func (t *tally) score() Score {
	s := Score{Records: len(t.order), Metrics: t.values(t.order)}
	of := map[string][]string{}
	for _, id := range t.order {
		of[t.repos[id]] = append(of[t.repos[id]], id)
	}
	if len(of) > 1 {
		for _, repo := range slices.Sorted(maps.Keys(of)) {
			s.Repositories = append(s.Repositories, RepositoryScore{repo, len(of[repo]), t.values(of[repo])})
		}
	}
	return s
}

// values are the metrics over some records.
func (t *tally) values(ids []string) (out []Value) {
	for _, metric := range MetricNames() {
		var groups [][]float64
		var singles []float64
		for _, id := range ids {
			var group []float64
			for _, m := range t.all[id] {
				if v, ok := m[metric]; ok {
					group = append(group, v)
				}
			}
			if len(group) > 0 {
				groups, singles = append(groups, group), append(singles, group...)
			}
		}
		if len(groups) == 0 {
			continue
		}
		v := Value{Name: metric, Records: len(groups), Mean: stats.Mean(singles)}
		if passed, ok := proportion(singles); ok && strings.Contains(metric, "acc@") && len(singles) == len(groups) {
			v.Interval = stats.Wilson(passed, len(groups), 0.95)
		} else {
			v.Interval = stats.MeanCI(groups, stats.Unit(0.95))
		}
		out = append(out, v)
	}
	return out
}

// ScoreFile scores the rankings in a file. What the golds of a line's instance_id hold counts, and the line's own gold where they do
// not say; golds may be nil.
func ScoreFile(name string, golds []Gold) (Score, error) {
	f, err := bounded.Open(name, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return Score{}, &taskset.Error{File: name, Err: errors.New("no such file"), Advice: scoreHint}
	}
	if err != nil {
		return Score{}, err
	}
	defer f.Close()
	return score(f, name, golds)
}

func score(from io.Reader, name string, golds []Gold) (Score, error) {
	byID := map[string]Gold{}
	for _, g := range golds {
		byID[g.InstanceID] = g
	}
	at, all := map[string]int{}, newTally()
	err := taskset.EachLine(from, name, scoreHint, func(number int, text []byte) error {
		var r line
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
		want, found := split(r.Rankings)
		gold, ok := byID[r.InstanceID]
		if !ok && len(golds) > 0 {
			return fmt.Errorf("the data have no record %q", r.InstanceID)
		}
		if ok {
			want.Files = gold.Files
			if len(gold.Functions)+len(gold.Ranges) > 0 {
				want = gold.Answer
			}
		}
		if len(want.Files) == 0 {
			return errors.New("gold_files is missing, and no data say which they are")
		}
		all.add(r.InstanceID, gold.Repo, want, found)
		return nil
	})
	if err != nil {
		return Score{}, err
	}
	if len(at) == 0 {
		return Score{}, &taskset.Error{File: name, Err: errors.New("the file ranks nothing"), Advice: scoreHint}
	}
	unranked := 0
	for _, g := range golds { // a file that was not ranked was not found: leaving out the hard ones must not pay
		if _, ok := at[g.InstanceID]; !ok {
			all.add(g.InstanceID, g.Repo, g.Answer, Answer{})
			unranked++
		}
	}
	s := all.score()
	s.Unranked = unranked
	return s, nil
}

// ScoreResults scores the rows of an eval's results.jsonl, several rollouts of a record as one. Rollouts that ended in an error are
// left out; an eval of nothing else has no records.
func ScoreResults(results io.Reader) (Score, error) {
	all := newTally()
	err := eachRow(results, func(_ int, e runfile.Localisation) error {
		gold, found := split(e.Rankings)
		all.add(e.InstanceID, e.Repo, gold, found)
		return nil
	})
	return all.score(), err
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
