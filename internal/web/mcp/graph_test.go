package mcp_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
)

// Who waits for a codebase that another caller has read does not wait longer than its own call.
func TestACancelledCallerDoesNotWaitForAnothersGraph(t *testing.T) {
	dir := tree(t)
	c := config(t, dir)
	begun, goOn := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	c.Parser = func() (*syntax.Parser, error) {
		begin()
		<-goOn
		return runtest.OpenParser()
	}
	s, err := mcp.New(c)
	if err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(dir, "app")
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- mcp.GraphOf(t.Context(), s, app) }()
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	go func() { second <- mcp.GraphOf(ctx, s, app) }()
	cancel()
	select {
	case err := <-second:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the cancelled caller got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the cancelled caller waits")
	}
	close(goOn)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
