package view_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/google/go-cmp/cmp"
)

// TestLoopsWithinLoops is a run that failed a call, was interrupted and went on, with two children and a second look at the
// end, in a trace of several blocks.
func TestLoopsWithinLoops(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
	const one, two = "t001.c01.d001.0001", "t001.c01.d001.0002"
	long := strings.Repeat("long ", 1<<20)
	reply := func(node string, turn int, text string) trace.Event {
		return trace.Event{Kind: trace.KindRoot, Node: node, Turn: turn, Root: &trace.Root{Message: "to " + text, Text: text}}
	}
	cell := func(node, key, fault string) trace.Event {
		return trace.Event{Kind: trace.KindCell, Node: node, Turn: 1, Key: key, Cell: &trace.Cell{ErrorType: fault, Error: fault}}
	}
	dispatch := func(node string, turn int, key, prompt, fault string) trace.Event {
		return trace.Event{Kind: trace.KindDispatch, Node: node, Turn: turn, Key: key, Dispatch: &trace.Dispatch{Prompt: prompt, Error: fault}}
	}
	failed := reply("", 1, "")
	failed.Root.Error = "refused"
	last := reply("", 2, "the report")
	last.Root.Synthesis, last.Root.System = true, "write it"
	writeTrace(t, dir,
		trace.Event{Kind: trace.KindStart, Start: &trace.Start{System: "be the root"}},
		failed,                               // 2
		reply("", 1, "first"),                // 3
		dispatch("", 1, one, long, "outage"), // 4
		reply(one, 1, "child one"),           // 5
		cell(one, one+"/t001.c01", "E"),      // 6
		trace.Event{Kind: trace.KindStart, Start: &trace.Start{Resumed: true}},
		dispatch("", 1, one, long, ""), // 8: again
		trace.Event{Kind: trace.KindStart, Node: two, Start: &trace.Start{System: "be a child"}},
		reply(two, 1, "child two"),            // 10
		cell(two, two+"/t001.c01", "E"),       // 11
		cell(one, one+"/t001.c02", "E"),       // 12: as its cell before
		cell(one, one+"/t001.c03", ""),        // 13
		cell(one, one+"/t001.c04", "E"),       // 14: not in a row
		cell("", "t001.c01", ""),              // 15
		reply("", 2, "second"),                // 16
		last,                                  // 17
		dispatch("verify", 0, "v1", long, ""), // 18
		reply("", 3, "third"),                 // 19
		trace.Event{Kind: trace.KindCell, Turn: 2, Key: "t002.c01", Cell: &trace.Cell{Output: "late"}}, // 20: the run went on with more money
		trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: "completed"}})
	r := open(t, dir)
	document := ask[traces.Trace](t, r, "trace")
	if document.Total != 21 || !document.Complete {
		t.Fatalf("%d events, %q", document.Total, document.Problem)
	}
	var nodes []string
	for _, n := range document.Node {
		nodes = append(nodes, document.Nodes[n])
	}
	if diff := cmp.Diff([]string{"", "", "", "", one, one, "", "", two, two, two, one, one, one, "", "", "", "verify", "", "", ""},
		nodes); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 33, 0, 1, 0, 0, 16, 0, 0, 0, 0}, document.Flags); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	first := ask[traces.Turn](t, r, "turn/3")
	if len(first.Cells) != 1 || len(first.Dispatches) != 2 || first.Dispatches[0].Error != "outage" || first.Dispatches[1].Seq != 8 ||
		first.Previous != 2 || first.Next != 16 {
		t.Errorf("%+v", first)
	}
	if diff := cmp.Diff([]int64{4, 8}, first.Cells[0].Dispatches); diff != "" {
		t.Errorf("the cell's dispatches: %s", diff)
	}
	if again := ask[traces.Turn](t, r, "turn/2"); again.Error != "refused" || len(again.Cells)+len(again.Dispatches) != 0 {
		t.Errorf("the failed call has parts: %+v", again)
	}
	if child := ask[traces.Turn](t, r, "turn/5"); len(child.Cells) != 4 || len(child.Dispatches) != 0 || child.Next != 0 {
		t.Errorf("the child has other parts: %+v", child)
	}
	if report := ask[traces.Turn](t, r, "turn/17"); len(report.Cells)+len(report.Dispatches) != 0 {
		t.Errorf("the reserved turn has parts: %+v", report)
	}
	if second := ask[traces.Turn](t, r, "turn/16"); len(second.Cells) != 1 {
		t.Errorf("the turn before the reserved one: %+v", second)
	}
	for seq, turn := range map[string]int64{"4": 3, "8": 3, "18": 0} {
		if d := ask[traces.Dispatch](t, r, "dispatch/"+seq); d.Turn != turn {
			t.Errorf("dispatch %s belongs to %d", seq, d.Turn)
		}
	}
	for seq, want := range map[string][]string{
		"2":  {"system: be the root", "user: to "},
		"3":  {"system: be the root", "user: to first"},
		"10": {"system: be a child", "user: to child two"},
		"17": {"system: write it", "user: to the report"},
		"19": {"system: be the root", "user: to first", "assistant: first", "user: to second", "assistant: second", "user: to third"},
	} {
		if diff := cmp.Diff(want, texts(ask[traces.Prompt](t, r, "prompt/"+seq))); diff != "" {
			t.Errorf("prompt of %s (-want +got):\n%s", seq, diff)
		}
	}
}
