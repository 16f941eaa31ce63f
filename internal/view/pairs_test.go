package view_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
)

// otherPairs are lines that another program wrote: a conversation, and no pair.
const otherPairs = `{"prompt":[{"role":"user","content":"ask"}],"chosen":[{"role":"assistant","content":"x"}],` +
	`"rejected":[{"role":"assistant","content":"y"},{"role":"assistant","content":"z"}]}
not a pair
`

func pairsFiles() map[string]string {
	recipe := runfile.PairRecipe{Dataset: "mbpp", Options: runfile.PairOptions{Seed: 3}, Samples: []runfile.Ingredient{{Name: "s.jsonl",
		Weight: 0.5}}, Evals: []runfile.Ingredient{{Name: "humaneval"}}}
	good := runfile.PairProgram{PairOrigin: runfile.PairOrigin{Source: "s.jsonl", Generator: "a/b"}, Score: new(1.0),
		PairOutcome: runfile.PairOutcome{Verdict: sandbox.Passed, Public: "11"}}
	bad := runfile.PairProgram{PairOrigin: runfile.PairOrigin{Source: "mutants", Operator: "swap", Line: 2}, Score: new(0.5),
		PairOutcome: runfile.PairOutcome{Verdict: sandbox.Failed, Error: "ValueError", Public: "10", Mutated: "0"}}
	return map[string]string{
		"run.json": asLines[any](fullManifest{Manifest: manifest("pairs build"), Recipe: &recipe}),
		"train.jsonl": asLines[any](runfile.PairRow{TaskID: "T/1", Prompt: "ask", Chosen: "good code", Rejected: "bad",
			Provenance: runfile.PairProvenance{Dataset: "mbpp", Chosen: good, Rejected: bad, Similarity: new(0.9), TaskPassRate: new(0.25)}}) +
			otherPairs,
		"heldout.jsonl": asLines[any](runfile.PairRow{TaskID: "T/2", Prompt: "ask", Chosen: "c", Rejected: "r"}),
		"summary.json": asLines[any](runfile.PairBuild{Dataset: "mbpp", Subsets: []int{120}, Reverified: runfile.Reverified{OK: 3, Total: 4},
			Funnel:  []runfile.FunnelStep{{Name: "length", Of: "pairs", In: 9, Out: 4, Why: "too long"}},
			Sources: []runfile.PairSource{{Source: "mutants", Weight: 0.3, Pairs: 1}}, Controls: codeControls,
			Audit: &runfile.PairAudit{Pairs: 4, Warnings: []string{"few"}, Length: &runfile.PairLength{Accuracy: 0.6,
				CI: stats.Interval{Lo: 0.5, Hi: 0.7, Level: 0.95, Method: "t"}, Chosen: "shorter"}}, Run: 12}),
		"card.md": "# Card",
	}
}

// rolloutPair is a line that a training writes.
func rolloutPair() string {
	return asLines[any](map[string]any{"task": "t/0", "prompt": "v",
		"chosen": runfile.RolloutSide{Policy: "p", Reward: 0.75, Seed: 1, Turns: 2, Exchanges: []runfile.Exchange{{View: "v", Cell: "a"},
			{View: "w", Cell: "bc"}}},
		"rejected": runfile.RolloutSide{Policy: "p", Turns: 1, Exchanges: []runfile.Exchange{{View: "v", Cell: "d"}}}})
}

func TestPairs(t *testing.T) {
	document := get[pairs.PairSet](t, runtest.Tree(t, pairsFiles()), "pairs")
	if document.Form != "code" || document.Train != 3 || document.Heldout != 1 || document.Card != "# Card" ||
		document.Funnel[0].Out != 4 || document.Reverified.OK != 3 || document.Controls.CanonicalPassed != 2 {
		t.Fatalf("%+v", document)
	}
	r := document.Rows
	if got := fmt.Sprintln(r.Files[r.File[3]], r.Tasks[r.Task[0]], r.Sources[r.Source[0]], r.Verdicts[r.Verdict[0]], r.Errors[r.Error[0]],
		r.ChosenChars, r.RejectedChars, *r.PassRate[0]); got != "heldout.jsonl T/1 mutants: swap failed ValueError [9 1 0 1] [3 3 0 1] 0.25\n" {
		t.Error(got)
	}
	if document.Problem == "" || document.Audit.EvalSplitLeak != nil || document.Audit.Length.CI.Hi != 0.7 ||
		document.Settings[0].Value != "mbpp" {
		t.Errorf("%+v", document)
	}
}

