package openenv_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
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
	if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("after close: %v", err)
	}
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
	r := c.call(`{"type":"step","data":{"message":"answer 1","usage":{"input_tokens":1000,"output_tokens":20},"finish_reason":"stop","metadata":{}}}`)
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

func TestOversizeMessageLosesNothing(t *testing.T) {
	_, base := serve(t, openenv.Config{MessageBytes: 1000})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	if r := c.step(strings.Repeat("x", 3000)); r.Data.Code != "VALIDATION_ERROR" || !strings.Contains(r.Data.Message, "at most 1000") {
		t.Errorf("%+v", r)
	}
	if r := c.step("answer 4"); !r.Data.Done || *r.Data.Reward != .4 {
		t.Errorf("the episode is gone: %+v", r)
	}
	c.call(`{"type":"reset"}`)
	c.send(strings.Repeat("x", 10_000))
	if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("far beyond the limit: %v", err)
	}
}

func TestLargeMessages(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	if r := c.step(strings.Repeat("é", 8<<20)); len(r.Data.Observation.Message) != len("heard ")+16<<20 {
		t.Errorf("%d bytes came back", len(r.Data.Observation.Message))
	}
}

func TestDisconnectInTheMiddleOfAStep(t *testing.T) {
	e := &looper{inside: make(chan string, 1)}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	c.send(`{"type":"step","data":{"message":"hang on"}}`)
	<-e.inside
	c.ws.CloseNow()
	eventually(t, "the rollout ends and its place is free", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
}

// TestCellsMayFinish checks that a cell whose client goes is not stopped in its middle: that may cost others theirs.
func TestCellsMayFinish(t *testing.T) {
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	c.send(`{"type":"step","data":{"message":"sleep 300ms"}}`)
	time.Sleep(50 * time.Millisecond)
	c.ws.CloseNow()
	eventually(t, "the rollout ends", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
	if e.cut.Load() != 0 {
		t.Error("the cell was cut off")
	}
}

// TestWorkersStopAtOnce checks that nothing is spent for a client that is gone.
func TestWorkersStopAtOnce(t *testing.T) {
	e := &looper{inside: make(chan string, 1)}
	worker := func(string, *llm.Budget) (llm.Handle, error) {
		return llm.Handle{Model: llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
			<-ctx.Done()
			return llm.Response{}, ctx.Err()
		})}, nil
	}
	s, base := serve(t, openenv.Config{Environment: e, Worker: worker, Grace: time.Hour})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	c.send(`{"type":"step","data":{"message":"work hard"}}`)
	<-e.inside
	c.ws.CloseNow()
	eventually(t, "the rollout ends", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
}

func TestCloseInTheMiddleOfAStep(t *testing.T) {
	e := &looper{inside: make(chan string, 1)}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	c.send(`{"type":"step","data":{"message":"hang on"}}`)
	<-e.inside
	c.send(`{"type":"close"}`)
	if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("%v", err)
	}
	eventually(t, "the place is free", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
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

func TestCapacity(t *testing.T) {
	s, base := serve(t, openenv.Config{Capacity: 2})
	a, b := dial(t, base), dial(t, base)
	a.call(`{"type":"state"}`)
	b.call(`{"type":"state"}`)
	c := dial(t, base)
	r := c.receive()
	if r.Type != "error" || r.Data.Code != "CAPACITY_REACHED" || *r.Data.Active != 2 || *r.Data.Most != 2 {
		t.Errorf("%+v", r)
	}
	if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("%v", err)
	}
	a.ws.CloseNow()
	eventually(t, "a place is free", func() bool { return s.Active() == 1 })
	if r := dial(t, base).call(`{"type":"reset"}`); r.Type != "observation" {
		t.Errorf("%+v", r)
	}
}

func TestIdleClient(t *testing.T) {
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e, Grace: time.Millisecond, Idle: 300 * time.Millisecond})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	if r := c.step("sleep 700ms"); r.Type != "observation" { // the server's own time does not count
		t.Errorf("%+v", r)
	}
	r := c.receive()
	if r.Type != "error" || r.Data.Code != "SESSION_ERROR" || !strings.Contains(r.Data.Message, "silent") {
		t.Errorf("%+v", r)
	}
	if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("%v", err)
	}
	eventually(t, "the episode is gone", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
}

func TestShutdownTellsClients(t *testing.T) {
	e := &looper{inside: make(chan string, 1)}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	waiting, busy := dial(t, base), dial(t, base)
	waiting.call(`{"type":"reset"}`)
	busy.call(`{"type":"reset"}`)
	busy.send(`{"type":"step","data":{"message":"hang on"}}`)
	<-e.inside
	closed := make(chan struct{})
	go func() { defer close(closed); s.Close() }()
	for _, c := range []*client{waiting, busy} {
		if r := c.receive(); r.Type != "error" || r.Data.Code != "SESSION_ERROR" || !strings.Contains(r.Data.Message, "shutting down") {
			t.Errorf("%+v", r)
		}
		if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("%v", err)
		}
	}
	<-closed
	if e.rolls.Load() != 0 || s.Active() != 0 {
		t.Error("something outlived the server")
	}
	if r := dial(t, base).receive(); r.Data.Code != "SESSION_ERROR" {
		t.Errorf("a client that came too late: %+v", r)
	}
}

func TestPings(t *testing.T) {
	_, base := serve(t, openenv.Config{Ping: 20 * time.Millisecond})
	pings := make(chan struct{}, 100)
	ws, _, err := websocket.Dial(t.Context(), base+"/ws", &websocket.DialOptions{OnPingReceived: func(context.Context, []byte) bool {
		select {
		case pings <- struct{}{}:
		default:
		}
		return true
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.CloseNow()
	c := &client{t, ws}
	c.call(`{"type":"reset"}`)
	if r := c.step("sleep 300ms"); r.Type != "observation" {
		t.Errorf("%+v", r)
	}
	if len(pings) < 3 {
		t.Errorf("%d pings during the step", len(pings))
	}
}

func TestTooManyMessagesAhead(t *testing.T) {
	e := &looper{inside: make(chan string, 1)}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	c.send(`{"type":"step","data":{"message":"hang on"}}`)
	<-e.inside
	for range 9 {
		c.send(`{"type":"state"}`)
	}
	if r := c.receive(); r.Data.Code != "SESSION_ERROR" || !strings.Contains(r.Data.Message, "ahead") {
		t.Errorf("%+v", r)
	}
	if _, _, err := c.ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("%v", err)
	}
	eventually(t, "the episode is gone", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
}

func TestSlowReader(t *testing.T) {
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond, WriteWait: 200 * time.Millisecond})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	flood := []byte(`{"type":"step","data":{"message":"` + strings.Repeat("y", 10<<20) + `"}}`) // comes back as large, and is never read
	for range 3 {
		if c.ws.Write(ctx, websocket.MessageText, flood) != nil { // let go already
			break
		}
	}
	if ctx.Err() != nil {
		t.Error("the server neither reads on nor lets the client go")
	}
	eventually(t, "the client that reads nothing is let go", func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
}
