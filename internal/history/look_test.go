package history_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const app = "/src/app"

// TestIndexIsOnlyACache: after any changes below the directory, a look with the index gives what one without gives.
func TestIndexIsOnlyACache(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		runs, cache := t.TempDir(), t.TempDir()
		for range rapid.IntRange(1, 6).Draw(rt, "looks") {
			for range rapid.IntRange(0, 4).Draw(rt, "changes") {
				run := filepath.Join(runs, rapid.SampledFrom([]string{"a", "b", "c/d", "c/e", "\x1b[2J\xff\nf"}).Draw(rt, "run"))
				if rapid.IntRange(0, 3).Draw(rt, "remove") == 0 {
					if err := os.RemoveAll(run); err != nil {
						rt.Fatal(err)
					}
					continue
				}
				r := review(rapid.SampledFrom([]string{app, "/src/\x00other"}).Draw(rt, "codebase"), rapid.IntRange(0, 30).Draw(rt, "n"))
				r.Run.Status = rapid.SampledFrom([]trace.Status{trace.StatusCompleted, trace.StatusCompleted, trace.StatusFailed}).Draw(rt, "status")
				r.Repo.Remote = rapid.SampledFrom([]string{"", "", "host.example/app"}).Draw(rt, "remote")
				r.Coverage.Fraction = rapid.SampledFrom([]float64{1, 0.5}).Draw(rt, "coverage")
				if rapid.IntRange(0, 4).Draw(rt, "unknown") == 0 {
					r.Usage.TotalCostUSD, r.Known = nil, new(3)
				}
				write(t, run, r)
			}
			for _, of := range []string{app, "/src/\x00other"} {
				with := look(t, history.Options{Runs: []string{runs}, Cache: cache}).Of(t.Context(), of)
				without := look(t, history.Options{Runs: []string{runs}}).Of(t.Context(), of)
				if diff := cmp.Diff(without, with); diff != "" {
					rt.Fatal(diff)
				}
			}
		}
	})
}

// two makes two reviews, of which the second has a finding more, and gives what history has to say.
func two(t *testing.T) (runs string, want []history.Entry) {
	runs = t.TempDir()
	write(t, filepath.Join(runs, "a"), review(app, 0))
	write(t, filepath.Join(runs, "b"), review(app, 1))
	want = look(t, history.Options{Runs: []string{runs}}).Of(t.Context(), app)
	if len(want) != 2 || *want[1].New != 1 || *want[1].Fixed != 0 || want[1].Against != want[0].Run {
		t.Fatalf("%+v", want)
	}
	return runs, want
}

