package openenv_test

import (
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
	"github.com/google/go-cmp/cmp"
)

func TestEpisode(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	r := c.call(`{"type":"reset","data":{"seed":7,"index":3,"rollout":2,"split":"train","episode_id":"mine"}}`)
	o := r.Data.Observation
	if r.Type != "observation" || r.Data.Reward != nil || r.Data.Done || o.Done || o.System != "you are a loop" ||
		o.Message != "begin loop/train/7/3" || o.Turn != 1 || o.MaxTurns != loopTurns || o.EpisodeID != "mine" || o.Task != "loop/train/7/3" ||
		o.Transcript != nil {
		t.Errorf("reset: %+v", r)
	}
	r = c.step("one")
	o = r.Data.Observation
	if r.Data.Reward == nil || *r.Data.Reward != 0 || r.Data.Done || o.System != "" || o.Message != "heard one" || o.Turn != 2 ||
		o.Metrics != nil {
		t.Errorf("step: %+v", r)
	}
	s := c.call(`{"type":"state"}`)
	if s.Type != "state" || *s.Data.EpisodeID != "mine" || s.Data.StepCount != 1 || *s.Data.Seed != 7 || *s.Data.Index != 3 ||
		s.Data.Rollout != 2 || s.Data.Split != "train" {
		t.Errorf("state: %+v", s)
	}
	r = c.step("answer 5")
	o = r.Data.Observation
	if !r.Data.Done || !o.Done || *r.Data.Reward != 0.5 || o.Stop != env.StopAnswer || o.Turn != 2 ||
		!cmp.Equal(o.Parts, []env.Part{{Name: "said", Value: .5, Weight: 1}}) {
		t.Errorf("end: %+v", r)
	}
	for name, want := range map[string]float64{"num_turns": 2, "said": .5, "never": 0, "luck": 7 + 3 + 2} {
		if got, ok := o.Metrics[name]; !ok || got != want {
			t.Errorf("metric %s is %v, want %v", name, got, want)
		}
	}
	if e := c.step("more"); e.Type != "error" || e.Data.Code != "EXECUTION_ERROR" || !strings.Contains(e.Data.Message, "over") {
		t.Errorf("a step after the end: %+v", e)
	}
	if r := c.call(`{"type":"reset"}`); r.Type != "observation" || r.Data.Observation.Message != "begin loop/train/0/0" {
		t.Errorf("another episode: %+v", r)
	}
	c.send(`{"type":"close"}`)
	c.ends(websocket.StatusNormalClosure)
}

func TestEveryMessageIsAnswered(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	for _, test := range []struct{ send, code, says string }{
		{`{`, "INVALID_JSON", "invalid JSON"},
		{``, "INVALID_JSON", "empty"},
		{`[1]`, "INVALID_JSON", "expected an object, not array"},
		{`null`, "INVALID_JSON", "not null"},
		{`{"type":"reset"} {}`, "INVALID_JSON", "more after"},
		{"{\"type\":\"\xff\"}", "INVALID_JSON", "UTF-8"},
		{`{}`, "UNKNOWN_TYPE", "reset, step, state or close"},
		{`{"type":5}`, "UNKNOWN_TYPE", "type"},
		{`{"type":"dance"}`, "UNKNOWN_TYPE", `"dance"`},
		{`{"type":"state","extra":1}`, "VALIDATION_ERROR", "extra"},
		{`{"type":"step","data":{"message":"x"}}`, "EXECUTION_ERROR", "reset first"},
		{`{"type":"step"}`, "VALIDATION_ERROR", "needs its action"},
		{`{"type":"step","data":{}}`, "VALIDATION_ERROR", "message"},
		{`{"type":"step","data":"x"}`, "VALIDATION_ERROR", "expected an object"},
		{`{"type":"step","data":{"message":5}}`, "VALIDATION_ERROR", "must be a string, not number"},
		{`{"type":"step","data":{"massage":"x"}}`, "VALIDATION_ERROR", "did you mean message?"},
		{`{"type":"step","data":{"message":"x","usage":{"input_tokens":-1}}}`, "VALIDATION_ERROR", "usage"},
		{`{"type":"reset","data":{"sede":1}}`, "VALIDATION_ERROR", "did you mean seed?"},
		{`{"type":"reset","data":{"seed":"1"}}`, "VALIDATION_ERROR", "must be an integer, not string"},
		{`{"type":"reset","data":{"seed":1.5}}`, "VALIDATION_ERROR", "must be an integer"},
		{`{"type":"reset","data":{"index":-1}}`, "VALIDATION_ERROR", "negative"},
		{`{"type":"reset","data":{"rollout":-1}}`, "VALIDATION_ERROR", "negative"},
		{`{"type":"reset","data":{"split":"test"}}`, "VALIDATION_ERROR", "train and heldout"},
		{`{"type":"reset","data":{"split":"heldout","index":2}}`, "VALIDATION_ERROR", "there are 2"},
		{`{"type":"reset","data":{"language":"cobol"}}`, "EXECUTION_ERROR", "no templates for cobol"},
		{`{"type":"reset","data":{"episode_id":"` + strings.Repeat("x", 256) + `"}}`, "VALIDATION_ERROR", "255"},
	} {
		r := c.call(test.send)
		if r.Type != "error" || r.Data.Code != test.code || !strings.Contains(r.Data.Message, test.says) {
			t.Errorf("%.60s: %s %s %q, want %s ... %s", test.send, r.Type, r.Data.Code, r.Data.Message, test.code, test.says)
		}
		if r.Data.Code == "VALIDATION_ERROR" && (len(r.Data.Errors) != 1 || len(r.Data.Errors[0].Loc) != 1) {
			t.Errorf("%.60s: errors %+v", test.send, r.Data.Errors)
		}
	}
	if err := c.ws.Write(t.Context(), websocket.MessageBinary, []byte(`{"type":"state"}`)); err != nil {
		t.Fatal(err)
	}
	if r := c.receive(); r.Data.Code != "INVALID_JSON" || !strings.Contains(r.Data.Message, "binary") {
		t.Errorf("a binary frame: %+v", r)
	}
	if r := c.call(`{"type":"mcp","data":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}`); r.Type != "mcp" {
		t.Errorf("mcp: %+v", r)
	}
	if r := c.call(`{"type":"state"}`); r.Type != "state" || r.Data.EpisodeID != nil || r.Data.StepCount != 0 {
		t.Errorf("the connection did not outlive its errors: %+v", r)
	}
}

