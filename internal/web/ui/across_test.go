package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/view"
)

// beside writes two evals of the same tasks, one of others, one training, and serves them.
func beside(t *testing.T) (dir string, ask func(resource string, ids ...string) (int, string)) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, gain := range map[string]float64{"base": 0, "trained": 0.25, "others": 0} {
		rows := ""
		for i := range 8 {
			rows += fmt.Sprintf(`{"example_id":%d,"rollout":0,"reward":%v,"info":{"task":"t%d"},`+
				`"stop_condition":"done","metrics":{"num_turns":2}}`+"\n", i, float64(i)/16+gain, i)
		}
		environment := map[bool]string{true: "another", false: "orchestration"}[name == "others"]
		write(name+"/results.jsonl", rows)
		write(name+"/metadata.json", fmt.Sprintf(`{"env_id":%q,"model":"m/%s","num_examples":8,"rollouts_per_example":1}`, environment, name))
		write(name+"/run.json", `{"schema":1,"command":"eval","options":{}}`)
	}
	write("train/run.json", `{"schema":1,"command":"train","method":"grpo","options":{}}`)
	write("train/summary.json", `{"schema":1,"method":"grpo","status":"completed","engine":"embedded","steps":3,"seed":1}`)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Dirs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return dir, func(resource string, names ...string) (int, string) {
		var ids []string
		for _, name := range names {
			ids = append(ids, view.ID(filepath.Join(dir, name)))
		}
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/api/runs/"+ids[0]+"/"+resource+strings.Join(ids[1:], ","), nil)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
}

// What the page shows of two evals is what the command prints of them, the other one first.
func TestEvalsAgainstEachOther(t *testing.T) {
	dir, ask := beside(t)
	status, text := ask("eval/compare/", "trained", "base")
	if status != http.StatusOK {
		t.Fatal(status, text)
	}
	var saved []eval.Saved
	for _, name := range []string{"base", "trained"} {
		s, err := eval.Load(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		saved = append(saved, s)
	}
	want, err := eval.CompareSaved(saved)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(text) != strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(printed)) ||
		want.Tests[0].Diff != 0.25 {
		t.Errorf("the page is told\n%s\nand the command prints\n%s", text, printed)
	}
	for _, names := range [][]string{{"trained", "others"}, {"trained", "train"}, {"trained", "nowhere"}} {
		if status, text := ask("eval/compare/", names...); status < 400 || status >= 500 || !strings.Contains(text, `"message"`) {
			t.Errorf("%v: %d %s", names, status, text)
		}
	}
}

func TestTrainingsSideBySide(t *testing.T) {
	dir, ask := beside(t)
	status, text := ask("training/compare/", "train", "train")
	var joint report.Joint
	if status != http.StatusOK || json.Unmarshal([]byte(text), &joint) != nil || len(joint.Runs) != 2 ||
		joint.Runs[1].Run != filepath.Join(dir, "train") || joint.Runs[0].Steps != 3 {
		t.Errorf("%d %s", status, text)
	}
	many := make([]string, 20)
	for i := range many {
		many[i] = "train"
	}
	if status, text := ask("training/compare/", many...); status != http.StatusRequestEntityTooLarge {
		t.Errorf("20 trainings: %d %s", status, text)
	}
	if status, _ := ask("training/compare/", "train", "base"); status != http.StatusUnprocessableEntity {
		t.Errorf("an eval among trainings: %d", status)
	}
}

// TestHistoryOfARun: what the page shows of a review's codebase is what the command prints of it; other runs have none.
func TestHistoryOfARun(t *testing.T) {
	dir, ask := beside(t)
	for n, name := range []string{"r1", "r2"} {
		path := filepath.Join(dir, name)
		text := fmt.Sprintf(`{"schema":1,"run":{"status":"completed","started_at":"2026-11-2%dT10:00:00Z"},"repo":{"path":"/src/app"}}`, n)
		if err := errors.Join(os.MkdirAll(path, 0o755), os.WriteFile(filepath.Join(path, "report.json"), []byte(text), 0o644),
			os.WriteFile(filepath.Join(path, "run.json"), []byte(`{"schema":1,"command":"analyze","options":{}}`), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	status, text := ask("history", "r2")
	var h History
	if err := json.Unmarshal([]byte(text), &h); status != http.StatusOK || err != nil || len(h.Reviews) != 2 {
		t.Fatal(status, err, text)
	}
	first, last := h.Reviews[0], h.Reviews[1]
	if first.Link != view.ID(filepath.Join(dir, "r1")) || last.Of != first.Link || last.Run != filepath.Join(dir, "r2") || *last.New != 0 {
		t.Errorf("%s", text)
	}
	if status, text := ask("history", "train"); status != http.StatusOK || strings.TrimSpace(text) != `{"reviews":[],"omitted":0}` {
		t.Errorf("%d %s", status, text)
	}
	if status, _ := ask("history", "nowhere"); status != http.StatusNotFound {
		t.Error(status)
	}
}
