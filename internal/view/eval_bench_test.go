package view_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/evals"
)

// BenchmarkEvalOfManyRollouts opens an eval of 10,000 rollouts of 11 kB each.
func BenchmarkEvalOfManyRollouts(b *testing.B) {
	dir := runtest.Tree(b, map[string]string{"run.json": evalManifest})
	f, err := os.Create(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	texts := func(r *runfile.EvalRow) {
		r.Completion = []runfile.EvalMessage{{Role: "assistant", Content: strings.Repeat("print(\"x\")\n", 900)}}
		r.Parts = []runfile.RewardPart{{Name: "detection", Value: 0.5, Weight: 0.45}}
	}
	for i := range 10_000 {
		if _, err := f.WriteString(aRow(i/4, i%4, float64(i%100)/100, texts)); err != nil {
			b.Fatal(err)
		}
	}
	f.Close()
	for b.Loop() {
		run, err := view.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		document, err := run.Get("eval")
		if err != nil || document.(evals.EvalDoc).Rows.Total != 10_000 {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(asJSON(document))), "bytes")
		run.Close()
	}
}
