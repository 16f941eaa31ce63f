package review

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// BenchmarkLedgerShare reviews 300 files, 2 MB, offline, which is the fastest kind of run there is, and reports the
// coverage ledger's share of it in percent: opening it, and matching every prompt that the run sent.
func BenchmarkLedgerShare(b *testing.B) {
	dir := b.TempDir()
	for i := range 300 {
		var text strings.Builder
		for k := 0; text.Len() < 7000; k++ {
			fmt.Fprintf(&text, "def handler_%d_%d(request, store, limit=%d):\n    rows = store.select(%q, limit)\n    return [row for row in "+
				"rows if row.owner == request.user]\n\n\n", i, k, k, fmt.Sprint("t", i, k))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("mod%03d.py", i)), []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	worker := rules.NewWorker(rules.NewSet(runtest.Parser(b), rules.All()))
	registry := llm.NewRegistry(nil)
	registry.Register("offline", func(model string) (llm.Handle, error) {
		if model == "rules" {
			return worker.Handle(), nil
		}
		return offline.Handle(), nil
	}, "orchestrator", "rules")
	var run, ledger time.Duration
	for b.Loop() {
		out := filepath.Join(b.TempDir(), "run")
		start := time.Now()
		if _, err := Analyze(context.Background(), Options{Path: dir, Out: out, Root: "offline/orchestrator", Worker: "offline/rules"},
			Env{Registry: registry, Sandbox: engine}); err != nil {
			b.Fatal(err)
		}
		run += time.Since(start)
		code, err := codebase.Load(context.Background(), dir, codebase.Options{})
		if err != nil {
			b.Fatal(err)
		}
		f, err := os.Open(filepath.Join(out, TraceName))
		if err != nil {
			b.Fatal(err)
		}
		events, _, err := trace.Read(f)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		l := coverage.New(code)
		for _, e := range events {
			if e.Kind == trace.KindDispatch {
				l.Dispatch(e.Dispatch.Prompt)
			}
		}
		ledger += time.Since(start)
		if l.Fraction() != 1 {
			b.Fatalf("coverage %v", l.Fraction())
		}
	}
	b.ReportMetric(100*ledger.Seconds()/run.Seconds(), "ledger-%")
	b.ReportMetric(run.Seconds()/float64(b.N), "s/run")
}
