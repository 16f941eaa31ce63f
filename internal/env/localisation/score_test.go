package localisation

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/google/go-cmp/cmp"
)

// sharedRankings is a file of rankings on machines that have it.
const sharedRankings = "../../../../shared/data/swebench_lite/file_localisation_150.jsonl"

// TestSharedRankings compares with figures that a separate Python script computed from the same file.
func TestSharedRankings(t *testing.T) {
	if _, err := os.Stat(sharedRankings); err != nil {
		t.Skip("shared data is not here: LocAgent's rankings are not scored")
	}
	s, err := ScoreFile(sharedRankings, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Records != 150 || s.Unranked != 0 {
		t.Errorf("%d records, %d unranked", s.Records, s.Unranked)
	}
	got := map[string]float64{}
	for _, v := range s.Metrics {
		got[v.Name] = 100 * v.Mean
		if !v.Interval.OK() || v.Interval.Lo > v.Mean || v.Interval.Hi < v.Mean {
			t.Errorf("%s: %v in %v", v.Name, v.Mean, v.Interval)
		}
	}
	for name, want := range map[string]float64{
		"acc@1": 76.66666666666667, "acc@3": 92, "acc@5": 94, "acc@10": 94.66666666666667, "recall@5": 94,
		"ndcg@3": 85.72991737142884, "ndcg@5": 86.5912704875756, "ndcg@10": 86.81349270979784, "map": 84.15079365079364,
	} {
		if math.Abs(got[name]-want) > 1e-9 {
			t.Errorf("%s = %v, want %v", name, got[name], want)
		}
	}
}

const rankings = `{"instance_id": "a", "gold_files": ["x.py"], "found_files": ["./x.py", "y.py"]}
{"instance_id": "b", "gold_files": ["x.py", "y.py"], "found_files": ["y.py:12", "z.py", "x.py"], "model_patch": ""}
{"instance_id": "c", "gold_files": ["x.py"], "found_files": []}
`

func value(t *testing.T, s Score, name string) float64 {
	t.Helper()
	for _, v := range s.Metrics {
		if v.Name == name {
			return v.Mean
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

func TestScore(t *testing.T) {
	s, err := score(strings.NewReader(rankings), "r.jsonl", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"acc@1": 1.0 / 3, "acc@3": 2.0 / 3, "recall@1": 0.5, "map": (1 + (1+2.0/3)/2) / 3} {
		if got := value(t, s, name); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	if method := s.Metrics[0].Interval.Method; s.Metrics[0].Name != "acc@1" || method != "wilson" {
		t.Errorf("the interval of %s is by %s", s.Metrics[0].Name, method)
	}
	// Records decide what is gold, and a record that is not ranked counts.
	records := []Record{{InstanceID: "a", GoldFiles: []string{"x.py"}}, {InstanceID: "b", GoldFiles: []string{"y.py"}},
		{InstanceID: "c", GoldFiles: []string{"x.py"}}, {InstanceID: "d", GoldFiles: []string{"x.py"}}}
	if s, err = score(strings.NewReader(rankings), "r.jsonl", Golds(records)); err != nil {
		t.Fatal(err)
	}
	if got := value(t, s, "acc@1"); got != 0.5 || s.Records != 4 || s.Unranked != 1 {
		t.Errorf("acc@1 = %v over %d records, %d unranked; want 0.5 over 4, 1", got, s.Records, s.Unranked)
	}
}

// TestScoreResults takes several rollouts of a record for one, and leaves out those that failed; repositories have rows of their own.
func TestScoreResults(t *testing.T) {
	results := ""
	for _, e := range []string{
		`{"instance_id": "a__b-1", "gold_files": ["x"], "found_files": ["x"], "gold_functions": ["x::f"], "found_functions": ["x::g", "x::f"]}`,
		`{"instance_id": "a__b-1", "gold_files": ["x"], "found_files": ["y"], "gold_functions": ["x::f"], "found_functions": []}`,
		`{"instance_id": "a__b-2", "gold_files": ["x"], "found_files": ["x"]}`,
		`{"instance_id": "c-3", "repo": "c/d", "gold_files": ["x"], "found_files": ["x"], "gold_lines": [{"file": "x", "line": 3, "end_line": 4}],
			"found_lines": [{"file": "x", "line": 1, "end_line": 3}]}`,
	} {
		results += `{"error": null, "info": {"extra": ` + strings.ReplaceAll(e, "\n", " ") + "}}\n"
	}
	results += `{"error": {"error": "ModelError"}, "info": {"extra": {"instance_id": "z", "gold_files": ["x"], "found_files": []}}}`
	s, err := ScoreResults(strings.NewReader(results))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"acc@1": 0.75, "function_acc@3": 0.5, "function_mrr": 0.25, "line_recall@1": 0.5} {
		if got := value(t, s, name); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	var repos []string
	for _, r := range s.Repositories {
		repos = append(repos, fmt.Sprint(r.Repo, " ", r.Records, " ", r.Metrics[0].Mean))
	}
	if d := cmp.Diff([]string{"a/b 2 0.6666666666666666", "c/d 1 1"}, repos); d != "" || s.Records != 3 {
		t.Error(s.Records, d)
	}
}

func TestScoreErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		records []Record
		want    string
	}{
		"no JSON":     {rankings + "x", nil, "r.jsonl:4: this is no JSON object with found files"},
		"no id":       {`{"gold_files": ["x"], "found_files": []}`, nil, `r.jsonl:1: instance_id "" is missing`},
		"twice":       {rankings + rankings, nil, `r.jsonl:4: instance_id "a" is that of line 1`},
		"not found":   {`{"instance_id": "a", "gold_files": ["x"]}`, nil, "r.jsonl:1: found_files is missing"},
		"no gold":     {`{"instance_id": "a", "found_files": ["x"]}`, nil, "r.jsonl:1: gold_files is missing"},
		"no record":   {rankings, []Record{{InstanceID: "z", GoldFiles: []string{"x"}}}, `r.jsonl:1: the data have no record "a"`},
		"empty":       {"\n", nil, "r.jsonl: the file ranks nothing"},
		"not a list":  {`{"instance_id": "a", "found_files": "x"}`, nil, "r.jsonl:1: this is no JSON object"},
		"odd id here": {`{"instance_id": "a b", "found_files": []}`, nil, `instance_id "a b"`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := score(strings.NewReader(c.text), "r.jsonl", Golds(c.records))
			var e *taskset.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Hint() == "" {
				t.Errorf("%+v and %v, want %q", s, err, c.want)
			}
		})
	}
	if _, err := ScoreFile("testdata/nope.jsonl", nil); err == nil || !strings.Contains(err.Error(), "nope.jsonl: no such file") {
		t.Error(err)
	}
}

func TestWritePredictions(t *testing.T) {
	results := `{"rollout": 0, "error": null, "info": {"task": "t", "extra": {"instance_id": "a", "gold_files": ["x"], ` +
		`"found_files": ["y", "x"], "model_patch": "--- a/x\n"}}}
{"rollout": 1, "error": null, "info": {"extra": {"instance_id": "a", "gold_files": ["x"], "found_files": ["z"], "model_patch": ""}}}
{"rollout": 0, "error": {"error": "ModelError"}, "info": {"extra": {"instance_id": "b", "found_files": []}}}
{"rollout": 0, "error": null, "info": {"task": "no extra"}}
{"rollout": 0, "info": {"extra": {"instance_id": "c", "found_files": null}}}
`
	for rollout, want := range []string{
		`{"instance_id":"a","model_name_or_path":"p/m","model_patch":"--- a/x\n","found_files":["y","x"]}` + "\n" +
			`{"instance_id":"c","model_name_or_path":"p/m","model_patch":"","found_files":[]}` + "\n",
		`{"instance_id":"a","model_name_or_path":"p/m","model_patch":"","found_files":["z"]}` + "\n",
		"",
	} {
		var b bytes.Buffer
		n, err := WritePredictions(strings.NewReader(results), "p/m", rollout, &b)
		if err != nil || n != strings.Count(want, "\n") {
			t.Errorf("rollout %d: %d lines, %v", rollout, n, err)
		}
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Errorf("rollout %d: %s", rollout, d)
		}
	}
	if _, err := WritePredictions(strings.NewReader("x"), "p/m", 0, &bytes.Buffer{}); err == nil {
		t.Error("a line that is no row is passed over")
	}
}
