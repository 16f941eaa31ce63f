package python_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/sandboxtest"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { sandboxtest.Main(m, func(e *sandbox.Engine) { engine = e }) }
