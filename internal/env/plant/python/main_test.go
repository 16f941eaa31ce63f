package python

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	engine *sandbox.Engine
	parser *syntax.Parser
)

func TestMain(m *testing.M) {
	runtest.Main(m, func(e *sandbox.Engine) {
		engine = e
		var err error
		if parser, err = syntax.Open(context.Background(), syntax.Config{}); err != nil {
			fmt.Fprintln(os.Stderr, "parser:", err)
			os.Exit(1)
		}
	})
}