func TestFaultsOfTheEnvironmentAreTheEpisodesOwn(t *testing.T) {
	e := &looper{}
	_, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	c := dial(t, base)
	for _, test := range []struct{ say, want string }{
		{"panic", "panicked: the looper broke"}, {"fail", "disk is full"}, {"answer x", "invalid syntax"}, {"nan", "cannot be encoded"},
	} {
		c.call(`{"type":"reset"}`)
		if r := c.step(test.say); r.Type != "error" || r.Data.Code != "EXECUTION_ERROR" || !strings.Contains(r.Data.Message, test.want) {
			t.Errorf("%s: %+v", test.say, r)
		}
		if r := c.step("answer 1"); r.Data.Code != "EXECUTION_ERROR" {
			t.Errorf("after %s: %+v", test.say, r)
		}
	}
	c.call(`{"type":"reset"}`)
	if r := c.step("answer 10"); !r.Data.Done || *r.Data.Reward != 1 {
		t.Errorf("the next episode: %+v", r)
	}
}

func TestTurnsRunOut(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	var r received
	for range loopTurns {
		r = c.step("x")
	}
	if !r.Data.Done || r.Data.Observation.Stop != env.StopTurns || *r.Data.Reward != 0 {
		t.Errorf("%+v", r)
	}
}

func TestRewrittenConversation(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	r := c.step("forget it")
	var got []string
	for _, m := range r.Data.Observation.Transcript {
		got = append(got, m.Role+": "+m.Content)
	}
	if diff := cmp.Diff([]string{"user: begin loop/train/0/0 (folded)", "user: heard forget it"}, got); diff != "" {
		t.Error(diff)
	}
	if r := c.step("on"); r.Data.Observation.Transcript != nil || r.Data.Observation.Message != "heard on" {
		t.Errorf("what grows again: %+v", r)
	}
}

func TestUsage(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	r := c.call(`{"type":"step","data":{"message":"answer 1","usage":{"input_tokens":1000,"output_tokens":20},` +
		`"finish_reason":"stop","metadata":{}}}`)
	if m := r.Data.Observation.Metrics; m["tokens_in"] != 1000 || m["tokens_out"] != 20 {
		t.Errorf("reported usage: %v", m)
	}
	c.call(`{"type":"reset"}`)
	if m := c.step("answer 1").Data.Observation.Metrics; m["tokens_in"] <= 0 || m["tokens_out"] <= 0 || m["tokens_in"] >= 1000 {
		t.Errorf("estimated usage: %v", m)
	}
}

func TestBareCells(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	c.call(`{"type":"reset","data":{"bare_cells":true}}`)
	if r := c.step("print(1)"); r.Data.Observation.Message != "heard ```python\nprint(1)\n```" {
		t.Errorf("%q", r.Data.Observation.Message)
	}
	if r := c.step("see ```python\n1\n```"); r.Data.Observation.Message != "heard see ```python\n1\n```" {
		t.Errorf("%q", r.Data.Observation.Message)
	}
}

func TestResetEndsTheEpisodeBefore(t *testing.T) {
	e := &looper{}
	_, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	c := dial(t, base)
	for range 3 {
		c.call(`{"type":"reset","data":{"index":1}}`)
	}
	if n := e.rolls.Load(); n != 1 {
		t.Errorf("%d rollouts are under way", n)
	}
	if n := e.made.Load(); n != 1 {
		t.Errorf("the same task was made %d times", n)
	}
}

func TestResetsWithoutTaskTakeTheNext(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c, d := dial(t, base), dial(t, base)
	var got []string
	for range 2 {
		got = append(got, c.call(`{"type":"reset","data":{"split":"heldout"}}`).Data.Observation.Task,
			d.call(`{"type":"reset","data":{"split":"heldout"}}`).Data.Observation.Task)
	}
	got = append(got, c.call(`{"type":"reset","data":{"seed":9}}`).Data.Observation.Task)
	if diff := cmp.Diff([]string{"loop/heldout/0/0", "loop/heldout/0/1", "loop/heldout/0/0", "loop/heldout/0/1", "loop/train/9/0"},
		got); diff != "" {
		t.Error(diff)
	}
}
