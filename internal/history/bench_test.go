package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// review is the n-th review of a codebase: it has n%7 findings more than 20, at lines that move.
func review(codebase string, n int) runfile.Report {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour)
	cost := 0.25
	r := runfile.Report{
		Schema: report.Schema, Repo: runfile.Repo{Path: codebase, Commit: fmt.Sprintf("%040x", n), Lines: 12_000 + n},
		Run: runfile.ReportRun{ID: fmt.Sprintf("run-%06d", n), Status: trace.StatusCompleted, StartedAt: at, Root: "offline/script",
			Worker: "offline/rules"},
		Coverage: runfile.ReportCoverage{Fraction: 1}, Usage: runfile.ReportUsage{TotalCostUSD: &cost},
	}
	for i := range 20 + n%7 {
		f := finding.Finding{
			Title: fmt.Sprintf("SQL statement built from input number %d", i), Severity: []string{"high", "medium", "low"}[i%3],
			Category: "injection", File: fmt.Sprintf("src/module%02d/file%03d.py", i%5, i), Line: 10 + n%50 + i, EndLine: 11 + n%50 + i,
			Evidence:    fmt.Sprintf("db.execute(\"select * from table%03d where name = '%%s'\" %% name)", i),
			Explanation: "The name comes from the request and stands in the statement as it is, so who asks decides what is executed.",
			Suggestion:  "Pass the name as a parameter.", Confidence: 0.8, Grounded: true, Sources: []string{"t001.c01.d001.0001"},
		}
		r.Findings = append(r.Findings, finding.Merge([]finding.Finding{f})...)
	}
	return r
}

func write(t testing.TB, run string, r runfile.Report) {
	t.Helper()
	if err := os.MkdirAll(run, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(run, runfile.ReportName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := report.WriteJSON(f, r); err != nil {
		t.Fatal(err)
	}
}

func look(t testing.TB, o history.Options) *history.Reviews {
	t.Helper()
	found, err := history.Look(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// BenchmarkHistory looks at 10,000 reviews of one codebase: cold, with nothing indexed; warm, with all; and warm after one more.
func BenchmarkHistory(b *testing.B) {
	const reviews = 10_000
	runs := b.TempDir()
	for n := range reviews {
		write(b, filepath.Join(runs, fmt.Sprintf("app-%05d", n)), review("/src/app", n))
	}
	count := func(b *testing.B, cache string, want int) {
		if all := look(b, history.Options{Runs: []string{runs}, Cache: cache}).Of(b.Context(), "/src/app"); len(all) != want {
			b.Fatalf("%d reviews, want %d", len(all), want)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			count(b, b.TempDir(), reviews)
		}
	})
	cache := b.TempDir()
	count(b, cache, reviews)
	b.Run("warm", func(b *testing.B) {
		for b.Loop() {
			count(b, cache, reviews)
		}
	})
	b.Run("one-more", func(b *testing.B) {
		one := filepath.Join(runs, "one")
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			write(b, one, review("/src/app", reviews+n))
			b.StartTimer()
			count(b, cache, reviews+1)
		}
	})
}