// indexFile is the only index in a cache.
func indexFile(t *testing.T, cache string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(cache, "*.sqlite"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	return found[0]
}

// An index that was removed, cut off, damaged, or is somebody else's, is made again without a word.
func TestIndexIsMadeAgain(t *testing.T) {
	runs, want := two(t)
	cache := t.TempDir()
	o := history.Options{Runs: []string{runs}, Cache: cache, Warn: func(path, why string) { t.Errorf("%s: %s", path, why) }}
	same := func(name string) {
		t.Helper()
		if diff := cmp.Diff(want, look(t, o).Of(t.Context(), app)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		db, err := sql.Open("sqlite", indexFile(t, cache))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var reviews int
		if err := db.QueryRow("SELECT count(*) FROM review").Scan(&reviews); err != nil || reviews != 2 {
			t.Errorf("%s: %d reviews are indexed, %v", name, reviews, err)
		}
	}
	same("none")
	file := indexFile(t, cache)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := append([]byte{}, good...)
	for i := 4096; i < len(spoilt); i++ {
		spoilt[i] ^= 0x5a
	}
	for name, text := range map[string][]byte{"empty": {}, "cut off": good[:len(good)-3000], "only its head": good[:100],
		"no database": []byte("something else\n"), "spoilt": spoilt} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		same(name)
	}
	for name, change := range map[string]string{
		"another program's": "DROP TABLE review; CREATE TABLE other (x); PRAGMA application_id = 7",
		"another version's": "PRAGMA user_version = 99",
		"other tables":      "ALTER TABLE review DROP COLUMN figures",
		"other figures":     "UPDATE review SET figures = 'x'",
		"other sources":     "UPDATE review SET source = 'x'",
	} {
		db, err := sql.Open("sqlite", file)
		if err == nil {
			_, err = db.Exec(change)
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(name)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, look(t, o).Of(t.Context(), app)); diff != "" {
		t.Errorf("a directory in its place: %s", diff)
	}
}

// What did not change is not read again, and what cannot be written does no harm.
func TestOnlyWhatChangedIsRead(t *testing.T) {
	runs, want := two(t)
	cache := t.TempDir()
	var read []int
	o := history.Options{Runs: []string{runs}, Cache: cache, Reading: func(n int) { read = append(read, n) }}
	look(t, o)
	look(t, o)
	write(t, filepath.Join(runs, "c"), review(app, 2))
	look(t, o)
	if err := os.RemoveAll(filepath.Join(runs, "a")); err != nil {
		t.Fatal(err)
	}
	if all := look(t, o).Of(t.Context(), app); len(all) != 2 || all[0].New != nil || *all[1].New != 1 {
		t.Errorf("%+v", all)
	}
	write(t, filepath.Join(runs, "b"), review(app, 0)) // c did not change, and is compared with another
	if all := look(t, o).Of(t.Context(), app); len(all) != 2 || *all[1].New != 2 {
		t.Errorf("%+v", all)
	}
	if diff := cmp.Diff([]int{2, 1, 1}, read); diff != "" {
		t.Error(diff)
	}
	write(t, filepath.Join(runs, "a"), review(app, 0))
	write(t, filepath.Join(runs, "b"), review(app, 1))
	if err := os.RemoveAll(filepath.Join(runs, "c")); err != nil {
		t.Fatal(err)
	}
	blocked := filepath.Join(t.TempDir(), "file") // where a directory cannot be made, whoever asks
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Cache = filepath.Join(blocked, "cache")
	if diff := cmp.Diff(want, look(t, o).Of(t.Context(), app)); diff != "" {
		t.Error(diff)
	}
}

// An index that nobody used for long goes when another is made.
func TestOldIndexesGo(t *testing.T) {
	cache := t.TempDir()
	one, _ := two(t)
	look(t, history.Options{Runs: []string{one}, Cache: cache})
	old := indexFile(t, cache)
	another, _ := two(t)
	look(t, history.Options{Runs: []string{another}, Cache: cache})
	if _, err := os.Stat(old); err != nil {
		t.Fatal("an index went that was used a moment ago")
	}
	long := time.Now().AddDate(0, 0, -40)
	if err := os.Chtimes(old+".lock", long, long); err != nil {
		t.Fatal(err)
	}
	last, _ := two(t)
	look(t, history.Options{Runs: []string{last}, Cache: cache})
	if left, err := filepath.Glob(filepath.Join(cache, "*.lock")); err != nil || len(left) != 2 {
		t.Errorf("%v %v", left, err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("an index stays that nobody uses")
	}
}

// A review of a change is none of the codebase, and neither is that of its base, which one that was killed before it had a report has
// beside its journal.
func TestReviewsOfChanges(t *testing.T) {
	runs, want := two(t)
	of := review(app, 3)
	of.Change = &runfile.Change{}
	write(t, filepath.Join(runs, "change"), of)
	write(t, filepath.Join(runs, "killed", "before"), review(app, 2))
	if err := os.WriteFile(filepath.Join(runs, "killed", runfile.TraceName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, look(t, history.Options{Runs: []string{runs}}).Of(t.Context(), app)); diff != "" {
		t.Error(diff)
	}
}

// Reports of strangers are bounded, and what is no report is said once for each.
func TestHostileReports(t *testing.T) {
	runs, want := two(t)
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(runs, name, runfile.ReportName)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("many", `{"schema": 1, "findings": [{}`+strings.Repeat(",{}", 1_100_000)+`]}`)
	put("none", "no JSON")
	put("deep/er", "")
	if err := os.MkdirAll(filepath.Join(runs, "link"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(runs, "a", runfile.ReportName), filepath.Join(runs, "link", runfile.ReportName)); err != nil {
		t.Fatal(err)
	}
	strange := review(strings.Repeat("/long\x1b[2J\u202e", 10_000), 0)
	strange.Run.StartedAt = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	strange.Repo.Lines, strange.Known = -5, new(-7)
	write(t, filepath.Join(runs, "strange"), strange)
	cache := t.TempDir()
	for range 2 {
		said := map[string]string{}
		found := look(t, history.Options{Runs: []string{runs}, Cache: cache, Warn: func(path, why string) { said[filepath.Base(path)] = why }})
		if diff := cmp.Diff(want, found.Of(t.Context(), app)); diff != "" {
			t.Error(diff)
		}
		if len(said) != 3 || !strings.Contains(said["many"], "values") || !strings.Contains(said["none"], "JSON") || said["er"] == "" {
			t.Errorf("%v", said)
		}
		all := found.Beside(filepath.Join(runs, "strange"))
		if len(all) != 1 || len(all[0].Codebase) > 5000 || !all[0].At.IsZero() || all[0].Lines != 0 || *all[0].Known != 0 {
			t.Errorf("%+v", all)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := history.Look(ctx, history.Options{Runs: []string{runs}, Cache: cache}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := history.Look(t.Context(), history.Options{Runs: []string{filepath.Join(runs, "gone")}}); err == nil {
		t.Error("a directory that is not there has a history")
	}
}

// TestWhatIsCompared: what did not come to its end, lists only what a baseline has not, or was read by others, is no step in a history.
func TestWhatIsCompared(t *testing.T) {
	runs := t.TempDir()
	n := 0
	add := func(change func(r *runfile.Report)) string {
		r := review(app, n)
		change(&r)
		run := filepath.Join(runs, fmt.Sprintf("r%d", n))
		n++
		write(t, run, r)
		return run
	}
	first := add(func(*runfile.Report) {})
	partial := add(func(r *runfile.Report) { r.Run.Status, r.Findings = trace.StatusPartial, r.Findings[:3] })
	failed := add(func(r *runfile.Report) { r.Run.Status, r.Findings = trace.StatusFailed, nil })
	known := add(func(r *runfile.Report) { r.Findings, r.Known = nil, new(20) })
	others := add(func(r *runfile.Report) { r.Run.Worker, r.Findings = "some/model", r.Findings[:1] })
	less := add(func(r *runfile.Report) { r.Coverage.Fraction, r.Findings = 0.5, r.Findings[:12] })
	last := add(func(r *runfile.Report) { r.Findings = r.Findings[:13] })
	all := look(t, history.Options{Runs: []string{runs}, Cache: t.TempDir()}).Of(t.Context(), app)
	by := map[string]history.Entry{}
	for _, e := range all {
		by[e.Run] = e
	}
	for _, run := range []string{first, partial, failed, known, others} {
		if e, ok := by[run]; !ok || e.New != nil || e.Fixed != nil || e.Against != "" {
			t.Errorf("%+v", e)
		}
	}
	if e := by[less]; e.Against != first || *e.New != 0 || *e.Fixed != 8 || len(e.Notes) != 1 {
		t.Errorf("%+v", e)
	}
	if e := by[last]; e.Against != less || *e.New != 1 || *e.Fixed != 0 || len(e.Notes) != 0 {
		t.Errorf("%+v", e)
	}
}

// TestSameCodebase: by its remote, its first commit, its path, and what becomes known later.
func TestSameCodebase(t *testing.T) {
	runs := t.TempDir()
	for n, repo := range []runfile.Repo{
		{Path: "/old"}, {Path: "/old", FirstCommit: "f1"}, {Path: "/moved", FirstCommit: "f1", Remote: "host/app"},
		{Path: "/shallow", Remote: "host/app"}, {Path: "/moved", FirstCommit: "f1", Remote: "host/app", Below: "part"},
		{Path: "/other", FirstCommit: "f2", Remote: "host/x"}, {Path: "/fork", FirstCommit: "f2", Remote: "host/y"}, {Path: "/stray", FirstCommit: "f2"},
		{Path: "/ci", Remote: "host/x"}, {Path: "/ci", Remote: "host/y"}, {Path: "/ci"},
	} {
		r := review(repo.Path, n)
		r.Repo.FirstCommit, r.Repo.Remote, r.Repo.Below = repo.FirstCommit, repo.Remote, repo.Below
		write(t, filepath.Join(runs, fmt.Sprintf("r%02d", n)), r)
	}
	found := look(t, history.Options{Runs: []string{runs}})
	for run, want := range map[string]string{"r00": "r00 r01 r02 r03", "r03": "r00 r01 r02 r03", "r04": "r04", "r05": "r05 r08",
		"r06": "r06 r09", "r07": "r07", "r10": "r10", "r99": ""} {
		if got := names(found.Beside(filepath.Join(runs, run))); got != want {
			t.Errorf("beside %s: %q, want %q", run, got, want)
		}
	}
	for of, want := range map[string]string{"https://host/app.git": "r00 r01 r02 r03", "/old": "r00 r01 r02 r03", "/stray": "r07", "/none": "",
		"git@host:y": "r06 r09"} {
		if got := names(found.Of(t.Context(), of)); got != want {
			t.Errorf("of %s: %q, want %q", of, got, want)
		}
	}
	if got := strings.Join(found.Codebases(), " "); got != "/ci /fork /moved /old /other /shallow /stray" {
		t.Error(got)
	}
}

func names(all []history.Entry) string {
	var runs []string
	for _, e := range all {
		runs = append(runs, filepath.Base(e.Run))
	}
	return strings.Join(runs, " ")
}