// TestAnAuditHasBoundedListsAndNoIntervalThatNobodyMade reads an audit that leaves much out.
func TestAnAuditHasBoundedListsAndNoIntervalThatNobodyMade(t *testing.T) {
	wrong := make([]runfile.WrongLabel, 3000)
	errors := map[string]int{}
	for i := range wrong {
		errors[fmt.Sprint("E", i)] = 1
	}
	files := pairsFiles()
	files["summary.json"] = asLines[any](runfile.PairBuild{Reverified: runfile.Reverified{Wrong: wrong}, Subsets: make([]int, 3000),
		Audit: &runfile.PairAudit{Labels: &runfile.PairLabels{Wrong: wrong}, RejectedErrors: errors, Length: &runfile.PairLength{},
			Shortcut: &runfile.PairShortcut{}, Overlaps: []runfile.PairOverlap{{}}}})
	// Another version leaves out what it has not measured.
	files["summary.json"] = strings.ReplaceAll(files["summary.json"], `"ci95":{"lo":null,"hi":null,"level":0},`, "")
	set := get[pairs.PairSet](t, runtest.Tree(t, files), "pairs")
	a := set.Audit
	if a == nil || len(a.Labels.Wrong) != 2000 || len(a.RejectedErrors) != 2000 || len(set.Reverified.Wrong) != 2000 ||
		len(set.Subsets) != 2000 {
		t.Fatalf("%s", asJSON(set)[:200])
	}
	all := asJSON(set)
	for _, list := range []string{`"rejected_verdicts":{}`, `"warnings":[]`, `"examples":[]`, `"features":[]`, `"funnel":[]`, `"sources":[]`,
		`"accuracy":0,"ci95":{"lo":null,"hi":null`, `"accuracy":null,"ci95":{"lo":null,"hi":null`} {
		if !strings.Contains(all, list) {
			t.Errorf("no %s", list)
		}
	}
}

func TestAPair(t *testing.T) {
	dir := runtest.Tree(t, pairsFiles())
	first := get[pairs.PairPage](t, dir, "pairs/0")
	if first.Prompt[0].Text != "ask" || first.Chosen.Text != "good code" || first.Rejected.Verdict != "failed" ||
		first.Rejected.Public != "10" || *first.Rejected.Score != 0.5 || first.Previous != nil || *first.Next != 1 {
		t.Errorf("%+v", first)
	}
	if second := get[pairs.PairPage](t, dir, "pairs/1"); second.Rejected.Text != "y\nz" || second.Chosen.Score != nil ||
		second.Prompt[0].Role != "user" {
		t.Errorf("%+v", second)
	}
	if last := get[pairs.PairPage](t, dir, "pairs/3"); last.File != "heldout.jsonl" || last.Line != 1 || last.Task != "T/2" ||
		last.Next != nil {
		t.Errorf("%+v", last)
	}
	for resource, status := range map[string]int{"pairs/4": 404, "pairs/-1": 404, "pairs/x": 404, "pairs/2": 422} {
		var e *doc.Error
		if _, err := open(t, dir).Get(resource); !errors.As(err, &e) || e.Status != status {
			t.Errorf("%s: %v", resource, err)
		}
	}
}

func TestPairsOfRollouts(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": asLines[any](struct {
		runfile.Manifest
		Method string `json:"method"`
	}{manifest("train"), "pairs"}),
		"pairs.jsonl": rolloutPair(), "heldout_pairs.jsonl": ""})
	if h := header(t, dir); h.Kind != doc.Pairs || h.Status != doc.Completed || len(h.Sections) != 1 {
		t.Errorf("%+v", h)
	}
	document := get[pairs.PairSet](t, dir, "pairs")
	if document.Form != "trace" || document.Rows.ChosenScore[0] != 0.75 || document.Rows.ChosenChars[0] != 3 || document.Controls != nil ||
		document.Audit != nil {
		t.Errorf("%+v", document)
	}
	pair := get[pairs.PairPage](t, dir, "pairs/0")
	if pair.Chosen.Text != "a\n\nbc" || pair.Chosen.Exchanges[1].View != "w" || *pair.Rejected.Score != 0 || pair.Form != "trace" {
		t.Errorf("%+v", pair)
	}
}

// FuzzPairs reads pairs that a stranger wrote.
func FuzzPairs(f *testing.F) {
	files := pairsFiles()
	f.Add(files["run.json"], files["train.jsonl"], rolloutPair(), files["summary.json"])
	f.Add(`{"schema":1,"command":"train","method":"pairs"}`, `{"chosen":{},"rejected":[]}`+"\n",
		`{"chosen":{"exchanges":null},"rejected":{"reward":"x"}}`+"\n", `{"audit":{"similarity":{},"shortcut":{}}}`)
	f.Fuzz(func(t *testing.T, manifest, train, traces, summary string) {
		dir := runtest.Tree(t, map[string]string{"run.json": manifest, "train.jsonl": train, "pairs.jsonl": traces, "summary.json": summary})
		everything(t, dir, "pairs", "pairs/0", "pairs/1")
	})
}
