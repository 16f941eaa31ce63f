package e2e

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// journal writes a review's trace as a run does: through the product's own writer, event by event, turns with cells and
// dispatches, child loops, errors, gates and foldings. What it says is made up; how it says it is not.
type journal struct {
	t    testing.TB
	dir  *rundir.Dir
	w    *trace.Writer
	path string
	rand *rand.Rand
	now  time.Time
	turn int
	seq  int
}

// startReview makes a run directory that a process works in: it is live until it is closed.
func startReview(t testing.TB, name string) *journal {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	dir, err := rundir.Create(path, rundir.Kind{Name: "run", Leaves: "reports", By: "analyze"})
	if err != nil {
		t.Fatal(err)
	}
	j := &journal{t: t, dir: dir, path: path, rand: rand.New(rand.NewPCG(1, 2)), now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	started := j.now
	err = dir.WriteJSON(rundir.ManifestName, map[string]any{
		"schema": rundir.Schema, "id": name, "command": "analyze", "version": "test", "started_at": started,
		"options": map[string]any{"path": "/src/" + name, "root": "test/root", "worker": "test/worker"},
	})
	if err != nil {
		t.Fatal(err)
	}
	j.w, _, err = dir.Trace("trace.jsonl", false, func() time.Time { return j.now }, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	j.add(trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: name, Fingerprint: "f", System: "You are the root. You write Python."}})
	return j
}

// close ends the process's work without an end of the run.
func (j *journal) close() {
	if j.w == nil {
		return
	}
	if err := j.w.Close(); err != nil {
		j.t.Error(err)
	}
	j.dir.Close()
	j.w = nil
}

// end ends the run.
func (j *journal) end() {
	j.add(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: "completed", StopReason: "answer"}})
	j.close()
}

func (j *journal) add(e trace.Event) int {
	j.now = j.now.Add(time.Duration(1+j.rand.IntN(400)) * time.Millisecond)
	if err := j.w.Append(e); err != nil {
		j.t.Fatal(err)
	}
	j.seq++
	return j.seq
}

func (j *journal) usage(in int64) trace.Usage {
	cost := int64(j.rand.IntN(1_000_000_000))
	return trace.Usage{InputTokens: in, CachedTokens: in / 2, OutputTokens: 200, CostPico: &cost}
}

// work is what one turn does.
type work struct {
	node       string // the loop; "" is the root
	number     int    // of the turn within its loop; 0 takes the next of the root
	code       string
	output     string
	dispatches int
	failed     string // the type of the cell's error
	children   int    // loops that it begins, of two turns each
}

// did writes a turn and returns the number of its first event.
func (j *journal) did(w work) int {
	if w.number == 0 {
		j.turn++
		w.number = j.turn
	}
	key := fmt.Sprintf("t%03d", w.number)
	if w.node != "" {
		key = w.node + "/" + key
	}
	if w.code == "" {
		w.code = fmt.Sprintf("# Step %d: the files of group %d\nreplies = llm_batch(prompts)\nprint(len(replies), \"replies\")\n", w.number,
			j.rand.IntN(9))
	}
	if w.output == "" {
		w.output = fmt.Sprintf("%d replies", w.dispatches)
	}
	seq := j.add(trace.Event{Kind: trace.KindRoot, Node: w.node, Turn: w.number, Key: key, Root: &trace.Root{
		Model: "test/root", Message: fmt.Sprintf("[Output of cell 1]\nmessage of turn %d\n\n[Turn %d/20]", w.number, w.number),
		Text:   "I look at the **next group**.\n\n```python\n" + w.code + "```\n",
		Finish: "stop", Usage: j.usage(12_000), Seconds: 0.2 + j.rand.Float64(),
	}})
	for c := range w.children {
		child := fmt.Sprintf("%s.c01.d001.%04d", key, c+1)
		for turn := range 2 {
			j.did(work{node: child, number: turn + 1, dispatches: 2})
		}
	}
	for d := range w.dispatches {
		j.dispatch(w, key, d+1)
	}
	cell := &trace.Cell{Index: 1, Code: w.code, Output: w.output, OutputTotal: len(w.output), Steps: 1200, Seconds: 0.01}
	if w.failed != "" {
		cell.ErrorType, cell.Error = w.failed, "it did not work"
	}
	cell.Variables = []trace.Variable{
		{Name: "replies", Type: "list", Value: `["{\"summary\": ..."]`, Change: "new"}, {Name: "left", Type: "int", Value: "3", Change: "changed"},
	}
	j.add(trace.Event{Kind: trace.KindCell, Node: w.node, Turn: w.number, Key: key + ".c01", Cell: cell})
	return seq
}

func (j *journal) dispatch(w work, key string, number int) {
	file := fmt.Sprintf("src/module_%d/file_%d.py", j.rand.IntN(40), number)
	d := &trace.Dispatch{
		Model: "test/worker", Files: []string{file}, Usage: j.usage(4000), Seconds: j.rand.Float64() * 3, Cached: j.rand.IntN(10) == 0,
		Prompt: "Review these files.\n\n=== FILE: " + file + " (lines 1-2 of 2) ===\nimport os\nprint(\"prompt of " + key + "\")\n",
		Reply:  `{"summary":"a module","findings":[]}`,
	}
	if j.rand.IntN(40) == 0 {
		d.Reply, d.Error = "", "status 529: overloaded"
	}
	j.add(trace.Event{Kind: trace.KindDispatch, Node: w.node, Turn: w.number, Key: fmt.Sprintf("%s.c01.d001.%04d", key, number), Dispatch: d})
}

// fill writes turns of many sizes until the trace has n events, the end counted.
func (j *journal) fill(n int) {
	sizes := []int{0, 3, 10, 40, 200}
	for j.seq < n-3 {
		w := work{dispatches: min(sizes[j.rand.IntN(len(sizes))], n-3-j.seq)}
		if j.turn%7 == 3 && n-j.seq > 60 {
			w.children = 2
		}
		if j.rand.IntN(10) == 0 {
			w.failed = "KeyError"
		}
		j.did(w)
		if j.turn%20 == 11 && n-j.seq > 8 {
			j.add(trace.Event{Kind: trace.KindGate, Turn: j.turn, Key: fmt.Sprintf("t%03d.gate", j.turn),
				Gate: &trace.Gate{Coverage: 0.4, Wanted: 0.9, Count: 1}})
		}
		if j.turn%30 == 17 && n-j.seq > 8 {
			digest := strings.Repeat("Turn: looked at a group.\n", 5)
			j.add(trace.Event{Kind: trace.KindCompact, Turn: j.turn, Key: fmt.Sprintf("t%03d.compact", j.turn),
				Compact: &trace.Compact{From: 1, To: j.turn - 2, Digest: digest}})
		}
	}
	for j.seq < n-1 { // what one more turn would be too much for
		j.add(trace.Event{Kind: trace.KindRoot, Turn: j.turn + 1, Key: fmt.Sprintf("t%03d", j.turn+1),
			Root: &trace.Root{Model: "test/root", Error: "status 500", Usage: j.usage(1)}})
	}
	j.end()
}
