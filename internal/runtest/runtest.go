// Package runtest is what the tests of many packages share: the entry of sandbox workers, a parser that is opened once, a scripted model,
// small tasks, golden files, trees of files, and a run of each kind as the program itself has written it. Only tests import it.
package runtest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Worker belongs at the start of a TestMain whose tests run Python: the sandbox starts the test program again as its worker. There Worker
// does that work and ends the process; everywhere else it returns at once.
func Worker() {
	if len(os.Args) < 2 || os.Args[1] != "sandbox-worker" {
		return
	}
	if err := sandbox.WorkerMain(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

// Main runs a package's tests with one engine, which use is handed before the first of them.
func Main(m *testing.M, use func(*sandbox.Engine)) {
	Worker()
	engine, err := sandbox.Open(context.Background(), sandbox.Config{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
	use(engine)
	code := m.Run()
	engine.Close()
	os.Exit(code)
}
