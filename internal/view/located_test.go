package view_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/google/go-cmp/cmp"
)

// ranking is the row of a rollout that keeps something.
func ranking(task, extra string) string {
	return aRow(0, 0, 1, func(r *runfile.EvalRow) { r.Info.Task, r.Info.Extra = task, json.RawMessage(extra) })
}

// ranked is what the page is told of such a rollout.
func ranked(t testing.TB, task, extra string) *evals.Located {
	t.Helper()
	dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "results.jsonl": ranking(task, extra)})
	return get[evals.EvalRollout](t, dir, "eval/rollout/0").Located
}

const fullRanking = `{"instance_id": "a__b-1", "repo": "a/b", "issue": "x <b>is</b> lost",
	"gold_files": ["a.py", "z.py"], "found_files": ["b.py", "a.py"],
	"gold_functions": ["a.py::C.m", "z.py"], "found_functions": ["a.py::C.m", "b.py"],
	"gold_lines": [{"file": "a.py", "line": 8, "end_line": 11}, {"file": "z.py", "line": 1, "end_line": 1}],
	"found_lines": [{"file": "a.py", "line": 3, "end_line": 9}, {"file": "b.py", "line": 7, "end_line": 7}],
	"ranked": {
		"files": [{"path": "b.py", "score": 1.9, "why": [{"name": "words", "value": 2.4}, {"name": "graph", "value": -0.5}]}, {"path": "a.py"}],
		"functions": [{"path": "a.py", "name": "C.m", "line": 3, "end_line": 9, "score": 1, "why": [{"name": "words", "value": 1}]},
			{"path": "other.py", "score": 9}]},
	"model_patch": "", "patch_applies": null, "patch_parses": null}`

