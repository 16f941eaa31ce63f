package openenv_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

func TestTraces(t *testing.T) {
	dir := t.TempDir()
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e, TraceDir: dir})
	c := dial(t, base)
	c.call(`{"type":"reset","data":{"episode_id":"../../etc/passwd"}}`)
	c.step("answer 5")
	c.call(`{"type":"reset","data":{"index":1}}`)
	c.ws.CloseNow()
	eventually(t, "the rollout ends", func() bool { return s.Active() == 0 })
	names := list(t, dir)
	if len(names) != 2 || !strings.HasPrefix(names[0], "loop-train-0-0-") || !strings.HasSuffix(names[0], ".jsonl") ||
		strings.Contains(names[0], "interrupted") ||
		!strings.HasPrefix(names[1], "loop-train-0-1-") || !strings.HasSuffix(names[1], ".interrupted.jsonl") {
		t.Fatalf("files %q", names)
	}
	file, err := os.Open(filepath.Join(dir, names[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	events, _, err := trace.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 1 || events[0].Start.Run != "../../etc/passwd" {
		t.Errorf("events %+v", events)
	}
}

func TestTraceThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	_, base := serve(t, openenv.Config{TraceDir: filepath.Join(dir, "gone")})
	if r := dial(t, base).call(`{"type":"reset"}`); r.Data.Code != "EXECUTION_ERROR" || !strings.Contains(r.Data.Message, "trace") {
		t.Errorf("%+v", r)
	}
}

func list(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}
