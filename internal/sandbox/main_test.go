package sandbox_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"go.uber.org/goleak"
)

// The test program doubles as the worker: the engine starts it again with this argument.
func TestMain(m *testing.M) {
	runtest.Worker()
	goleak.VerifyTestMain(m)
}
