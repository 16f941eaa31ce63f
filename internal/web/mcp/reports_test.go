package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// grown gives the report of a run so many findings, each like one that it has.
func grown(t testing.TB, dir string, findings int) {
	t.Helper()
	changed(t, dir, func(r *runfile.Report) {
		for i, n := 0, len(r.Findings); len(r.Findings) < findings; i++ {
			f := r.Findings[i%n]
			f.ID = fmt.Sprintf("%012x", i)
			r.Findings = append(r.Findings, f)
		}
	})
}

// changed writes the report of a run again.
func changed(t testing.TB, dir string, change func(*runfile.Report)) {
	t.Helper()
	name := filepath.Join(dir, runfile.ReportName)
	r, err := review.ReadReport(name)
	if err != nil {
		t.Fatal(err)
	}
	change(&r)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := report.WriteJSON(f, r); err != nil {
		t.Fatal(err)
	}
}

// A report is read again when its file has changed, and the list follows what it says that it is of.
func TestAReportIsReadAgainWhenItChanges(t *testing.T) {
	c := config(t, tree(t))
	s := client(t, c, nil)
	run := ask(t, s, "review", map[string]any{"path": "app"})["run"].(string)
	if all := ask(t, s, "findings", map[string]any{"run": run}); all["total"] != 2.0 || !strings.Contains(listed(t, s), run) {
		t.Errorf("at first: %v", all)
	}
	ask(t, s, "coverage", map[string]any{"run": run})
	grown(t, filepath.Join(c.Runs, run), 5)
	if all := ask(t, s, "findings", map[string]any{"run": run}); all["total"] != 5.0 {
		t.Errorf("then: %v", all)
	}
	if one := ask(t, s, "show", map[string]any{"run": run, "id": "000000000001"}); one["list"] != "findings" || one["code"] == nil {
		t.Errorf("a new one: %v", one)
	}
	changed(t, filepath.Join(c.Runs, run), func(r *runfile.Report) { r.Repo.Path = filepath.Dir(c.Roots[0]) })
	refused(t, s, "findings", map[string]any{"run": run}, "there is no run")
	refused(t, s, "show", map[string]any{"run": run, "id": "0"}, "there is no run")
	if got := listed(t, s); got != "" {
		t.Errorf("of another codebase: %s", got)
	}
}

// What is kept of reports is bounded, and no answer changes it, also of calls at once.
func TestWhatIsKeptOfReports(t *testing.T) {
	c := config(t, tree(t))
	server, err := mcp.New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t, server, "", nil)
	run := ask(t, s, "review", map[string]any{"path": "app"})["run"].(string)
	ask(t, s, "findings", map[string]any{"run": run})
	written, err := review.ReadReport(filepath.Join(c.Runs, run, runfile.ReportName))
	if err != nil || len(written.Findings) != 2 {
		t.Fatalf("%v, %+v", err, written)
	}
	before, err := json.Marshal([]runfile.Report{written})
	if err != nil {
		t.Fatal(err)
	}
	id := written.Findings[0].ID
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			ask(t, s, "findings", map[string]any{"run": run, "severity": "low"})
			ask(t, s, "show", map[string]any{"run": run, "id": id})
			ask(t, s, "coverage", map[string]any{"run": run})
			listed(t, s)
		})
	}
	calls.Wait()
	if after, _ := json.Marshal(mcp.Kept(server)); string(after) != string(before) {
		t.Errorf("what is kept was\n%s\nand is\n%s", before, after)
	}
	for i := range 6 {
		more := fmt.Sprintf("more-%d", i)
		if err := os.CopyFS(filepath.Join(c.Runs, more), os.DirFS(filepath.Join(c.Runs, run))); err != nil {
			t.Fatal(err)
		}
		ask(t, s, "findings", map[string]any{"run": more})
	}
	if n := len(mcp.Kept(server)); n != 4 {
		t.Errorf("%d reports are kept", n)
	}
}

// BenchmarkCallsOfALargeReport is what warm calls cost where the report has 10,000 findings, and the list of 100 such.
func BenchmarkCallsOfALargeReport(b *testing.B) {
	c := config(b, tree(b))
	s := client(b, c, nil)
	run := ask(b, s, "review", map[string]any{"path": "app"})["run"].(string)
	grown(b, filepath.Join(c.Runs, run), 10_000)
	for i := range 99 {
		if err := os.CopyFS(filepath.Join(c.Runs, fmt.Sprintf("%s-%d", run, i)), os.DirFS(filepath.Join(c.Runs, run))); err != nil {
			b.Fatal(err)
		}
	}
	if info, err := os.Stat(filepath.Join(c.Runs, run, runfile.ReportName)); err == nil {
		b.Logf("a report of %d KB", info.Size()>>10)
	}
	for _, call := range []struct {
		tool string
		args map[string]any
	}{
		{"findings", map[string]any{"run": run}}, {"show", map[string]any{"run": run, "id": "000000000007"}},
		{"coverage", map[string]any{"run": run}}, {"graph", map[string]any{"path": "app", "query": "callers", "name": "go"}},
	} {
		b.Run(call.tool, func(b *testing.B) {
			for b.Loop() {
				ask(b, s, call.tool, call.args)
			}
		})
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if all, err := s.ListResources(b.Context(), nil); err != nil || len(all.Resources) != 300 {
				b.Fatal(err, len(all.Resources))
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.ReadResource(b.Context(), &sdk.ReadResourceParams{URI: "deeprepo://runs/" + run + "/report.md"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
