package view_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/google/go-cmp/cmp"
)

// lacking lays the directory of a partial review: the workers' replies for lines 2 and 3 of a.py could not be used.
func lacking(t testing.TB) string {
	t.Helper()
	repo := runtest.Tree(t, map[string]string{"a.py": eightLines, "b.py": "one\n"})
	return aReview(t, repo, "", func(r *runfile.Report, rec *runfile.CoverageRecord) {
		r.Run.Status, r.Run.StopReason = trace.StatusPartial, trace.StopAnswer
		r.Run.Shortfalls = []trace.Shortfall{{Code: trace.ShortSkipped, Count: 1}, {Code: trace.ShortFailed, Count: 2, Lines: 2}}
		r.Coverage.Skipped = []runfile.Skip{{Path: "big.py", Why: "too large: 3 MiB", Source: true, By: "program"}}
		r.Coverage.LinesAnswered, r.Coverage.LinesJudged, r.Coverage.Fraction = 3, 3, 1.0/3
		rec.Files[0].Answered, rec.Files[0].Unanswered = 2, [][2]int{{2, 3}}
		rec.Files[0].Judged, rec.Files[0].Unjudged = 1, [][2]int{{4, 4}}
	})
}

// The header says what is missing in the words of the other forms of the report.
func TestAHeaderSaysWhatIsMissing(t *testing.T) {
	dir := lacking(t)
	h := header(t, dir)
	f, err := os.Open(filepath.Join(dir, runfile.ReportName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rep, err := report.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rep.Run.Shortfalls, h.Shortfalls); diff != "" || len(h.Shortfalls) != 2 || h.Shortfalls[0].Code != trace.ShortFailed {
		t.Errorf("%+v (-report +header):\n%s", h.Shortfalls, diff)
	}
	var markdown, terminal strings.Builder
	if err := report.WriteMarkdown(&markdown, report.Document{Report: rep}); err != nil {
		t.Fatal(err)
	}
	if err := report.Text(&terminal, rep, report.Style{}); err != nil {
		t.Fatal(err)
	}
	words := []string{h.Ended}
	for _, s := range h.Shortfalls {
		words = append(words, s.Text)
	}
	for _, w := range words {
		if w == "" || !strings.Contains(markdown.String(), w) || !strings.Contains(terminal.String(), w) {
			t.Errorf("%q is not in both:\n%s\n%s", w, markdown.String(), terminal.String())
		}
	}
	if h.Status != doc.Partial || !strings.Contains(h.Hint, "deeprepo resume") {
		t.Errorf("status %s, hint %q", h.Status, h.Hint)
	}
}

// What is written in a stranger's file does not come to the page as a sentence of ours.
func TestAHeaderTakesNoWordsFromTheFile(t *testing.T) {
	many := strings.Repeat(`{"code":"dispatch_failed","count":1,"text":"All is well."},`, 50) + `{"code":"made\u001bup","count":-1,"text":"x"}`
	h := header(t, runtest.Tree(t, map[string]string{"run.json": reviewManifest,
		"report.json": `{"schema":1,"run":{"status":"partial","stop_reason":"` + strings.Repeat("w", 9_000) + `","shortfalls":[` + many + `]}}`}))
	if len(h.Shortfalls) != 40 || len(h.Ended) > 600 ||
		slices.ContainsFunc(h.Shortfalls, func(s trace.Shortfall) bool { return s.Text != "1 call to a model failed." }) {
		t.Errorf("%d bytes, %+v", len(h.Ended), h.Shortfalls)
	}
	if h := header(t, runtest.Tree(t, map[string]string{"run.json": reviewManifest,
		"report.json": `{"schema":1,"run":{"status":"splendid"}}`})); h.Status != doc.Broken || h.Ended != "" {
		t.Errorf("%s: %q", h.Status, h.Ended)
	}
}

// A review that was resumed still has the report of its first end; one at its first try has its trace only.
func TestALiveReviewSaysWhatIsMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	d, err := rundir.Create(dir, rundir.Kind{Name: "run"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	from := lacking(t)
	for _, name := range []string{"run.json", "report.json"} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		runtest.WriteFile(t, filepath.Join(dir, name), string(text))
	}
	if h := header(t, dir); h.Status != doc.Running || len(h.Shortfalls) != 2 || h.Ended == "" {
		t.Errorf("%+v", h)
	}
	if err := os.Remove(filepath.Join(dir, "report.json")); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, "trace.jsonl"),
		`{"seq":1,"at":"2026-11-21T10:00:00Z","kind":"start","start":{"run":"r","fingerprint":"f"}}`+"\n"+
			`{"seq":2,"at":"2026-11-21T10:00:01Z","kind":"dispatch","turn":1,"key":"a","dispatch":{"model":"w","prompt":"p","error":"503"}}`+"\n"+
			`{"seq":3,"at":"2026-11-21T10:00:02Z","kind":"dispatch","turn":1,"key":"b","dispatch":{"model":"w","prompt":"p","reply":"r"}}`+"\n")
	if h := header(t, dir); h.Status != doc.Running || h.Headline != "0 turns, 2 dispatches so far, 1 of them failed" || h.Ended != "" {
		t.Errorf("%+v", h)
	}
}

func TestLinesWithoutAnAnswerAreShownAsSuch(t *testing.T) {
	dir := lacking(t)
	files := get[review.Files](t, dir, "files")
	if row := files.Files[0]; row.Dispatched != 4 || row.Answered != 2 || row.Judged != 1 ||
		files.LinesDispatched != 5 || files.LinesJudged != 3 {
		t.Errorf("%+v, %+v", row, files)
	}
	if diff := cmp.Diff([]runfile.Skip{{Path: "big.py", Why: "too large: 3 MiB", Source: true, By: "program"}}, files.Skipped); diff != "" {
		t.Error(diff)
	}
	f := get[review.File](t, dir, "file/a.py")
	if !cmp.Equal(f.Covered, [][2]int{{1, 4}}) || !cmp.Equal(f.Unanswered, [][2]int{{2, 3}}) || !cmp.Equal(f.Unjudged, [][2]int{{4, 4}}) {
		t.Errorf("covered %v, unanswered %v, unjudged %v", f.Covered, f.Unanswered, f.Unjudged)
	}
	if f := get[review.File](t, dir, "file/b.py"); !cmp.Equal(f.Unanswered, [][2]int{}) || !cmp.Equal(f.Unjudged, [][2]int{}) {
		t.Errorf("b.py: %v", f.Unanswered)
	}
}
