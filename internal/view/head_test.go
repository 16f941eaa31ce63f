package view_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/google/go-cmp/cmp"
)

// A review that failed, or leaves out what a baseline knows, is never told as "0 findings".
func TestHeadlinesOfReviews(t *testing.T) {
	high := finding.Finding{ID: "aaaa1111", Severity: "high", File: "a.py", Line: 1}
	for want, change := range map[string]func(*runfile.Report){
		"0 findings":        func(*runfile.Report) {},
		"1 finding: 1 high": func(r *runfile.Report) { r.Findings = []finding.Finding{high} },
		"failed before anything was found": func(r *runfile.Report) {
			r.Run.Status = trace.StatusFailed
		},
		"failed; 1 finding: 1 high, as far as it came": func(r *runfile.Report) {
			r.Run.Status, r.Findings = trace.StatusFailed, []finding.Finding{high}
		},
		"nothing new; 3 findings known from the baseline": func(r *runfile.Report) { r.Known = new(3) },
		"1 new finding: 1 high; 3 known from the baseline": func(r *runfile.Report) {
			r.Known, r.Findings = new(3), []finding.Finding{high}
		},
		"nothing to report; 1 finding suppressed": func(r *runfile.Report) {
			r.Suppressed = []runfile.Suppressed{{Finding: high, By: "file"}}
		},
		"nothing found in what was reviewed so far": func(r *runfile.Report) {
			r.Run.Status = trace.StatusPartial
		},
	} {
		repo := runtest.Tree(t, map[string]string{"a.py": eightLines})
		h := header(t, aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) { change(r) }))
		if h.Headline != want {
			t.Errorf("%q, want %q", h.Headline, want)
		}
	}
}

func TestTheHeadOfAReview(t *testing.T) {
	for worker, want := range map[string]string{
		"offline/rules": "static rules, 23% of lines have rules", "p/m": "p/m, 23% of lines reviewed",
	} {
		repo := filepath.Join(t.TempDir(), "shop")
		runtest.WriteFile(t, filepath.Join(repo, "a.py"), eightLines)
		h := header(t, aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
			r.Repo.Commit, r.Run.Worker, r.Coverage.Fraction = "0123456789abcdef", worker, 0.23
			r.Findings = []finding.Finding{{Severity: "high"}, {Severity: "low"}, {Severity: "low"}}
		}))
		wanted := doc.ReviewHead{Repository: "shop", Commit: "0123456789abcdef", Reader: want, Severities: map[string]int{"high": 1, "low": 2}}
		if diff := cmp.Diff(&wanted, h.Review); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// While a review is at work its page has what workers have answered so far, and what is appended comes to it.
func TestAReviewAtWorkShowsItsClaims(t *testing.T) {
	manifest := strings.Replace(reviewManifest, `"options"`, `"size":{"files":2,"lines":40},"options"`, 1)
	dir := runtest.Tree(t, map[string]string{"run.json": manifest})
	claim := func(line, title string) string {
		return `{"findings":[{"file":"a.py","line":` + line + `,"severity":"high","category":"logic","title":"` + title + `","evidence":"x"}]}`
	}
	events := []trace.Event{{Kind: trace.KindStart, Start: &trace.Start{Run: "r", Fingerprint: "f"}},
		{Kind: trace.KindRoot, Turn: 1, Key: "t001", Root: &trace.Root{Model: "m"}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "a", Dispatch: &trace.Dispatch{Model: "w", Reply: claim("3", "first"),
			Prompt: "look\n=== FILE: a.py (lines 1-10 of 20) ===\n1\n=== FILE: b.py (lines 1-5 of 20) ===\n1\n"}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "b", Dispatch: &trace.Dispatch{Model: "w", Reply: claim("9", "second"),
			Prompt: "=== FILE: a.py (lines 6-12 of 20) ===\n1\n"}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "c", Dispatch: &trace.Dispatch{Model: "w", Error: "503",
			Prompt: "=== FILE: b.py (lines 1-20 of 20) ===\n1\n"}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "d", Dispatch: &trace.Dispatch{Model: "w", Purpose: trace.PurposeQuestion,
			Reply: claim("1", "no claim"), Prompt: "=== FILE: b.py (lines 1-20 of 20) ===\n1\n"}}}
	writeTrace(t, dir, events[:3]...)
	run := open(t, dir)
	if p := ask[doc.Header](t, run, "").Review.Progress; !cmp.Equal(p, &doc.Progress{Turns: 1, Dispatches: 1, Lines: 15, Of: 40}) {
		t.Errorf("%+v", p)
	}
	if err := os.Remove(filepath.Join(dir, "trace.jsonl")); err != nil {
		t.Fatal(err)
	}
	writeTrace(t, dir, events...)
	if p := ask[doc.Header](t, run, "").Review.Progress; !cmp.Equal(p, &doc.Progress{Turns: 1, Dispatches: 4, Failed: 1, Lines: 17, Of: 40}) {
		t.Errorf("%+v", p)
	}
	titles := ""
	for _, f := range ask[review.Claims](t, run, "claims").Findings {
		titles += f.Title + " "
	}
	if titles != "first second " {
		t.Errorf("claims: %q", titles)
	}
	if err := os.Remove(filepath.Join(dir, "trace.jsonl")); err != nil { // the journal is begun again
		t.Fatal(err)
	}
	writeTrace(t, dir, events[:3]...)
	if c := ask[review.Claims](t, run, "claims"); len(c.Findings) != 1 {
		t.Errorf("claims of a journal that is gone: %+v", c)
	}
}

// The head of a change's review says what is compared, how the findings stand to it, and when the base is being read.
func TestTheHeadOfAChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	d, err := rundir.Create(dir, rundir.Kind{Name: "run"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	runtest.WriteFile(t, filepath.Join(dir, "run.json"), strings.Replace(reviewManifest, `"options":{`,
		`"options":{"base":"0123456789abcdef","since":"main",`, 1))
	head := func() *doc.ChangeHead {
		t.Helper()
		h := header(t, dir)
		if h.Review == nil {
			t.Fatalf("%+v", h)
		}
		return h.Review.Change
	}
	r := open(t, dir)
	before := r.Version()
	if diff := cmp.Diff(&doc.ChangeHead{Base: "main (012345678)"}, head()); diff != "" {
		t.Errorf("at its beginning (-want +got):\n%s", diff)
	}
	runtest.WriteFile(t, filepath.Join(dir, "before", "run.json"), reviewManifest)
	if diff := cmp.Diff(&doc.ChangeHead{Base: "main (012345678)", Reviewing: true}, head()); diff != "" {
		t.Errorf("while its base is read (-want +got):\n%s", diff)
	}
	if r.Version() == before {
		t.Error("nothing says that the base is being read")
	}
	runtest.WriteFile(t, filepath.Join(dir, "before", "report.json"), "{}")
	runtest.WriteFile(t, filepath.Join(dir, "report.json"), `{"run": {"status": "completed"}, "change": {}, "fixed": [{}],
		"findings": [{"severity": "high", "status": "new"}, {"severity": "high", "status": "pre-existing"},
			{"severity": "low", "status": "new"}]}`)
	want := &doc.ChangeHead{Base: "main (012345678)", Counts: &doc.ChangeCounts{New: 2, Before: 1, Fixed: 1}}
	if diff := cmp.Diff(want, head()); diff != "" {
		t.Errorf("at its end (-want +got):\n%s", diff)
	}
}
