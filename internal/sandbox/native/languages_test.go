package native_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/rogpeppe/go-internal/txtar"
)

// polyglot is one for all tests; what it prepares is kept where compilers keep such things.
var polyglot = sync.OnceValues(func() (*native.Polyglot, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return native.OpenPolyglot(context.Background(), native.PolyglotConfig{Python: engine, Workers: 2,
		CacheDir: filepath.Join(cache, "deeprepo", "toolchains")})
})

// speaking gives the polyglot, and skips where it or a language is not to be had.
func speaking(t testing.TB, language string) *native.Polyglot {
	t.Helper()
	if _, err := exec.LookPath("bwrap"); err != nil {
		t.Skip("no bubblewrap here: no program in another language is judged")
	}
	p, err := polyglot()
	if err != nil {
		t.Skip("programs in other languages cannot be judged here: ", err)
	}
	version, err := p.Tool(t.Context(), language)
	if missing := (*native.Error)(nil); errors.As(err, &missing) {
		t.Skipf("%v: %s", err, missing.Hint())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", language, version)
	return p
}

// sums are what the programs of testdata/languages are given.
func sums() []sandbox.Case {
	return []sandbox.Case{{Stdin: "3\n1 2 3\n", Stdout: "6\n"}, {Stdin: "0\n\n", Stdout: "0\n"}, {Stdin: "2\n-5 7\n", Stdout: "2"}}
}

// everyOf thins out programs, each of which is compiled: DEEPREPO_LANGUAGES=all runs all of them, which takes minutes.
func everyOf(n int, files []txtar.File) (some []txtar.File) {
	for i, f := range files {
		if i%n == 0 || os.Getenv("DEEPREPO_LANGUAGES") == "all" {
			some = append(some, f)
		}
	}
	return some
}

func TestLanguages(t *testing.T) {
	for _, language := range native.Languages() {
		t.Run(language, func(t *testing.T) {
			p := speaking(t, language)
			archive, err := txtar.ParseFile("testdata/languages/" + language + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range everyOf(4, archive.Files) {
				t.Run(f.Name, func(t *testing.T) {
					_, want, _ := strings.Cut(f.Name, ".")
					q := sandbox.Program{Language: language, Code: string(f.Data), CompileWall: 2 * time.Minute,
						Limits: sandbox.Limits{Wall: 60 * time.Second, MemoryBytes: 256 << 20, OutputBytes: 10_000}}
					if want == "timeout" {
						q.Limits.Wall = 2 * time.Second
					}
					if !strings.HasPrefix(f.Name, "test_") {
						q.Cases = sums()
					}
					j, err := p.Exec(t.Context(), q)
					if err != nil {
						t.Fatal(err)
					}
					if string(j.Verdict) != want || j.Backend != sandbox.Native || (j.Error == nil) != (want == "passed") ||
						(j.ExitCode == 0) != (want == "passed") && !strings.HasPrefix(f.Name, "wrong") {
						t.Errorf("%s, exit %d: %+v\nstdout %q\nstderr %q", j.Verdict, j.ExitCode, j.Error, cut(j.Stdout), cut(j.Stderr))
					}
					if len(j.Stdout) > 10_000 || strings.HasPrefix(f.Name, "flood") && j.StdoutBytes <= 10_000 {
						t.Errorf("%d bytes of %d are kept", len(j.Stdout), j.StdoutBytes)
					}
					if j.Compilation == nil || want == "syntax_error" && (j.Compilation.ExitCode == 0 || j.Error.Message == "" || len(j.Results) > 0) {
						t.Errorf("compiled: %+v, %+v", j.Compilation, j.Error)
					}
				})
			}
		})
	}
}

// TestCompilers has programs attack what compiles them: none of them gets far, or anything.
func TestCompilers(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/compilers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir()) // what others have there for a while is not left behind
	for _, f := range everyOf(5, archive.Files) {
		language, name, _ := strings.Cut(f.Name, "/")
		_, want, _ := strings.Cut(name, ".")
		t.Run(f.Name, func(t *testing.T) {
			p := speaking(t, language)
			j, err := p.Exec(t.Context(), sandbox.Program{Language: language, Code: string(f.Data), CompileWall: 20 * time.Second,
				Limits: sandbox.Limits{Wall: 20 * time.Second, MemoryBytes: 256 << 20, OutputBytes: 10_000}})
			if err != nil {
				t.Fatal(err)
			}
			if string(j.Verdict) != want && (want != "fails" || j.Verdict == sandbox.Passed || j.Verdict == sandbox.InfraError) {
				t.Errorf("%s: %+v\n%s", j.Verdict, j.Error, cut(j.Compilation.Output))
			}
			t.Logf("%s, compiled for %v: %s", j.Verdict, j.Compilation.Wall, said(j.Error))
			all := j.Stdout + j.Stderr + j.Compilation.Output
			if strings.Contains(all, "root:") || strings.Count(all, "ran once") > 1 || len(j.Compilation.Output) > 64<<10+10 {
				t.Errorf("%d bytes: %s", len(all), cut(all))
			}
			if left, err := filepath.Glob(filepath.Join(os.TempDir(), "deeprepo-program-*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

func said(e *sandbox.PyError) string {
	if e == nil {
		return ""
	}
	return cut(e.Error())
}

// BenchmarkLanguages judges a program that is right, by language: compiled, run once, jails included. Its processor time is
// what perf stat counts for ten more of them, for a jail's is not added to that of the process which waits for it.
func BenchmarkLanguages(b *testing.B) {
	for _, language := range native.Languages() {
		b.Run(language, func(b *testing.B) {
			p := speaking(b, language)
			archive, err := txtar.ParseFile("testdata/languages/" + language + ".txtar")
			if err != nil {
				b.Fatal(err)
			}
			q := sandbox.Program{Language: language, Code: string(archive.Files[0].Data), CompileWall: time.Minute}
			if !strings.HasPrefix(archive.Files[0].Name, "test_") {
				q.Cases = sums()[:1]
			}
			for b.Loop() {
				if j, err := p.Exec(b.Context(), q); err != nil || j.Verdict != sandbox.Passed {
					b.Fatalf("%v %+v", err, j)
				}
			}
		})
	}
}
