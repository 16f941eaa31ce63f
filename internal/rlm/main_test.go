package rlm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// models hands out one root and one worker; a pool, if any, is kept.
type models struct {
	root, worker llm.Handle
}

func (m models) Root(pool *llm.Budget) (llm.Handle, error) { return funded(m.root, pool), nil }
func (m models) Worker(name string, pool *llm.Budget) (llm.Handle, error) {
	if name != "" && name != m.worker.Name {
		return llm.Handle{}, fmt.Errorf("no model %q", name)
	}
	return funded(m.worker, pool), nil
}

func funded(h llm.Handle, pool *llm.Budget) llm.Handle {
	if pool != nil {
		h.Model = llm.WithBudget(h.Model, pool, llm.BudgetConfig{Model: h.Name, Price: h.Price})
	}
	return h
}

// echo is a worker that finds nothing and says what it was asked: in prose to a question, as JSON to source.
func echo(_ context.Context, r llm.Request) (llm.Response, error) {
	cost, text := money.USD(7), "re: "+r.Messages[0].Content
	if strings.Contains(text, "\n") {
		data, err := json.Marshal(map[string]any{"summary": text, "findings": []any{}})
		if err != nil {
			return llm.Response{}, err
		}
		text = string(data)
	}
	return llm.Response{Text: text, Finish: llm.FinishStop, Cost: &cost, Usage: llm.Usage{InputTokens: 20, OutputTokens: 5}}, nil
}

type setup struct {
	files  map[string]string
	root   llm.Model
	worker llm.Func
	dir    string
	change func(*rlm.Config)
}

var twoFiles = map[string]string{
	"app/main.py":  "import os\n\n\ndef run(name):\n    os.system('ls ' + name)\n    return name\n\n\nrun('x')\n",
	"app/other.py": "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n",
}

// play runs a review in a directory, continuing from the trace in it.
func play(t testing.TB, ctx context.Context, s setup) (rlm.Result, error) {
	t.Helper()
	if s.files == nil {
		s.files = twoFiles
	}
	if s.worker == nil {
		s.worker = echo
	}
	if s.dir == "" {
		s.dir = t.TempDir()
	}
	file, err := os.OpenFile(filepath.Join(s.dir, "trace.jsonl"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	w, past, err := trace.Continue(file, time.Now, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	preset, err := rlm.BuiltinPreset("code")
	if err != nil {
		t.Fatal(err)
	}
	price := &llm.Price{Input: money.Dollar, Output: 2 * money.Dollar}
	cfg := rlm.Config{
		Codebase: codebase.FromMap(s.files), Sandbox: engine, Trace: w, Past: past, Preset: preset,
		Models: models{
			root:   llm.Handle{Name: "test/root", Model: s.root, Price: price},
			worker: llm.Handle{Name: "test/worker", Model: s.worker, Price: price},
		},
	}
	if s.change != nil {
		s.change(&cfg)
	}
	return rlm.Run(ctx, cfg)
}

// cells makes a reply of fenced cells.
func cells(code ...string) string {
	var b strings.Builder
	for _, c := range code {
		b.WriteString("```python\n" + c + "\n```\n")
	}
	return b.String()
}

// events reads a run's trace.
func events(t testing.TB, dir string) []trace.Event {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, _, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
