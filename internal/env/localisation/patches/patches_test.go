package patches

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// stub stands in for pytest, which this machine's Python may lack: it runs the functions that are named.
const stub = `import os, runpy
class R:
    pass
def main(args, plugins):
    for arg in args:
        if "::" not in arg: continue
        file, name = arg.split("::")
        if not os.path.exists(file): print("E   no such file"); continue
        r = R(); r.nodeid, r.when, r.outcome = arg, "call", "passed"
        try: runpy.run_path(file)[name]()
        except Exception as e: r.outcome = "failed"; print("E   %s: %s" % (type(e).__name__, e))
        for p in plugins: p.pytest_runtest_logreport(r)
    return 0
`

const (
	price = "def price(n):\n    return sum(range(n))\n"
	fix   = "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -1,2 +1,2 @@\n def price(n):\n-    return sum(range(n))\n" +
		"+    return sum(range(n + 1))\n"
	check = "--- /dev/null\n+++ b/tests/test_price.py\n@@ -0,0 +1,7 @@\n+from shop.price import price\n+\n+def test_price():\n" +
		"+    assert price(3) == 6\n+\n+def test_none():\n+    assert price(0) == 0\n"
)

// world makes a repository, a virtual environment and the record of an issue.
func world(t *testing.T) (Config, localisation.Record) {
	t.Helper()
	for _, program := range []string{"bwrap", "git", "python3"} {
		if _, err := exec.LookPath(program); err != nil || runtime.GOOS != "linux" {
			t.Skip("no " + program + " here: no tests are run with patches")
		}
	}
	dir := t.TempDir()
	c := Config{Repos: filepath.Join(dir, "repos"), Venvs: filepath.Join(dir, "venvs"), Out: filepath.Join(dir, "out", "rows.jsonl"),
		Scratch: dir, Timeout: time.Minute, Workers: 2,
		Parser: runtest.OpenParser}
	repo := filepath.Join(c.Repos, "acme__shop")
	for name, text := range map[string]string{"shop/price.py": price, "shop/__init__.py": "", "pytest.py": stub, "pic.bin": "\xff\x00"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(repo, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var head []byte
	for _, args := range [][]string{{"git", "init", "-q"}, {"git", "add", "-A"},
		{"git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "base"},
		{"python3", "-m", "venv", "--without-pip", filepath.Join(c.Venvs, "acme__shop@1.0")}, {"git", "rev-parse", "HEAD"}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = repo
		var err error
		if head, err = cmd.Output(); err != nil {
			if args[0] == "python3" {
				t.Skip("no virtual environments can be made here: ", err)
			}
			t.Fatal(args, err)
		}
	}
	return c, localisation.Record{InstanceID: "acme__shop-1", Repo: "acme/shop", Version: "1.0", BaseCommit: string(bytes.TrimSpace(head)),
		Issue: "price(3) is 3", Patch: fix, TestPatch: check, FailToPass: []string{"test_price"}}
}

// tried runs records and skips where nothing can be jailed.
func tried(t *testing.T, c Config) []Row {
	t.Helper()
	rows, err := Run(t.Context(), c)
	if err != nil && strings.HasPrefix(err.Error(), "native sandbox: ") {
		t.Skip("programs cannot be jailed here: ", err)
	}
	if err != nil || len(rows) != len(c.Records) {
		t.Fatalf("%v, %d rows", err, len(rows))
	}
	return rows
}

func TestControl(t *testing.T) {
	c, good := world(t)
	with := func(change func(*localisation.Record)) localisation.Record {
		r := good
		change(&r)
		return r
	}
	want := map[string]struct {
		holds *bool
		why   string
	}{}
	add := func(id string, holds *bool, why string, change func(*localisation.Record)) {
		r := with(change)
		r.InstanceID = id
		c.Records, want[id] = append(c.Records, r), struct {
			holds *bool
			why   string
		}{holds, why}
	}
	add("good", new(true), "", func(*localisation.Record) {})
	add("pytest's names", new(true), "", func(r *localisation.Record) { r.FailToPass = []string{"tests/test_price.py::test_price"} })
	add("a built file", new(true), "", func(r *localisation.Record) {
		r.TestPatch = strings.Replace(check, "0,0 +1,7", "0,0 +1,8", 1) + "+import shop.built\n"
	})
	add("no fix", new(false), "1 of 1 tests do not pass with the fix: AssertionError", func(r *localisation.Record) {
		r.Patch = strings.ReplaceAll(fix, "n + 1", "n + 0")
	})
	add("one passes before", new(false), "1 of 2 tests pass without the fix", func(r *localisation.Record) {
		r.FailToPass = []string{"test_price", "test_none"}
	})
	for _, c := range []struct {
		test, why string
		holds     *bool
	}{
		{"test_other", "the test test_other is in no file of the test patch", nil},
		{"--pdb", "named in a way that is not known", nil},
		{"tests/../../x.py::test_a", "named in a way that is not known", nil},
		{"tests/no.py::test_a", "the tests do not run here", new(false)},
	} {
		add(c.test, c.holds, c.why, func(r *localisation.Record) { r.FailToPass = []string{c.test} })
	}
	add("other version", nil, "there is no virtual environment", func(r *localisation.Record) { r.Version = "2.0" })
	add("odd version", nil, "there is no virtual environment", func(r *localisation.Record) { r.Version = "../acme__shop@1.0" })
	add("other commit", nil, "no such commit", func(r *localisation.Record) { r.BaseCommit = "0123456789" })
	add("bad tests", nil, "the test patch does not apply", func(r *localisation.Record) {
		r.TestPatch = strings.ReplaceAll(fix, "sum", "max")
	})
	add("no tests", nil, "no test_patch or no FAIL_TO_PASS", func(r *localisation.Record) { r.TestPatch = "" })
	built := filepath.Join(c.Venvs, "acme__shop@1.0", builtName, "shop")
	if err := os.MkdirAll(built, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(built, "built.py"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rows := tried(t, c)
	for _, r := range rows {
		w := want[r.InstanceID]
		if !cmp.Equal(r.Control.Holds, w.holds) || !strings.Contains(r.Control.Why, w.why) || (w.why == "") != (r.Control.Why == "") {
			t.Errorf("%s: %+v, want %q", r.InstanceID, r.Control, w.why)
		}
		if r.Patch != nil {
			t.Errorf("%s: a patch that nobody proposed: %+v", r.InstanceID, r.Patch)
		}
	}
	if left, err := filepath.Glob(filepath.Join(c.Scratch, "deeprepo-patch-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	s := Summarise(rows)
	if s.All.Issues != 14 || s.All.Holds != 3 || s.All.Ran != 5 {
		t.Errorf("%+v", s.All)
	}
	var text strings.Builder
	if err := s.Write(&text); err != nil || !strings.Contains(text.String(), "acme/shop      14          5              3") {
		t.Errorf("%v %s", err, text.String())
	}
}

// TestPredictions tries patches: what was not tried is unknown.
func TestPredictions(t *testing.T) {
	c, good := world(t)
	c.Predictions = map[string]string{}
	want := map[string]Trial{}
	add := func(id, patch string, applies, parses, passes *bool) {
		r := good
		r.InstanceID = id
		c.Records, c.Predictions[id] = append(c.Records, r), patch
		want[id] = Trial{Applies: applies, Parses: parses, Passes: passes}
	}
	add("right", fix, new(true), new(true), new(true))
	add("wrong", strings.ReplaceAll(fix, "n + 1", "n + 2"), new(true), new(true), new(false))
	add("broken", strings.ReplaceAll(fix, "n + 1", "n + ("), new(true), new(false), new(false))
	add("elsewhere", strings.ReplaceAll(fix, "range", "reversed"), new(false), nil, nil)
	add("nothing", " \n", nil, nil, nil)
	add("its own tests",
		"--- /dev/null\n+++ b/tests/test_price.py\n@@ -0,0 +1 @@\n+def test_price(): pass\n", new(true), new(true), new(false))
	add("rigged", "--- /dev/null\n+++ b/tests/conftest.py\n@@ -0,0 +1 @@\n+import shop\n", new(true), new(true), nil)
	uncontrolled := good
	uncontrolled.InstanceID, uncontrolled.Patch = "uncontrolled", strings.ReplaceAll(fix, "n + 1", "n + 0")
	c.Records, c.Predictions["uncontrolled"] = append(c.Records, uncontrolled), fix
	want["uncontrolled"] = Trial{Applies: new(true), Parses: new(true)}
	rows := tried(t, c)
	for _, r := range rows {
		got := *r.Patch
		if (got.Why == "") != (r.InstanceID == "right") || (got.Tests != nil) != (got.Passes != nil) {
			t.Errorf("%s: %+v", r.InstanceID, got)
		}
		got.Why, got.Tests = "", nil
		if d := cmp.Diff(want[r.InstanceID], got); d != "" {
			t.Errorf("%s: %s", r.InstanceID, d)
		}
	}
	if all := Summarise(rows).All; all.Patches != 7 || all.Applied != 6 || all.Parsed != 5 || all.Tested != 4 || all.Passed != 1 {
		t.Errorf("%+v", all)
	}
}

// TestRunGoesOn keeps the rows that are there, but for those of other records, and drops half a line.
func TestRunGoesOn(t *testing.T) {
	c, r := world(t)
	c.Records = []localisation.Record{r}
	first := tried(t, c)
	text, err := os.ReadFile(c.Out)
	if err != nil {
		t.Fatal(err)
	}
	marked := strings.ReplaceAll(string(text), `"tests":1`, `"tests":77`)
	if err := os.WriteFile(c.Out, []byte(marked+`{"instance_id": "half`), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := tried(t, c); again[0].Control.Tests != 77 {
		t.Errorf("what was there is tried again: %+v", again[0])
	}
	c.Records[0].Patch = strings.ReplaceAll(fix, "n + 1", "1 + n")
	if again := tried(t, c); again[0].Control.Tests != first[0].Control.Tests {
		t.Errorf("another fix is not tried: %+v", again[0])
	}
	if text, err = os.ReadFile(c.Out); err != nil || bytes.Count(text, []byte("\n")) != 2 || bytes.Contains(text, []byte("half")) {
		t.Errorf("%v %s", err, text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.Records[0].Version = "1.0.0"
	if _, err := Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(c.Out, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "rows.jsonl:1: this is no row of tried patches") {
		t.Errorf("%v", err)
	}
}

func TestPassed(t *testing.T) {
	tests := []test{{id: "a.py::t[1 2]"}, {id: "a.py::u[x"}, {id: "a.py::gone"}, {id: "a.py::teardown"}, {id: "a.py::skipped"}}
	report := `["a.py::t[1 2]", "setup", "passed"]
["a.py::t[1 2]", "call", "passed"]
["a.py::u[x y]", "call", "passed"]
["a.py::teardown", "call", "passed"]
["a.py::teardown", "teardown", "failed"]
["a.py::skipped", "setup", "skipped"]
["a.py::skipped", "teardown", "passed"]
nonsense
`
	if ran, ok := passed(tests, []byte(report)); ran != 4 || ok != 2 {
		t.Errorf("%d ran, %d passed", ran, ok)
	}
	for output, want := range map[string]string{
		"a.py:1: in f\nE   KeyError: 'x'\nE   another\n1 failed":      "KeyError: 'x'",
		"Traceback:\nModuleNotFoundError: No module named 'pytest'\n": "ModuleNotFoundError: No module named 'pytest'",
		"ERROR: not found: /box/tree/a.py::t\n1 error":                "", "all is well\n": "",
	} {
		if got := fault([]byte(output)); got != want {
			t.Errorf("%q of %q", got, output)
		}
	}
}
