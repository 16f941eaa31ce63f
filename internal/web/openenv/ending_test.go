package openenv_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

func TestDisconnectInTheMiddleOfAStep(t *testing.T) {
	e, s, c := hanging(t)
	c.ws.CloseNow()
	freed(t, e, s, "the rollout ends and its place is free")
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
	freed(t, e, s, "the rollout ends")
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
	freed(t, e, s, "the rollout ends")
}

func TestCloseInTheMiddleOfAStep(t *testing.T) {
	e, s, c := hanging(t)
	c.send(`{"type":"close"}`)
	c.ends(websocket.StatusNormalClosure)
	freed(t, e, s, "the place is free")
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
		c.ends(websocket.StatusGoingAway)
	}
	<-closed
	if e.rolls.Load() != 0 || s.Active() != 0 {
		t.Error("something outlived the server")
	}
	if r := dial(t, base).receive(); r.Data.Code != "SESSION_ERROR" {
		t.Errorf("a client that came too late: %+v", r)
	}
}
