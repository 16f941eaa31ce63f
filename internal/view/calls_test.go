package view_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/google/go-cmp/cmp"
)

// A turn shows what its cells called, each under its cell, and what its dispatches were asked for.
func TestATurnShowsCallsAndPurposes(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest})
	call := func(key, name, result string) trace.Event {
		return trace.Event{Kind: trace.KindCall, Turn: 1, Key: key, Call: &trace.Call{Name: name, Arguments: "{}", Result: result}}
	}
	cell := func(key string) trace.Event {
		return trace.Event{Kind: trace.KindCell, Turn: 1, Key: key, Cell: &trace.Cell{Code: "x"}}
	}
	writeTrace(t, dir,
		trace.Event{Kind: trace.KindStart, Start: &trace.Start{}},
		trace.Event{Kind: trace.KindRoot, Turn: 1, Root: &trace.Root{Text: "first"}},
		call("t001.c01.h0001", "grep", "2 lines"), call("t001.c01.h0002", "show", "key ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"),
		cell("t001.c01"),
		trace.Event{Kind: trace.KindDispatch, Turn: 1, Key: "t001.c02.d001.0001",
			Dispatch: &trace.Dispatch{Prompt: "why?", Purpose: trace.PurposeQuestion}},
		trace.Event{Kind: trace.KindDispatch, Turn: 1, Key: "t001.c02.d001.0002", Dispatch: &trace.Dispatch{Prompt: "look"}},
		call("t001.c02.h0001", "dismiss", "no such finding"), cell("t001.c02"), cell("t001.c03"))
	r := open(t, dir)
	turn := ask[traces.Turn](t, r, "turn/2")
	shared, ok := turn.WithoutSecrets(redact.New()).(traces.Turn)
	if !ok {
		t.Fatal("a turn without secrets is no turn")
	}
	var got [][]string
	for _, c := range shared.Cells {
		var calls []string
		for _, call := range c.Calls {
			calls = append(calls, call.Name+": "+call.Result)
		}
		got = append(got, calls)
	}
	want := [][]string{{"grep: 2 lines", "show: key [REDACTED:github-token]"}, {"dismiss: no such finding"}, nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if d := turn.Dispatches; len(d) != 2 || d[0].Purpose != "question" || d[1].Purpose != "" {
		t.Errorf("dispatches %+v", d)
	}
	if d := ask[traces.Dispatch](t, r, "dispatch/6"); d.Purpose != "question" {
		t.Errorf("dispatch %+v", d)
	}
	if all := ask[traces.Trace](t, r, "trace"); all.Kind != "srhhcddhcc" || all.Label[2] != "grep" {
		t.Errorf("kinds %s, labels %q", all.Kind, all.Label)
	}
}
