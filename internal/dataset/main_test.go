package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

var box *sandbox.Engine

func TestMain(m *testing.M) {
	for _, arg := range os.Args {
		if strings.HasPrefix(arg, "-test.fuzz") { // fuzz targets need no sandbox, and start again and again
			os.Exit(m.Run())
		}
	}
	runtest.Main(m, func(e *sandbox.Engine) { box = e })
}

// shared is where the real data is on machines that have it.
const shared = "../../../shared/data"

// real opens a dataset from the shared data, and skips the test where that is not here.
func real(t testing.TB, name, path string) *Set {
	t.Helper()
	path = filepath.Join(shared, path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared data is not here: the real %s is not read", name)
	}
	s, err := Open(t.Context(), name, Options{Data: path, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pythonForTest reads programs with the tests' own parser.
func pythonForTest(t testing.TB) *python {
	t.Helper()
	return &python{parser: runtest.Parser(t), close: func() {}}
}

// jsonOf returns v as JSON, without escapes that v does not need.
func jsonOf(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// file writes a file of its own directory and returns its path.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a dataset of the given rows, one a line.
func open(t testing.TB, name string, rows ...any) (*Set, error) {
	t.Helper()
	var lines []string
	for _, r := range rows {
		if s, ok := r.(string); ok {
			lines = append(lines, s)
		} else {
			lines = append(lines, jsonOf(t, r))
		}
	}
	return Open(t.Context(), name, Options{Data: file(t, "data.jsonl", strings.Join(lines, "\n")), Parser: runtest.OpenParser})
}

// one opens a dataset of one row and returns its task.
func one(t testing.TB, name string, row any) Task {
	t.Helper()
	s, err := open(t, name, row)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Tasks) != 1 {
		t.Fatalf("%d tasks, want 1", len(s.Tasks))
	}
	return s.Tasks[0]
}

// judge runs a program of a task in the real sandbox.
func judge(t testing.TB, task Task, code string) sandbox.Judgement {
	t.Helper()
	p := task.Program(code)
	p.Limits = sandbox.Limits{Steps: 50_000_000, Wall: time.Minute}
	p.KeepGoing = true
	j, err := box.Exec(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", task.ID, err)
	}
	return j
}

// verdicts judges programs of a task and compares.
func verdicts(t *testing.T, task Task, want map[string]sandbox.Verdict) {
	t.Helper()
	for code, verdict := range want {
		if j := judge(t, task, code); j.Verdict != verdict {
			t.Errorf("%s\n%s\n%s, want %s: %+v", task.ID, code, j.Verdict, verdict, j.Error)
		}
	}
}

// wantError checks an error's text, and that it says what to do.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
	if hint.Of(err) == "" {
		t.Errorf("error %q has no hint", err)
	}
}

// fuzz reads what the fuzzer makes as the rows of a plug-in. Whatever it is, tasks or an error come out, and the tasks
// keep the package's promises.
func fuzz(f *testing.F, p plugin, seeds ...any) {
	for _, s := range seeds {
		if text, ok := s.(string); ok {
			f.Add([]byte(text))
		} else {
			f.Add([]byte(jsonOf(f, s)))
		}
	}
	parse := pythonForTest(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{path: "fuzz", raw: bytes.NewReader(data), hash: sha256.New(), bytes: 1 << 20, python: parse, origin: p.origin(),
			name: p.about().Name}
		tasks, err := p.read(t.Context(), in)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, task := range tasks {
			if task.ID == "" || seen[task.ID] {
				t.Errorf("task ID %q is empty or there twice", task.ID)
			}
			seen[task.ID] = true
			if len(task.Tests) == 0 && len(task.Cases) == 0 {
				t.Errorf("%s has no tests", task.ID)
			}
			if len(task.Tests) > 0 && task.Entry == "" {
				t.Errorf("%s has tests and no entry point", task.ID)
			}
			if strings.Contains(task.Signature, "\n") {
				t.Errorf("%s: signature %q", task.ID, task.Signature)
			}
			if task.PublicCases > len(task.Cases) {
				t.Errorf("%s: %d public of %d cases", task.ID, task.PublicCases, len(task.Cases))
			}
		}
	})
}
