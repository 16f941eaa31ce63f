package localisation

import (
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

func TestMain(m *testing.M) {
	runtest.Worker()
	os.Exit(m.Run())
}
