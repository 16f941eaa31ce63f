package demo

import (
	"context"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/sandboxtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { sandboxtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

func open(t testing.TB) env.Environment {
	t.Helper()
	parser, err := syntax.Open(context.Background(), syntax.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { parser.Close() })
	return catalog.Orchestration(catalog.Options{Parser: func() (*syntax.Parser, error) { return parser, nil }})
}
