package view_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// buffered is a file for a trace that nobody reads while it is written.
type buffered struct {
	*bufio.Writer
	io.Closer
}

func (b buffered) Sync() error { return b.Flush() }

// longTrace writes the trace of a review of so many events: turns of one cell and 40 dispatches, each with a prompt of
// some 3 KB of source and a reply of some 400 bytes.
func longTrace(t testing.TB, dir string, events int) (size int64) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := func() time.Time { clock = clock.Add(17 * time.Millisecond); return clock }
	w := trace.NewWriter(buffered{bufio.NewWriterSize(f, 1<<20), f}, 0, now, nil)
	add := func(e trace.Event) {
		if err := w.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	source := strings.Repeat("    if err := rows.Scan(&user.ID, &user.Name, \"<b>\", 'x', `é`); err != nil {\n\t\treturn nil, "+
		"fmt.Errorf(\"scan: %w\", err)\n\t}\n", 24)
	cost := int64(12_345_678)
	add(trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: "r", Fingerprint: "f", System: "You are the root."}})
	n := 1
	for turn := 1; n < events-1; turn++ {
		key := fmt.Sprintf("t%03d", turn)
		add(trace.Event{Kind: trace.KindRoot, Turn: turn, Key: key,
			Root: &trace.Root{Model: "a/root", Message: fmt.Sprintf("[Output of cell 1]\nturn %d", turn),
				Text: "```python\nllm_batch(prompts)\n```", Usage: trace.Usage{InputTokens: 9000, OutputTokens: 300, CostPico: &cost}}})
		n++
		for i := 1; i <= 40 && n < events-1; i, n = i+1, n+1 {
			path := fmt.Sprintf("internal/pkg%03d/file_%04d.go", turn%300, i)
			add(trace.Event{Kind: trace.KindDispatch, Turn: turn, Key: fmt.Sprintf("%s.c01.d001.%04d", key, i), Hash: strings.Repeat("ab", 32),
				Dispatch: &trace.Dispatch{
					Model: "b/worker", Prompt: "Review these files.\n\n=== FILE: " + path + " (lines 1-72 of 72) ===\n" + source, Files: []string{path},
					Reply: `{"summary":"reads users","findings":[{"file":"` + path +
						`","line":3,"severity":"low","title":"an error is hidden","evidence":"if err := rows.Scan(","explanation":"` +
						strings.Repeat("the error is wrapped twice ", 8) + `"}]}`,
					Usage: trace.Usage{InputTokens: 1100, OutputTokens: 120, CostPico: &cost}, Seconds: 1.234567}})
		}
		if n < events-1 {
			add(trace.Event{Kind: trace.KindCell, Turn: turn, Key: key + ".c01",
				Cell: &trace.Cell{Index: 1, Code: "replies = llm_batch(prompts)\nprint(len(replies))", Output: "40", OutputTotal: 2, Steps: 99,
					Seconds: 0.01}})
			n++
		}
	}
	add(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: "completed", StopReason: "answer"}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// BenchmarkTrace opens a run and makes the document of its trace, from the file to the JSON that is sent.
func BenchmarkTrace(b *testing.B) {
	for _, events := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			dir := runtest.Tree(b, map[string]string{"run.json": reviewManifest})
			size := longTrace(b, dir, events)
			b.SetBytes(size)
			b.ReportAllocs()
			sent := 0
			for b.Loop() {
				r, err := view.Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				document, err := r.Get("trace")
				if err != nil || document.(traces.Trace).Total != events || !document.(traces.Trace).Complete {
					b.Fatal(err, document.(traces.Trace).Total)
				}
				text, err := json.Marshal(document)
				if err != nil {
					b.Fatal(err)
				}
				sent = len(text)
				r.Close()
			}
			b.ReportMetric(float64(sent)/1e6, "MB-sent")
			b.ReportMetric(float64(size)/1e6, "MB-read")
		})
	}
}

// BenchmarkTurn answers a turn of 40 dispatches in a trace that is open already.
func BenchmarkTurn(b *testing.B) {
	dir := runtest.Tree(b, map[string]string{"run.json": reviewManifest})
	longTrace(b, dir, 100_000)
	r := open(b, dir)
	if _, err := r.Get("trace"); err != nil {
		b.Fatal(err)
	}
	seq := 2 + 42*1000
	for _, resource := range []string{"turn", "prompt", "dispatch"} {
		at := seq
		if resource == "dispatch" {
			at++
		}
		b.Run(resource, func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Get(fmt.Sprintf("%s/%d", resource, at)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
