package rlm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// of gives the events of one kind.
func of(list []trace.Event, kind trace.Kind) (some []trace.Event) {
	for _, e := range list {
		if e.Kind == kind {
			some = append(some, e)
		}
	}
	return some
}

func TestTheTraceTellsWhatACellChanged(t *testing.T) {
	const secret = "ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{
		cells("files = sorted(codebase)\ntotal = 0", "total += len(files)\nfiles.append('more')"),
		cells("key = '" + secret + "'\nedge = 'x' * 180 + key + 'y' * 500"),
		cells("long = list(range(5000))\ndel total"),
		cells("for i in range(100): globals()[f'v{i}'] = i\nprint(sorted(n for n in globals() if 'see' in n or 'watch' in n))\nSHOW_VARS()"),
		cells("set_answer('done')"),
	}}
	if _, err := play(t, context.Background(), setup{root: root, dir: dir,
		change: func(c *rlm.Config) { c.Redact = redact.New() }}); err != nil {
		t.Fatal(err)
	}
	var got []string
	var total []int
	for _, e := range of(events(t, dir), trace.KindCell) {
		var list []string
		for _, v := range e.Cell.Variables {
			if len([]rune(v.Value)) > trace.MaxValue || strings.Contains(v.Value, secret[:20]) {
				t.Errorf("%s is told as %q", v.Name, v.Value)
			}
			list = append(list, fmt.Sprintf("%s %s %s %.60s", v.Change, v.Name, v.Type, v.Value))
		}
		got, total = append(got, strings.Join(list, "\n")), append(total, e.Cell.VariablesTotal)
	}
	want := []string{
		"new files list ['app/main.py', 'app/other.py']\nnew total int 0",
		"changed files list ['app/main.py', 'app/other.py', 'more']\nchanged total int 2",
		"new key str '[REDACTED:github-token]'\nnew edge str '" + strings.Repeat("x", 59),
		"new long list [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1\ndeleted total int ",
	}
	if diff := cmp.Diff(want, got[:4]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.Equal(total, []int{0, 0, 0, 0, 101, 0}) { // and i
		t.Errorf("changed: %v", total)
	}
	if got[5] != "changed answer Answer Answer({'content': 'done', 'ready': True})" {
		t.Errorf("the answer: %s", got[5])
	}
	if seen := root.Seen[len(root.Seen)-1].Messages; !strings.Contains(seen[len(seen)-1].Content, "[]\nfiles: list") {
		t.Errorf("the root sees more than its own names:\n%s", seen[len(seen)-1].Content)
	}
}

// The prompt of every turn can be put together from the trace.
func TestTheTraceHoldsTheSystemPrompts(t *testing.T) {
	dir := t.TempDir()
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		text := cells("set_answer('a child')")
		if !strings.Contains(r.Messages[0].Content, "Your task") {
			text = cells("print(rlm_batch(['one', 'two']))\nset_answer('done')")
		}
		return llm.Response{Text: text, Cost: new(money.USD)}, nil
	})
	s := setup{root: root, dir: dir, change: func(c *rlm.Config) { c.MaxDepth = 1 }}
	for range 2 {
		if _, err := play(t, context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	var systems []string
	for _, e := range of(events(t, dir), trace.KindStart) {
		what := "again"
		if text := e.Start.System; text != "" {
			what = fmt.Sprintf("children %v", strings.Contains(text, "rlm_query"))
		}
		systems = append(systems, e.Node+" "+what)
	}
	slices.Sort(systems)
	want := []string{" again", " children true", "t001.c01.d001.0001 children false", "t001.c01.d001.0002 children false"}
	if diff := cmp.Diff(want, systems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, e := range of(events(t, dir), trace.KindRoot) {
		if e.Root.System != "" {
			t.Errorf("%s repeats the system prompt", e.Key)
		}
	}
}

// A run that is cut anywhere and resumed leaves a trace that tells what the uninterrupted one tells.
func TestAResumedTraceTellsTheSame(t *testing.T) {
	files := manyFiles(4)
	run := func(dir string) map[string]any {
		_, err := play(t, context.Background(), setup{files: files, root: &runtest.Script{Replies: reviewCells}, worker: (&counted{}).Complete,
			dir: dir, change: func(c *rlm.Config) { c.Concurrency = 2 }})
		if err != nil {
			t.Fatal(err)
		}
		told, system := map[string]any{}, 0
		for _, e := range events(t, dir) {
			switch {
			case e.Kind == trace.KindCell:
				told[e.Key] = e.Cell.Variables
			case e.Kind == trace.KindDispatch:
				told[e.Key] = e.Dispatch.Files
			case e.Kind == trace.KindStart && e.Start.System != "":
				system++
			}
		}
		told["system"] = system
		return told
	}
	whole := t.TempDir()
	want := run(whole)
	if got := want["t001.c01.d001.0002"]; !cmp.Equal(got, []string{"pkg/f01.py"}) || want["system"] != 1 {
		t.Fatalf("files %v, %v system prompts", got, want["system"])
	}
	journal, err := os.ReadFile(filepath.Join(whole, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for cut, part := range runtest.Cuts(journal) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), part, 0o644); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, run(dir)); diff != "" {
			t.Errorf("cut after event %d (-whole +resumed):\n%s", cut, diff)
		}
	}
}

func TestADispatchNamesTheFilesOfItsPrompt(t *testing.T) {
	dir := t.TempDir()
	files := manyFiles(trace.MaxFiles + 10)
	root := &runtest.Script{Replies: []string{
		cells(`llm_batch(["\n".join(codebase.values()), "nothing of it", codebase["pkg/f03.py"] + codebase["pkg/f01.py"][:40]])`),
		cells("set_answer('x!')"),
	}}
	if _, err := play(t, context.Background(), setup{files: files, root: root, dir: dir}); err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, e := range of(events(t, dir), trace.KindDispatch) {
		got[e.Key[len(e.Key)-1:]] = e.Dispatch.Files
	}
	if len(got["1"]) != trace.MaxFiles || len(got["2"]) != 0 || len(got["3"]) == 0 || got["3"][0] != "pkg/f03.py" {
		t.Errorf("files: %v", got)
	}
}
