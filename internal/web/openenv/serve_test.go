package openenv_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

func TestServeEndsWithItsContext(t *testing.T) {
	s, err := openenv.New(openenv.Config{Environment: &looper{}, Sandbox: noSandbox{}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c := dial(t, access.BaseURL(l.Addr().String(), ""))
	c.call(`{"type":"reset"}`)
	cancel()
	if r := c.receive(); r.Data.Code != "SESSION_ERROR" || !strings.Contains(r.Data.Message, "shutting down") {
		t.Errorf("%+v", r)
	}
	c.ws.CloseNow()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("somebody still answers")
	}
	if err := s.Serve(t.Context(), l); err == nil {
		t.Error("a closed listener was served")
	}
	if _, err := openenv.New(openenv.Config{}); err == nil {
		t.Error("a server of nothing was made")
	}
}
