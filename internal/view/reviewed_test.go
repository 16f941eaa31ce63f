package view_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/google/go-cmp/cmp"
)

// aReview lays the directory of a review of the codebase at repo, in which the first four lines of each file were dispatched.
func aReview(t testing.TB, repo, commit string, change func(*runfile.Report, *runfile.CoverageRecord)) string {
	t.Helper()
	code, err := codebase.Load(t.Context(), repo, codebase.Options{Commit: commit})
	if err != nil {
		t.Fatal(err)
	}
	rep := runfile.Report{Schema: report.Schema, Repo: runfile.Repo{Path: repo, Commit: code.Commit()},
		Run: runfile.ReportRun{Status: trace.StatusCompleted}}
	rec := runfile.CoverageRecord{Schema: coverage.RecordSchema}
	for _, p := range code.Paths() {
		f, _ := code.File(p)
		n := min(4, f.Lines)
		rf := runfile.CoveredFile{Path: p, Language: f.Language, Lines: f.Lines, Dispatched: n, Answered: n, SHA256: f.Hash}
		if n > 0 {
			rf.Ranges = [][2]int{{1, n}}
		}
		rec.Files = append(rec.Files, rf)
		rep.Coverage.LinesTotal += f.Lines
		rep.Coverage.LinesDispatched += n
		rep.Coverage.LinesAnswered += n
		rep.Coverage.LinesJudged += n
	}
	if change != nil {
		change(&rep, &rec)
	}
	var reportJSON, recordJSON bytes.Buffer
	if err := report.WriteJSON(&reportJSON, rep); err != nil {
		t.Fatal(err)
	}
	if err := coverage.WriteRecord(&recordJSON, rec); err != nil {
		t.Fatal(err)
	}
	return runtest.Tree(t, map[string]string{
		"run.json": reviewOf(reviewOptions{Path: repo, Commit: commit}), "report.json": reportJSON.String(), "coverage.json": recordJSON.String(),
	})
}

// get asks for a document, which must be one that can be marshalled.
func get[T any](t testing.TB, dir, resource string) T {
	t.Helper()
	document, err := open(t, dir).Get(resource)
	if err != nil {
		t.Fatalf("%s: %v", resource, err)
	}
	if _, err := json.Marshal(document); err != nil {
		t.Fatalf("%s: %v", resource, err)
	}
	if where := nullList(reflect.ValueOf(document)); where != "" {
		t.Errorf("%s%s is null, and the page goes through it", resource, where)
	}
	return document.(T)
}

// nullList is where in a document a list or map is null that the page takes for one that is there; "" for nowhere.
func nullList(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return nullList(v.Elem())
		}
	case reflect.Struct:
		for f, one := range v.Fields() {
			_, left, _ := strings.Cut(f.Tag.Get("json"), ",")
			list := f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map
			if !f.IsExported() && !f.Anonymous || list && left == "omitempty" && one.Len() == 0 {
				continue
			}
			nullable := v.Type() == reflect.TypeFor[runfile.EvalSummary]() // as web/documents has it
			if list && one.IsNil() && !nullable {
				return "." + f.Name
			}
			if where := nullList(one); where != "" {
				return "." + f.Name + where
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if where := nullList(v.Index(i)); where != "" {
				return "[]" + where
			}
		}
	case reflect.Map:
		for _, one := range v.Seq2() {
			if where := nullList(one); where != "" {
				return "[]" + where
			}
		}
	}
	return ""
}

const eightLines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"

func TestFilesOfAReview(t *testing.T) {
	repo := runtest.Tree(t, map[string]string{"a.py": eightLines, "sub/b c#?.go": "package b\n", "empty.py": ""})
	dir := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
		r.Findings = []finding.Finding{
			{ID: "aaaa1111", Title: "late", Severity: "low", File: "a.py", Line: 7}, {ID: "aaaa2222", Title: "early", Severity: "high", File: "a.py", Line: 2, EndLine: 3},
		}
		r.Coverage.Skipped = []runfile.Skip{{Path: "logo.png", Why: "binary"}}
	})
	want := review.Files{
		Files: []review.FileRow{
			{Path: "a.py", Language: "python", Lines: 8, Dispatched: 4, Answered: 4, Judged: 4, Findings: 2, Worst: "high"},
			{Path: "empty.py", Language: "python"},
			{Path: "sub/b c#?.go", Language: "go", Lines: 1, Dispatched: 1, Answered: 1, Judged: 1},
		},
		Skipped: []runfile.Skip{{Path: "logo.png", Why: "binary"}}, LinesTotal: 9, LinesDispatched: 5, LinesJudged: 5,
	}
	if diff := cmp.Diff(want, get[review.Files](t, dir, "files")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	f := get[review.File](t, dir, "file/a.py")
	if f.Text == nil || *f.Text != eightLines || f.Why != "" || !cmp.Equal(f.Covered, [][2]int{{1, 4}}) || f.Next != "empty.py" ||
		f.Previous != "" {
		t.Errorf("%+v", f)
	}
	if len(f.Findings) != 2 || f.Findings[0].Title != "early" || f.Findings[1].Title != "late" {
		t.Errorf("findings: %+v", f.Findings)
	}
	if f := get[review.File](t, dir, "file/sub/b c#?.go"); f.Text == nil || *f.Text != "package b\n" {
		t.Errorf("%+v", f)
	}
	if f := get[review.File](t, dir, "file/empty.py"); f.Text == nil || *f.Text != "" {
		t.Errorf("%+v", f)
	}
}

