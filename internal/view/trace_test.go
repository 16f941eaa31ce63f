package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

func ask[T any](t testing.TB, r *view.Run, resource string) T {
	t.Helper()
	document, err := r.Get(resource)
	if err != nil {
		t.Fatalf("%s: %v", resource, err)
	}
	return document.(T)
}

func refusedWith(t testing.TB, r *view.Run, resource string, status int) {
	t.Helper()
	_, err := r.Get(resource)
	var own *doc.Error
	if !errors.As(err, &own) || own.Status != status {
		t.Errorf("%s: %v, want status %d", resource, err, status)
	}
}

// TestTheIndexAgreesWithTheTrace compares each column with what trace.Read reads.
func TestTheIndexAgreesWithTheTrace(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
	longTrace(t, dir, 3_000) // of several blocks
	f, err := os.Open(filepath.Join(dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, _, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	document := ask[traces.Trace](t, r, "trace")
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var wire map[string]json.RawMessage
	if err := json.Unmarshal(text, &wire); err != nil {
		t.Fatal(err)
	}
	var cost []*float64
	if err := json.Unmarshal(wire["cost_usd"], &cost); err != nil {
		t.Fatal(err)
	}
	if document.Total != len(events) || !document.Complete || document.End == nil || document.End.StopReason != "answer" ||
		document.Seq0 != 1 {
		t.Fatalf("%d events of %d, complete %v, end %v", document.Total, len(events), document.Complete, document.End)
	}
	letters := map[trace.Kind]byte{"start": 's', "root": 'r', "cell": 'c', "dispatch": 'd', "end": 'e'}
	for i, e := range events {
		var u trace.Usage
		zero := int64(0)
		u.CostPico = &zero
		var seconds float64
		switch {
		case e.Root != nil:
			u, seconds = e.Root.Usage, e.Root.Seconds
		case e.Dispatch != nil:
			u, seconds = e.Dispatch.Usage, e.Dispatch.Seconds
		case e.Cell != nil:
			seconds = e.Cell.Seconds
		}
		if document.Kind[i] != letters[e.Kind] || int(document.Turn[i]) != e.Turn || document.Nodes[document.Node[i]] != e.Node ||
			document.AtMS[i] != e.At.Sub(events[0].At).Milliseconds() ||
			document.TokensIn[i] != u.InputTokens || document.TokensOut[i] != u.OutputTokens || *cost[i] != float64(*u.CostPico)/1e12 ||
			float64(document.Seconds[i])-seconds > 0.001 {
			t.Fatalf("event %d differs: %+v", i+1, e)
		}
	}
	if tail := ask[traces.Trace](t, r, "trace/2990"); tail.From != 2990 || tail.Seq0 != 2991 || len(tail.Label) != 10 ||
		tail.Kind != document.Kind[2990:] {
		t.Errorf("the end of the trace: %+v", tail)
	}
	for _, resource := range []string{"trace/3001", "trace/-1", "trace/x", "turn/0", "turn/1", "turn/99999999999999999999", "dispatch/2",
		"prompt/3", "turn/", "turn/2/3"} {
		refusedWith(t, r, resource, 404)
	}
}

func TestATurnWithItsParts(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
	longTrace(t, dir, 200)
	r := open(t, dir)
	turn := ask[traces.Turn](t, r, "turn/44")
	if turn.Turn != 2 || turn.Previous != 2 || turn.Next != 86 || len(turn.Cells) != 1 || len(turn.Dispatches) != 40 ||
		len(turn.Cells[0].Dispatches) != 40 {
		t.Fatalf("%+v", turn)
	}
	row := turn.Dispatches[3]
	d := ask[traces.Dispatch](t, r, fmt.Sprintf("dispatch/%d", row.Seq))
	if d.Turn != turn.Seq || d.Key != row.Key || d.Key != "t002.c01.d001.0004" || !strings.Contains(d.Prompt, row.Label) ||
		d.Label != "internal/pkg002/file_0004.go" ||
		row.Usage.CostUSD == nil || *row.Usage.CostUSD != 12_345_678/1e12 || row.Seconds != 1.234567 {
		t.Errorf("%+v", d.DispatchRow)
	}
}

// TestALiveTraceGrows appends to a trace in pieces, and cuts in the middle of lines.
func TestALiveTraceGrows(t *testing.T) {
	done := runtest.Tree(t, nil)
	longTrace(t, done, 400)
	whole, err := os.ReadFile(filepath.Join(done, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest, "trace.jsonl": ""})
	r := open(t, dir)
	if document := ask[traces.Trace](t, r, "trace"); document.Total != 0 || document.Complete || document.Problem != "" {
		t.Fatalf("%+v", document)
	}
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const pieces = 7
	for i := range pieces {
		if _, err := f.Write(whole[i*len(whole)/pieces : (i+1)*len(whole)/pieces]); err != nil {
			t.Fatal(err)
		}
		want := bytes.Count(whole[:(i+1)*len(whole)/pieces], []byte("\n"))
		if document := ask[traces.Trace](t, r, "trace"); document.Total != want || document.Problem != "" ||
			document.Complete != (i == pieces-1) {
			t.Fatalf("piece %d: %d events, want %d, %q", i, document.Total, want, document.Problem)
		}
	}
	// A file that is written anew is read anew, also when it is longer.
	other := runtest.Tree(t, nil)
	longTrace(t, other, 500)
	text, err := os.ReadFile(filepath.Join(other, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"kind":"start"`), []byte(`"kind":"start" `), 1) // the same events a byte further
	if err := os.WriteFile(f.Name(), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if document := ask[traces.Trace](t, r, "trace"); document.Total != 500 || !document.Complete {
		t.Errorf("%d events, %q", document.Total, document.Problem)
	}
	if d := ask[traces.Dispatch](t, r, "dispatch/3"); d.Key != "t001.c01.d001.0001" {
		t.Errorf("%+v", d.DispatchRow)
	}
}

func TestDamagedTracesShowWhatIsWhole(t *testing.T) {
	done := runtest.Tree(t, nil)
	longTrace(t, done, 100)
	text, err := os.ReadFile(filepath.Join(done, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	join := func(parts ...[]byte) string { return string(bytes.Join(parts, nil)) }
	for name, c := range map[string]struct {
		text    string
		total   int
		problem string
	}{
		"torn":             {string(text[:len(text)-5]), 99, ""},
		"zeros at the end": {join(text[:len(text)-5], make([]byte, 50), []byte("\n")), 99, ""},
		"a line missing":   {join(append(append([][]byte{}, lines[:50]...), lines[51:]...)...), 50, "it is event number 52 where 51 belongs"},
		"first missing":    {join(lines[1:]...), 0, "event number 2 where 1 belongs"},
		"a line no event":  {join(append(append(append([][]byte{}, lines[:70]...), []byte("{}\n")), lines[70:]...)...), 70, "line 71: it is no event"},
		"no text":          {"\x00\x01\n\xff\n", 0, "line 1"},
		"a list":           {"[]\n", 0, "line 1"},
		"a giant":          {join(append(append([][]byte{}, lines[:60]...), bytes.Repeat([]byte("x"), 17<<20), []byte("\n"), lines[60])...), 60, "an event is longer than 16 MB"},
		"deep":             {strings.Repeat("[", 1<<20) + "\n", 0, "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, runtest.Tree(t, map[string]string{"run.json": reviewManifest, "trace.jsonl": c.text}))
			document := ask[traces.Trace](t, r, "trace")
			if document.Total != c.total || document.Complete || !strings.Contains(document.Problem, c.problem) ||
				(c.problem == "") != (document.Problem == "") {
				t.Errorf("%d events, %q", document.Total, document.Problem)
			}
		})
	}
}

// TestALineThatTheScannerLetsPass is no JSON in a place that the index skips: the index shows the event, the event itself
// is an error.
func TestALineThatTheScannerLetsPass(t *testing.T) {
	r := open(t, runtest.Tree(t, map[string]string{"run.json": reviewManifest,
		"trace.jsonl": `{"seq":1,"at":"2026-01-02T03:04:05Z","kind":"root","turn":1,"root":{"text":"x","message":"\q"}}` + "\n"}))
	if document := ask[traces.Trace](t, r, "trace"); document.Total != 1 {
		t.Fatalf("%+v", document)
	}
	refusedWith(t, r, "turn/1", 422)
	refusedWith(t, r, "prompt/1", 422)
}

func TestRolloutsHaveTraces(t *testing.T) {
	events := func(message string) []trace.Event {
		return []trace.Event{{Seq: 1, At: began, Kind: trace.KindStart, Start: &trace.Start{Run: "r"}},
			{Seq: 2, At: began.Add(time.Second), Kind: trace.KindRoot, Turn: 1, Root: &trace.Root{Model: "m", Message: message, Text: "]}",
				Usage: trace.Usage{InputTokens: 1, OutputTokens: 2}}}}
	}
	line := func(example, rollout int, message string) string {
		return asLines(struct {
			runfile.EvalTrace
			Events []trace.Event `json:"events"`
		}{runfile.EvalTrace{Example: example, Rollout: rollout, Task: "t", Stop: "x"}, events(message)})
	}
	dir := runtest.Tree(t, map[string]string{
		"run.json": evalManifest, "results.jsonl": "", "rollouts/e00001.r000.jsonl": asLines(events("live")...),
		"traces.jsonl": line(1, 1, "one, one") + line(0, 1, "replaced") + line(0, 1, "zero, one") + strings.Replace(line(0, 0, "x"), `"seq":2`, `"seq":7`, 1),
	})
	r := open(t, dir)
	for resource, want := range map[string]string{"rollout/3/": "one, one", "rollout/1/": "zero, one", "rollout/2/": "live"} {
		if document := ask[traces.Trace](t, r, resource+"trace"); document.Total != 2 || document.Kind != "sr" || document.AtMS[1] != 1000 {
			t.Errorf("%s: %+v", resource, document)
		}
		if turn := ask[traces.Turn](t, r, resource+"turn/2"); turn.Message != want || turn.Usage.CostUSD != nil || turn.Text != "]}" {
			t.Errorf("%s: %+v", resource, turn)
		}
	}
	if document := ask[traces.Trace](t, r, "rollout/0/trace"); document.Total != 1 || document.Problem == "" {
		t.Errorf("a damaged rollout: %+v", document)
	}
	// The lines are sorted when the eval ends: the same rollouts elsewhere.
	if err := os.WriteFile(filepath.Join(dir, "sorted"), []byte(line(0, 0, "zero, zero")+line(0, 1, "zero, one")+line(1, 0,
		"one, zero")+line(1, 1, "one, one")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "sorted"), filepath.Join(dir, "traces.jsonl")); err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"zero, zero", "zero, one", "one, zero", "one, one"} {
		if turn := ask[traces.Turn](t, r, fmt.Sprintf("rollout/%d/turn/2", n)); turn.Message != want {
			t.Errorf("rollout %d: %+v", n, turn)
		}
	}
	for _, resource := range []string{"rollout/4/trace", "rollout/-1/trace", "rollout/x/trace", "rollout/", "rollout/1", "rollout/1/",
		"rollout/1/file"} {
		refusedWith(t, r, resource, 404)
	}
}

func TestManyAsk(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest, "report.json": reviewReport})
	longTrace(t, dir, 1_000)
	r := open(t, dir)
	var all sync.WaitGroup
	for _, resource := range []string{"", "trace", "turn/2", "turn/44", "prompt/86", "dispatch/3", "trace/900", "findings"} {
		for range 4 {
			all.Go(func() {
				document, err := r.Get(resource)
				if err == nil {
					_, err = json.Marshal(document)
				}
				if err != nil {
					t.Errorf("%s: %v", resource, err)
				}
			})
		}
	}
	all.Wait()
}
