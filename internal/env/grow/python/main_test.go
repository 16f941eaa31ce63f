package python_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

var engine *sandbox.Engine

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
	code := m.Run()
	engine.Close()
	os.Exit(code)
}
