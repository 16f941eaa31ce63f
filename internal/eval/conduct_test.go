package eval

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

func TestConduct(t *testing.T) {
	long := strings.Repeat("x", rereadChars)
	cell := func(key, output, failure string) trace.Event {
		c := &trace.Cell{Output: output}
		if failure != "" {
			c.ErrorType, c.Error = "NameError", failure
		}
		return trace.Event{Kind: trace.KindCell, Key: key, Cell: c}
	}
	child := func(e trace.Event) trace.Event { e.Node = "t001.c01.d001.0001"; return e }
	root := func(finish string) trace.Event {
		return trace.Event{Kind: trace.KindRoot, Key: "t001", Root: &trace.Root{Finish: finish}}
	}
	dispatch := func(key, failure string) trace.Event {
		return trace.Event{Kind: trace.KindDispatch, Key: key, Dispatch: &trace.Dispatch{Error: failure}}
	}
	tests := []struct {
		name   string
		events []trace.Event
		want   *runfile.Conduct
		cut    bool
		over   bool
	}{
		{name: "nothing is known", events: []trace.Event{{Kind: trace.KindStart, Start: &trace.Start{}}}},
		{name: "a turn without code", events: []trace.Event{root("stop")}, want: &runfile.Conduct{}},
		{name: "a reply that was cut off", events: []trace.Event{root("length")}, want: &runfile.Conduct{}, cut: true},
		{name: "a child's reply that was cut off", events: []trace.Event{child(root("length"))}, want: &runfile.Conduct{}},
		{name: "the same error three times, then another", events: []trace.Event{cell("a", "", "x"), cell("b", "", "x"), cell("c", "", "x"),
			cell("d", "", "y")},
			want: &runfile.Conduct{Cells: 4, CellErrors: 4, RepeatedErrors: 2}},
		{name: "the same error with a success between", events: []trace.Event{cell("a", "", "x"), cell("b", "ok", ""), cell("c", "", "x")},
			want: &runfile.Conduct{Cells: 3, CellErrors: 2}},
		{name: "children's errors are their own", events: []trace.Event{cell("a", "", "x"), child(cell("b", "", "x"))},
			want: &runfile.Conduct{Cells: 2, CellErrors: 2}},
		{name: "the same thing read three times", events: []trace.Event{cell("a", long, ""), cell("b", long+"\n", ""), cell("c", long, "")},
			want: &runfile.Conduct{Cells: 3, Rereads: 2}, over: true},
		{name: "short outputs may repeat", events: []trace.Event{cell("a", "ok", ""), cell("b", "ok", ""), cell("c", "ok", "")},
			want: &runfile.Conduct{Cells: 3}},
		{name: "what was done again after an interruption counts once",
			events: []trace.Event{dispatch("a", "broke off"), dispatch("b", ""), dispatch("a", ""), cell("c", "", ""), cell("c", "", "")},
			want:   &runfile.Conduct{Cells: 1, Dispatches: 2}},
		{name: "lost dispatches", events: []trace.Event{dispatch("a", "timeout"), dispatch("b", "")},
			want: &runfile.Conduct{Dispatches: 2, DispatchErrors: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, cut := Observe(tt.events)
			if diff := cmp.Diff(tt.want, got); diff != "" || cut != tt.cut {
				t.Errorf("cut %v, (-want +got):\n%s", cut, diff)
			}
			if over := OverExplored(15, got); over != tt.over {
				t.Errorf("over-exploration %v", over)
			}
		})
	}
	if !OverExplored(16, nil) {
		t.Error("16 turns are not too many")
	}
}

// The zero-delegation outlier of the reference's 8B model: 1 of 6, "17%".
func TestZeroDelegationRate(t *testing.T) {
	var r Results
	for i := range 6 {
		r.add(savedrow.Row{Example: i / 2, Rollout: i % 2, Reward: 0.5,
			Conduct: &runfile.Conduct{Cells: 1, Dispatches: min(i, 1), DispatchErrors: min(i, 1)}})
	}
	r.add(savedrow.Row{Example: 3, Rollout: 0, Error: "ModelError", Conduct: &runfile.Conduct{}}) // does not count
	s := summarize(&r)
	if got := rateText(s.ZeroDelegation); got != "17% (1/6 rollouts)" {
		t.Error(got)
	}
	if *s.DispatchErrors != (runfile.EvalCount{Count: 5, Of: 5}) || s.NoCells != 0 || s.Errors != 1 {
		t.Errorf("%+v", s)
	}
	// The environment's own word goes before the trace.
	var own Results
	own.add(savedrow.Row{Conduct: &runfile.Conduct{Dispatches: 3}, Metrics: map[string]float64{"zero_delegation": 1}})
	if s := summarize(&own); s.ZeroDelegation.Count != 1 {
		t.Errorf("%+v", s.ZeroDelegation)
	}
}

func TestMetadataIsVerifiers(t *testing.T) {
	o := options(t, 4, 2)
	o.Seed, o.Split = 3, env.Heldout
	temperature := 0.7
	o.Temperature = &temperature
	out, err := Run(t.Context(), o, config(guesser))
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, o.Out, MetadataName)
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	passed, both := 0.0, 0.0 // of four examples, with two rollouts each
	for _, g := range out.Results.byExample() {
		a, b := indicator(g[0].Reward >= 0.5), indicator(g[1].Reward >= 0.5)
		passed += (a + b) / 2
		both += a * b
	}
	want := map[string]any{
		"env_id": "guessing", "model": "policy/guesser", "base_url": "policy", "num_examples": 4.0, "rollouts_per_example": 2.0, "shuffle": false,
		"shuffle_seed": nil, "avg_error": 0.0, "avg_reward": *out.Summary.Reward.Mean, "pass_threshold": 0.5, "tools": nil, "time": 0.0, "time_ms": 0.0,
		"env_args": map[string]any{"seed": 3.0, "split": "heldout", "strategy": "rlm"}, "sampling_args": map[string]any{"temperature": 0.7},
		"cost": map[string]any{"total_usd": 0.0}, "version_info": map[string]any{"vf_version": "0.3.0", "vf_commit": nil, "env_version": "test", "env_commit": nil},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, m[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	if at := m["pass_at_k"].(map[string]any); at["1"] != passed/4 || len(at) != 2 {
		t.Errorf("pass@k %v, want 1: %v", at, passed/4)
	}
	if all := m["pass_all_k"].(map[string]any); all["2"] != both/4 {
		t.Errorf("pass^k %v, want 2: %v", all, both/4)
	}
	if !bytes.Contains(text, []byte(`"avg_error":0.0,`)) {
		t.Errorf("floats are not written as Python does:\n%s", text)
	}
}
