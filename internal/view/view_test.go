package view_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/review/list"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

func open(t testing.TB, dir string) *view.Run {
	t.Helper()
	r, err := view.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func header(t testing.TB, dir string) doc.Header {
	t.Helper()
	return get[doc.Header](t, dir, "")
}

func TestHeadersOfReviews(t *testing.T) {
	for name, c := range map[string]struct {
		files  map[string]string
		status doc.Status
		words  string // in the headline, problem or hint
	}{
		"done":             {map[string]string{"run.json": reviewManifest, "report.json": reviewReport}, doc.Completed, "2 findings: 1 high, 1 low"},
		"killed":           {map[string]string{"run.json": reviewManifest, "trace.jsonl": ""}, doc.Partial, "deeprepo resume"},
		"report cut":       {map[string]string{"run.json": reviewManifest, "report.json": reviewReport[:90]}, doc.Broken, "report.json: not readable"},
		"report no object": {map[string]string{"run.json": reviewManifest, "report.json": "[]"}, doc.Broken, "report.json: not readable"},
		"another schema":   {map[string]string{"run.json": strings.Replace(reviewManifest, `:1,`, `:9,`, 1), "report.json": reviewReport}, doc.Broken, "another version"},
		"manifest cut":     {map[string]string{"run.json": reviewManifest[:70], "trace.jsonl": "", "report.json": reviewReport}, doc.Broken, "run.json: not readable"},
		"no manifest":      {map[string]string{"trace.jsonl": "", "report.json": reviewReport}, doc.Completed, "2 findings"},
	} {
		t.Run(name, func(t *testing.T) {
			h := header(t, runtest.Tree(t, c.files))
			if h.Kind != doc.Review || h.Status != c.status || h.Live || !strings.Contains(h.Headline+h.Problem+h.Hint, c.words) {
				t.Errorf("%+v", h)
			}
		})
	}
}

// A list's run has its reviews in it, and says what its summary does.
func TestHeadersOfLists(t *testing.T) {
	summary := asJSON(runfile.List{Status: trace.StatusPartial, Repositories: make([]runfile.ListReview, 3), Done: 2, Failed: 1,
		Severities: map[string]int{"high": 2, "low": 1, "no severity": 9}, Lines: 200, Judged: 50, CostUSD: new(1.5)})
	manifest := asJSON(list.Manifest{Manifest: runfile.Manifest{Schema: rundir.Schema, Command: "list", Version: "1"},
		Options: list.Options{Review: review.Options{Root: "a/root", Worker: "a/worker"}}})
	files := map[string]string{"run.json": manifest, "summary.json": summary,
		"runs/one/run.json": reviewManifest, "runs/one/report.json": reviewReport}
	h := header(t, runtest.Tree(t, files))
	if h.Kind != doc.Reviews || h.Status != doc.Partial || h.Problem != "" || h.Headline != "2 of 3 repositories reviewed: 2 high, 1 low" ||
		*h.CostUSD != 1.5 || *h.Score != 0.25 || len(h.Models) != 2 || !strings.Contains(h.Hint, "deeprepo resume") {
		t.Errorf("%+v", h)
	}
	if len(h.Children) != 1 || h.Children[0].Kind != doc.Review || h.Children[0].Parent != h.ID {
		t.Errorf("%+v", h.Children)
	}
	delete(files, "summary.json")
	if h := header(t, runtest.Tree(t, files)); h.Status != doc.Partial || h.Problem != "" || h.Score != nil {
		t.Errorf("%+v", h)
	}
	files["summary.json"] = summary[:40]
	if h := header(t, runtest.Tree(t, files)); h.Status != doc.Broken || !strings.Contains(h.Problem, "summary.json: not readable") {
		t.Errorf("%+v", h)
	}
}

func TestARunAtWorkIsRunningAndAKilledOneIsNot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	d, err := rundir.Create(dir, rundir.Kind{Name: "run"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.json"), []byte(reviewManifest), 0o644); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	before := r.Version()
	if h := header(t, dir); h.Status != doc.Running || !h.Live {
		t.Errorf("at work: %+v", h.Row)
	}
	d.Close()
	if h := header(t, dir); h.Status != doc.Partial || h.Live {
		t.Errorf("killed: %+v", h.Row)
	}
	if r.Version() == before {
		t.Error("nothing says that the run has ended")
	}
}

func TestNothingOutsideIsRead(t *testing.T) {
	secret := runtest.Tree(t, map[string]string{"report.json": reviewReport, "run.json": reviewManifest})
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
	for _, name := range []string{"report.json", "trace.jsonl"} {
		if err := os.Symlink(filepath.Join(secret, "report.json"), filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here: " + err.Error())
		}
	}
	if h := header(t, dir); h.Status != doc.Broken || h.Headline != "" || len(h.Sections) != 0 {
		t.Errorf("a link was followed: %+v", h)
	}
	other := t.TempDir()
	if err := os.Symlink(filepath.Join(secret, "run.json"), filepath.Join(other, "run.json")); err != nil {
		t.Fatal(err)
	}
	if r, err := view.Open(other); err == nil {
		defer r.Close()
		if h := ask[doc.Header](t, r, ""); h.Kind != doc.Unknown || h.Status != doc.Broken {
			t.Errorf("a manifest outside was read: %+v", h)
		}
	}
}

func TestRunsAreFoundWithWhatIsInThem(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{
		"a/run.json": reviewManifest, "a/report.json": reviewReport,
		"t/plan.json": asJSON(recipe.Options{Schema: 1, Method: grpo.Method}), "t/.lock": "", "t/before/run.json": evalManifest,
		"other/run.json": `{"name":"not ours"}`, "other/metrics.jsonl": "", ".hidden/run.json": reviewManifest, "plans/plan.json": `{}`,
	})
	list := view.NewLister([]string{dir}, 100)
	for range 2 {
		rows, truncated, err := list.Runs(context.Background())
		if err != nil || truncated || len(rows) != 3 {
			t.Fatalf("%+v, %v, %v", rows, truncated, err)
		}
		if rows[0].Name != "a" || rows[1].Kind != doc.Training || rows[2].Parent != rows[1].ID || rows[2].Name != "before" {
			t.Errorf("%+v", rows)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a/report.json"), []byte(strings.Replace(reviewReport, `"low"`, `"info"`, 1)),
		0o644); err != nil {
		t.Fatal(err)
	}
	if rows, _, _ := list.Runs(context.Background()); !strings.Contains(rows[0].Headline, "info") {
		t.Errorf("a change was not seen: %+v", rows[0])
	}
	if rows, truncated, _ := view.NewLister([]string{dir}, 1).Runs(context.Background()); len(rows) != 1 || !truncated {
		t.Errorf("%d runs, truncated %v", len(rows), truncated)
	}
	h := header(t, filepath.Join(dir, "t"))
	if len(h.Children) != 1 || h.Children[0].Parent != h.ID {
		t.Errorf("children: %+v", h.Children)
	}
}

func TestUnknownResources(t *testing.T) {
	r := open(t, runtest.Tree(t, map[string]string{"run.json": reviewManifest}))
	for _, name := range []string{"nothing", "../run.json", "/", "file/../../x"} {
		_, err := r.Get(name)
		var known *doc.Error
		if !errors.As(err, &known) || known.Status != 404 {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := view.Open(t.TempDir()); err == nil {
		t.Error("an empty directory is a run")
	}
}

func TestAReviewAtWorkSaysHowFarItHasCome(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
	longTrace(t, dir, 100)
	h := header(t, dir)
	if h.Status != doc.Partial || h.Headline != "3 turns, 93 dispatches so far" || h.CostUSD == nil || *h.CostUSD != 96*12_345_678/1e12 {
		t.Errorf("%+v, %v", h.Row, *h.CostUSD)
	}
}

// TestAnArchiveHoldsWhatMatters fills files of two sizes.
func TestAnArchiveHoldsWhatMatters(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest, "report.json": reviewReport})
	longTrace(t, dir, 300)
	r := open(t, dir)
	whole, err := r.Archive(10<<20, false)
	if err != nil {
		t.Fatal(err)
	}
	small, err := r.Archive(6<<10, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(small) >= len(whole)/2 || len(small) < 4 {
		t.Errorf("%d and %d documents", len(small), len(whole))
	}
	for _, resource := range []string{"", "findings", "trace", "turn/2"} {
		if small[resource] == nil {
			t.Errorf("the small file has no %q", resource)
		}
	}
	middle, err := r.Archive(390<<10, false) // a third of the trace: every dispatch, in short
	if err != nil {
		t.Fatal(err)
	}
	var d traces.Dispatch
	if err := json.Unmarshal(middle["dispatch/255"], &d); err != nil || !strings.Contains(d.Prompt, "[cut for this file at 1500 of ") ||
		d.Reply == "" {
		t.Errorf("%v, %+v", err, d)
	}
	if len(middle) != len(whole) || !strings.Contains(string(middle[""]), "most of the dispatches' prompts") {
		t.Errorf("%d and %d documents", len(middle), len(whole))
	}
	for _, resource := range []string{"turn/254", "dispatch/255", "prompt/254"} {
		if whole[resource] == nil {
			t.Errorf("the large file has no %q", resource)
		}
	}
	var h doc.Header
	if err := json.Unmarshal(small[""], &h); err != nil || !strings.Contains(h.Omitted, "dispatches (") || h.Live {
		t.Errorf("%v, %+v", err, h)
	}
	if err := json.Unmarshal(whole[""], &h); err != nil || strings.Contains(string(whole[""]), "omitted") {
		t.Errorf("%v, %+v", err, h)
	}
}

// FuzzHeader gives whatever it likes for the files that a header is made of.
func FuzzHeader(f *testing.F) {
	for i, name := range headerFiles {
		for _, text := range []string{reviewManifest, reviewReport, `{"schema":1,"command":"eval","options":{"examples":3,"rollouts":-1}}`,
			asJSON(manifest("bench")), "null", `{"rows":[{"quality":1e308}]}`, "[]", ""} {
			f.Add(uint8(i), text, reviewManifest)
			f.Add(uint8(i), text, name)
		}
	}
	for _, command := range []string{"analyze", "eval", "bench", "code eval", "list", "pairs build", "train"} {
		f.Add(uint8(1), `{"status":"completed","reward":{"mean":1,"ci95":[0]},"pass_at_k":{"1":2},"before":{"reward":null}}`,
			`{"schema":1,"command":"`+command+`","options":[]}`)
	}
	f.Fuzz(func(t *testing.T, which uint8, text, manifest string) {
		dir := t.TempDir()
		name := headerFiles[int(which)%len(headerFiles)]
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "run.json"), []byte(manifest), 0o600),
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		r, err := view.Open(dir)
		if err != nil {
			return
		}
		defer r.Close()
		h := ask[doc.Header](t, r, "")
		if h.Status == "" && h.Kind != doc.Unknown {
			t.Errorf("%+v", h)
		}
		if _, err := json.Marshal(h); err != nil {
			t.Error(err)
		}
	})
}

var headerFiles = []string{"report.json", "summary.json", "bench.json", "compare.json", "plan.json", "metrics.jsonl", "results.jsonl",
	"trace.jsonl"}
