package flow_test

import (
	"context"
	"os"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// BenchmarkCodebase follows the values of the codebase at FLOW_BENCH, the graph given.
func BenchmarkCodebase(b *testing.B) {
	dir := os.Getenv("FLOW_BENCH")
	if dir == "" {
		b.Skip("set FLOW_BENCH to a directory of code")
	}
	ctx := context.Background()
	code, err := codebase.Load(ctx, dir, codebase.Options{})
	if err != nil {
		b.Fatal(err)
	}
	parser := runtest.Parser(b)
	g, err := graph.Build(ctx, code, graph.Options{Parser: func() (*syntax.Parser, error) { return parser, nil }})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		got, err := flow.Codebase(ctx, code, g, parser)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(got.Hits)), "hits")
	}
	b.ReportMetric(float64(code.Stats().Lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
