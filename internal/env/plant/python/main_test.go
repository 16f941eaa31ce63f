package python

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	engine *sandbox.Engine
	parser *syntax.Parser
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "sandbox-worker" {
		if err := sandbox.WorkerMain(os.Stdin, os.Stdout); err != nil {
			os.Exit(3)
		}
		return
	}
	var err error
	if engine, err = sandbox.Open(context.Background(), sandbox.Config{}); err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
	if parser, err = syntax.Open(context.Background(), syntax.Config{}); err != nil {
		fmt.Fprintln(os.Stderr, "parser:", err)
		os.Exit(1)
	}
	code := m.Run()
	engine.Close()
	parser.Close()
	os.Exit(code)
}