func TestLocated(t *testing.T) {
	got := ranked(t, "localisation/a__b-1", fullRanking)
	one := func(v float64) *float64 { return &v }
	words, none := []runfile.Signal{{Name: "words", Value: 1}}, []runfile.Signal{}
	want := &evals.Located{Repo: "a/b", Issue: "x <b>is</b> lost", Levels: []evals.LocatedLevel{
		{Level: evals.LevelFiles, Ranked: 2, Gold: 2,
			Places: []evals.LocatedPlace{
				{Rank: 1, Path: "b.py", Score: one(1.9), Why: []runfile.Signal{{Name: "words", Value: 2.4}, {Name: "graph", Value: -0.5}}},
				{Rank: 2, Path: "a.py", Gold: 1, Why: none}},
			Missed: []evals.LocatedPlace{{Path: "z.py", Gold: 1, Why: none}}},
		{Level: evals.LevelFunctions, Ranked: 2, Gold: 2,
			Places: []evals.LocatedPlace{
				{Rank: 1, Path: "a.py", Name: "C.m", Line: 3, EndLine: 9, Gold: 1, Score: one(1), Why: words}, {Rank: 2, Path: "b.py", Why: none}},
			Missed: []evals.LocatedPlace{{Path: "z.py", Gold: 1, Why: none}}},
		{Level: evals.LevelLines, Ranked: 2, Gold: 5,
			Places: []evals.LocatedPlace{
				{Rank: 1, Path: "a.py", Name: "C.m", Line: 3, EndLine: 9, Gold: 2, Score: one(1), Why: words},
				{Rank: 2, Path: "b.py", Line: 7, EndLine: 7, Why: none}},
			Missed: []evals.LocatedPlace{
				{Path: "a.py", Line: 10, EndLine: 11, Gold: 2, Why: none}, {Path: "z.py", Line: 1, EndLine: 1, Gold: 1, Why: none}}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Rows of other environments have nothing of this, and older rows have what they keep.
func TestLocatedInOtherRows(t *testing.T) {
	if got := ranked(t, "orchestration/1", fullRanking); got != nil {
		t.Errorf("a rollout of another environment has %+v", got)
	}
	got := ranked(t, "localisation/a__b-1", `{"instance_id": "a__b-1", "gold_files": ["a.py"], "found_files": ["b.py"], "model_patch": ""}`)
	if len(got.Levels) != 1 || got.Issue != "" || got.Levels[0].Places[0].Score != nil || got.Levels[0].Missed[0].Path != "a.py" {
		t.Errorf("%+v", got)
	}
	for _, odd := range []string{`null`, `[]`, `"x"`, `{"found_files": 1}`, `{"ranked": []}`} {
		if got := ranked(t, "localisation/a__b-1", odd); got != nil {
			t.Errorf("%s: %+v", odd, got)
		}
	}
}

// Of a long ranking the first places are shown; gold behind them has its rank.
func TestLocatedIsBounded(t *testing.T) {
	var found []string
	for i := range 50 {
		found = append(found, fmt.Sprintf("f%d.py", i))
	}
	text := strings.Repeat("x", 100_000)
	at := func(first, last int) runfile.LineRange {
		return runfile.LineRange{File: "a", Line: first, EndLine: last}
	}
	extra, err := json.Marshal(runfile.Localisation{Issue: text, Rankings: runfile.Rankings{
		FoundFiles: found, GoldFiles: []string{"f19.py", "f20.py"},
		GoldLines: []runfile.LineRange{at(5, 1<<60), at(-1, 4), at(7, 2)}, FoundLines: []runfile.LineRange{at(1<<60, 1)}},
		Ranked: &runfile.Ranked{Files: []runfile.RankedPlace{
			{Path: "f0.py", Score: new(1e300), Why: []runfile.Signal{{Name: "x", Value: -1e300}, {Name: "words", Value: 1}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	got := ranked(t, "localisation/a", string(extra))
	files, lines := got.Levels[0], got.Levels[1]
	if f := files.Places[0]; f.Score != nil || len(f.Why) != 1 || f.Why[0].Name != "words" {
		t.Errorf("what no ranking can have said is shown: %+v", f)
	}
	if len(got.Issue) > 70_000 || files.Ranked != 50 || len(files.Places) != 20 || files.Places[19].Gold != 1 || len(files.Missed) != 1 ||
		files.Missed[0].Rank != 21 {
		t.Errorf("%d bytes of an issue, files %+v", len(got.Issue), files)
	}
	if lines.Gold != 1 || lines.Ranked != 0 || len(lines.Missed) != 1 || lines.Missed[0].Line != 7 {
		t.Errorf("lines %+v", lines)
	}
}

// FuzzLocated: whatever a row keeps, what is shown of it is short, and gold is either among the places or missed.
func FuzzLocated(f *testing.F) {
	f.Add(fullRanking)
	f.Add(`{"gold_lines": [{"file": "a", "line": 1, "end_line": 9}],
		"found_lines": [{"file": "a", "line": 2, "end_line": 3}, {"file": "a", "line": 2}], "found_files": ["a", "a", ""],
		"gold_files": ["a", "a"], "ranked": {"files": [{"path": "a", "score": 1e308, "why": [{"value": -1e308}]}]}}`)
	f.Fuzz(func(t *testing.T, extra string) {
		if !json.Valid([]byte(extra)) {
			return
		}
		got := ranked(t, "localisation/x", extra)
		if got == nil {
			return
		}
		asJSON(got)
		for _, l := range got.Levels {
			if len(l.Places) > 20 || len(l.Missed) > 100 {
				t.Fatalf("%s: %d places, %d missed", l.Level, len(l.Places), len(l.Missed))
			}
			missed := 0
			for _, p := range l.Missed {
				missed += p.Gold
				if p.Gold < 1 || l.Level == evals.LevelLines && (p.Line < 1 || p.EndLine < p.Line) || p.Rank != 0 && p.Rank <= len(l.Places) {
					t.Fatalf("%s: missed %+v", l.Level, p)
				}
			}
			if missed > l.Gold {
				t.Fatalf("%s: %d missed of %d", l.Level, missed, l.Gold)
			}
		}
	})
}
