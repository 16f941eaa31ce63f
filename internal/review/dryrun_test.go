package review

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// What --dry-run says of a scripted run and of one call is what the run does, whatever the files are.
func TestDryRunSaysWhatTheRunDoes(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"one file":   {"a.py": "x = 1\n"},
		"many small": copies(120, 7, "x"),
		"split":      {"long.py": text(3000, "x"), "b.py": "x = 1"},
		"not ASCII":  {"größe.py": text(2000, "ä€𝄞"), "tab\there.py": text(230, "y"), "\"q.py": text(9, "z")},
		"no newline": {"a.py": strings.TrimSuffix(text(12, "x"), "\n"), "b.py": strings.TrimSuffix(text(700, "x"), "\n")},
		"near full":  copies(9, 219, "x"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for path, text := range files {
				runtest.WriteFile(t, filepath.Join(dir, path), text)
			}
			calls := 0
			reader := func(ctx context.Context, r llm.Request) (llm.Response, error) { calls++; return finder(ctx, r) }
			env := environment(t, finder, reader)
			for _, o := range []Options{
				{Path: dir, Root: offline.Name, Worker: "fake/worker", Out: filepath.Join(t.TempDir(), "rlm")},
				{Path: dir, Root: "fake/reader", Worker: "fake/worker", Strategy: StrategySingle, Out: filepath.Join(t.TempDir(), "single")},
			} {
				e, err := DryRun(context.Background(), o, env)
				if err != nil {
					t.Fatal(err)
				}
				out, err := Analyze(context.Background(), o, env)
				if err != nil {
					t.Fatal(err)
				}
				c := out.Report.Repo
				if !e.Exact || e.Files != c.Files || e.Lines != c.Lines || e.Strategy == StrategyRLM && e.Dispatches != out.Report.Dispatches {
					t.Errorf("said %d files, %d lines, %d dispatches (exact: %v); did %d, %d, %d", e.Files, e.Lines, e.Dispatches, e.Exact,
						c.Files, c.Lines, out.Report.Dispatches)
				}
				if e.Strategy == StrategySingle && (e.Dispatches != 0 || calls != 1) {
					t.Errorf("said %d dispatches; did %d calls", e.Dispatches, calls)
				}
			}
		})
	}
}

// text has n lines of 100 characters, each another.
func text(n int, of string) string {
	var b strings.Builder
	for i := range n {
		head := fmt.Sprintf("%s%06d = ", of, i)
		b.WriteString(head + strings.Repeat("1", 99-utf8.RuneCountInString(head)) + "\n")
	}
	return b.String()
}

// copies are files of so many lines, no two alike.
func copies(n, lines int, of string) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/%s.py", i%7, strings.Repeat("f", i+1))] = text(lines, fmt.Sprintf("%s%03d", of, i))
	}
	return files
}

// A resumed run says that a model costs something else by now, and only that.
func TestChangedPricesAreSaid(t *testing.T) {
	price := func(in money.USD, source string) *llm.Price {
		return &llm.Price{Input: in * money.Dollar, Output: 15 * money.Dollar, Source: source}
	}
	m := Manifest{Prices: map[string]*llm.Price{"a/root": price(3, "snapshot"), "a/same": price(3, "snapshot"), "a/unknown": nil}}
	var said []string
	sayPrices(m, func(s string) { said = append(said, s) }, llm.Handle{Name: "a/root", Price: price(4, "config")},
		llm.Handle{Name: "a/same", Price: price(3, "config")}, llm.Handle{Name: "a/unknown", Price: price(4, "config")},
		llm.Handle{Name: "a/root", Price: price(4, "config")})
	if len(said) != 1 || !strings.Contains(said[0], "a/root has changed since the run began: input 4, was 3") {
		t.Errorf("%q", said)
	}
}