func TestATextIsShownOnlyAsItWasReviewed(t *testing.T) {
	outside := runtest.Tree(t, map[string]string{"secret.py": "password\n"})
	repo := runtest.Tree(t, map[string]string{"changed.py": "x = 1\n", "gone.py": "y\n", "linked.py": "password\n", "same.py": "z\n"})
	dir := aReview(t, repo, "", func(_ *runfile.Report, rec *runfile.CoverageRecord) {
		secret := rec.Files[2] // the hash of the secret is known to whoever made this directory
		for _, p := range []string{"../" + filepath.Base(outside) + "/secret.py", filepath.Join(outside, "secret.py"), "link/secret.py"} {
			secret.Path = p
			rec.Files = append(rec.Files, secret)
		}
	})
	runtest.WriteFile(t, filepath.Join(repo, "changed.py"), "x = 2\n")
	for _, err := range []error{
		os.Remove(filepath.Join(repo, "gone.py")), os.Remove(filepath.Join(repo, "linked.py")),
		os.Symlink(filepath.Join(outside, "secret.py"), filepath.Join(repo, "linked.py")), os.Symlink(outside, filepath.Join(repo, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, why := range map[string]string{
		"changed.py": "has changed", "gone.py": "no longer there", "linked.py": "symlink",
		"../" + filepath.Base(outside) + "/secret.py": "leaves the root", filepath.Join(outside, "secret.py"): "leaves the root", "link/secret.py": "escapes",
	} {
		if f := get[review.File](t, dir, "file/"+path); f.Text != nil || !strings.Contains(f.Why, why) {
			t.Errorf("%s: text %v, %q does not say %q", path, f.Text != nil, f.Why, why)
		}
	}
	if f := get[review.File](t, dir, "file/same.py"); f.Text == nil {
		t.Errorf("same.py: %s", f.Why)
	}
	for _, path := range []string{"other.py", "", "../x", "same.py/"} {
		if _, err := open(t, dir).Get("file/" + path); err == nil {
			t.Errorf("%q was shown", path)
		}
	}
}

func TestFilesOfACommit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	repo := runtest.Tree(t, map[string]string{"a.py": eightLines})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "first"}} {
		cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	ofCommit, ofTree := aReview(t, repo, "HEAD", nil), aReview(t, repo, "", nil)
	runtest.WriteFile(t, filepath.Join(repo, "a.py"), "changed\n")
	for name, dir := range map[string]string{"a review of a commit": ofCommit, "a review of a clean work tree": ofTree} {
		if f := get[review.File](t, dir, "file/a.py"); f.Text == nil || *f.Text != eightLines {
			t.Errorf("%s: %q", name, f.Why)
		}
	}
	elsewhere := aReview(t, repo, "HEAD", func(r *runfile.Report, _ *runfile.CoverageRecord) { r.Repo.Commit = "--output=/tmp/x" })
	if f := get[review.File](t, elsewhere, "file/a.py"); f.Text != nil || !strings.Contains(f.Why, "does not name the commit") {
		t.Errorf("%+v", f)
	}
	gone := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) { r.Repo.Path = filepath.Join(t.TempDir(), "gone") })
	if f := get[review.File](t, gone, "file/a.py"); f.Text != nil || !strings.Contains(f.Why, "cannot be read") {
		t.Errorf("%+v", f)
	}
	relative := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) { r.Repo.Path = "." })
	if f := get[review.File](t, relative, "file/a.py"); f.Text != nil || !strings.Contains(f.Why, "which directory") {
		t.Errorf("%+v", f)
	}
}

func TestOldReviewsShowWhatTheyHave(t *testing.T) {
	repo := runtest.Tree(t, map[string]string{"a.py": eightLines})
	dir := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
		r.Findings = []finding.Finding{{ID: "aaaa1111", Severity: "low", File: "a.py", Line: 2, Evidence: "two"}}
	})
	for name, spoil := range map[string]func() error{
		"no record": func() error { return os.Remove(filepath.Join(dir, "coverage.json")) },
		"a broken record": func() error {
			return os.WriteFile(filepath.Join(dir, "coverage.json"), []byte(`{"schema":1,"files":[{"path":"a.py","lines":-1}]}`), 0o644)
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		files := get[review.Files](t, dir, "files")
		if !cmp.Equal(files.Files, []review.FileRow{{Path: "a.py", Findings: 1, Worst: "low"}}) ||
			!strings.Contains(files.Partial, "coverage.json") || files.LinesTotal != 8 {
			t.Errorf("%s: %+v", name, files)
		}
		f := get[review.File](t, dir, "file/a.py")
		if f.Text != nil || !strings.Contains(f.Why, "coverage.json") || len(f.Findings) != 1 {
			t.Errorf("%s: %+v", name, f)
		}
		if d := get[review.Findings](t, dir, "findings"); len(d.Findings) != 1 || len(d.Snippets) != 0 {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if err := os.Remove(filepath.Join(dir, "report.json")); err != nil {
		t.Fatal(err)
	}
	for _, resource := range []string{"files", "findings", "file/a.py"} {
		if _, err := open(t, dir).Get(resource); err == nil || !strings.Contains(err.Error(), "not come to its end") {
			t.Errorf("%s of a run that has not ended: %v", resource, err)
		}
	}
}
