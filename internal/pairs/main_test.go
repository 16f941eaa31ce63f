package pairs

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/sandboxtest"
)

// engine runs what the tests execute.
var engine *sandbox.Engine

func TestMain(m *testing.M) { sandboxtest.Main(m, func(e *sandbox.Engine) { engine = e }) }
