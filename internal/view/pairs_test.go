package view_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
)

const (
	pairsManifest = `{"schema":1,"command":"pairs build","version":"1","started_at":"2026-01-02T03:04:05Z","recipe":{"dataset":"mbpp",` +
		`"options":{"seed":3},"samples":[{"name":"s.jsonl","weight":0.5}],"evaluation_sets":[{"name":"humaneval"}],"model":null}}`
	pairsTrain = `{"task_id":"T/1","prompt":"ask","chosen":"good code","rejected":"bad","provenance":{"dataset":"mbpp",` +
		`"chosen":{"source":"s.jsonl","generator":"a/b","score":1,"verdict":"passed","public":"11"},` +
		`"rejected":{"source":"mutants","operator":"swap","line":2,"score":0.5,"verdict":"failed","error":"ValueError","public":"10",` +
		`"mutated":"0"},"similarity":0.9,"task_pass_rate":0.25}}
{"prompt":[{"role":"user","content":"ask"}],"chosen":[{"role":"assistant","content":"x"}],"rejected":[{"role":"assistant","content":"y"},` +
		`{"role":"assistant","content":"z"}]}
not a pair
`
	pairsHeldout = `{"task_id":"T/2","prompt":"ask","chosen":"c","rejected":"r"}
`
	pairsSummary = `{"dataset":"mbpp","subsets":[120],"reverified":{"ok":3,"total":4},` +
		`"funnel":[{"name":"length","of":"pairs","in":9,"out":4,"why":"too long"}],` +
		`"sources":[{"source":"mutants","weight":0.3,"pairs":1}],` + codeControls + `,"audit":{"pairs":4,"warnings":["few"],` +
		`"length":{"accuracy":0.6,"ci95":{"lo":0.5,"hi":0.7},"chosen_is":"shorter"},"eval_split_leak":null},"programs_run":12}`
	tracePairs = `{"task":"t/0","prompt":"v","chosen":{"policy":"p","reward":0.75,"seed":"1","turns":2,` +
		`"exchanges":[{"view":"v","cell":"a"},{"view":"w","cell":"bc"}]},"rejected":{"policy":"p","reward":0,"turns":1,` +
		`"exchanges":[{"view":"v","cell":"d"}]}}
`
)

func pairsFiles() map[string]string {
	return map[string]string{"run.json": pairsManifest, "train.jsonl": pairsTrain, "heldout.jsonl": pairsHeldout,
		"summary.json": pairsSummary, "card.md": "# Card"}
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
	dir := runtest.Tree(t, map[string]string{"run.json": `{"schema":1,"command":"train","method":"pairs","options":{"seed":1}}`,
		"pairs.jsonl": tracePairs, "heldout_pairs.jsonl": ""})
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
	f.Add(pairsManifest, pairsTrain, tracePairs, pairsSummary)
	f.Add(`{"schema":1,"command":"train","method":"pairs"}`, `{"chosen":{},"rejected":[]}`+"\n",
		`{"chosen":{"exchanges":null},"rejected":{"reward":"x"}}`+"\n", `{"audit":{"similarity":{},"shortcut":{}}}`)
	f.Fuzz(func(t *testing.T, manifest, train, traces, summary string) {
		dir := runtest.Tree(t, map[string]string{"run.json": manifest, "train.jsonl": train, "pairs.jsonl": traces, "summary.json": summary})
		everything(t, dir, "pairs", "pairs/0", "pairs/1")
	})
}
