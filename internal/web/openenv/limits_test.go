package openenv_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

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
	c.ends(websocket.StatusMessageTooBig)
}

func TestLargeMessages(t *testing.T) {
	_, base := serve(t, openenv.Config{})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	if r := c.step(strings.Repeat("é", 8<<20)); len(r.Data.Observation.Message) != len("heard ")+16<<20 {
		t.Errorf("%d bytes came back", len(r.Data.Observation.Message))
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
	c.ends(websocket.StatusTryAgainLater)
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
	c.ends(websocket.StatusGoingAway)
	freed(t, e, s, "the episode is gone")
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
	e, s, c := hanging(t)
	for range 9 {
		c.send(`{"type":"state"}`)
	}
	if r := c.receive(); r.Data.Code != "SESSION_ERROR" || !strings.Contains(r.Data.Message, "ahead") {
		t.Errorf("%+v", r)
	}
	c.ends(websocket.StatusPolicyViolation)
	freed(t, e, s, "the episode is gone")
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
	freed(t, e, s, "the client that reads nothing is let go")
}
