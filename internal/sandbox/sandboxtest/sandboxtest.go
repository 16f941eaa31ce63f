// Package sandboxtest is the TestMain of packages whose tests run Python: the test program is its own worker process.
package sandboxtest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Main runs a package's tests with one engine, which use is handed before the first of them.
func Main(m *testing.M, use func(*sandbox.Engine)) {
	if len(os.Args) > 1 && os.Args[1] == "sandbox-worker" {
		if err := sandbox.WorkerMain(os.Stdin, os.Stdout); err != nil {
			os.Exit(3)
		}
		return
	}
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
