package patches

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Limits of one run of the tests.
const (
	DefaultTimeout = 10 * time.Minute
	memory         = 4 << 30
	output         = 64 << 10
	maxFile        = 16 << 20 // that a patch changes
)

// Outcome is what the tests of an issue said, once.
type Outcome struct {
	Ran     int     `json:"ran"` // of FAIL_TO_PASS; the others were not found, or the run ended before them
	Passed  int     `json:"passed"`
	Seconds float64 `json:"seconds"`
	Fault   string  `json:"fault,omitempty"` // hostile: a line of their output
}

// Control is what an issue's tests say without its fix and with it.
type Control struct {
	Python string   `json:"python,omitempty"`
	Tests  int      `json:"tests"` // FAIL_TO_PASS
	Before *Outcome `json:"before,omitempty"`
	After  *Outcome `json:"after,omitempty"`
	// Holds says that none passes before and all pass after; unknown where they were not run.
	Holds *bool `json:"holds"`
	// Why says why it does not hold, or why that is unknown.
	Why string `json:"why,omitempty"`
}

// Trial is what became of a proposed patch. What was not tried is unknown.
type Trial struct {
	Applies *bool    `json:"applies"`
	Parses  *bool    `json:"parses"`
	Passes  *bool    `json:"passes"` // all of FAIL_TO_PASS, where the control holds
	Tests   *Outcome `json:"tests,omitempty"`
	Why     string   `json:"why,omitempty"`
}

// issue is a record's repository on disk, at its base commit.
type issue struct {
	record  localisation.Record
	root    *os.Root
	dir     string
	timeout time.Duration
	python  *environment // nil without one
	tests   []test
	added   localisation.Texts // by the test patch
	noTests string             // why there are none that can be run
}

// open checks an issue's files out into a directory of their own. close removes it.
func (c Config) open(ctx context.Context, r localisation.Record, p *pythons) (*issue, error) {
	dir, err := os.MkdirTemp(c.Scratch, "deeprepo-patch-")
	if err != nil {
		return nil, err
	}
	x := &issue{record: r, dir: dir, timeout: c.Timeout}
	if x.python, err = p.of(ctx, r); err == nil {
		err = codebase.Checkout(ctx, filepath.Join(c.Repos, localisation.Folder(r.Repo)), r.BaseCommit, dir)
	}
	if err == nil && x.python != nil && x.python.built != "" {
		err = os.CopyFS(dir, os.DirFS(x.python.built)) // over none of the repository's own
	}
	if err == nil {
		x.root, err = os.OpenRoot(dir)
	}
	if err != nil {
		_ = os.RemoveAll(dir) // what failed is the news
		return nil, err
	}
	x.find()
	return x, nil
}

func (x *issue) close() error { return errors.Join(x.root.Close(), os.RemoveAll(x.dir)) }

// find finds the tests.
func (x *issue) find() {
	var err error
	switch {
	case len(x.record.FailToPass) == 0 || x.record.TestPatch == "":
		x.noTests = "the record has no test_patch or no FAIL_TO_PASS"
		return
	case x.python == nil:
		x.noTests = noEnvironment
		return
	}
	if x.added, err = localisation.Apply(x.read, x.record.TestPatch); err != nil {
		x.noTests = "the test patch does not apply: " + err.Error()
	} else if x.tests, err = testsOf(x.record.FailToPass, x.added); err != nil {
		x.noTests = err.Error()
	}
}

// noEnvironment is why tests are not run where nobody installed what they need.
const noEnvironment = "there is no virtual environment for it"

// read reads a file of the base commit.
func (x *issue) read(path string) (string, bool) {
	text, err := bounded.ReadFileIn(x.root, filepath.FromSlash(path), maxFile)
	return string(text), err == nil
}

// run runs the tests with a patch's files, nil for none. The files that the test patch touches are its own, whatever the
// patch makes of them.
func (x *issue) run(ctx context.Context, patch localisation.Texts) (*Outcome, error) {
	texts := localisation.Texts{}
	for _, layer := range []localisation.Texts{patch, x.added} {
		for path, text := range layer {
			texts[path] = text
		}
	}
	base := localisation.Texts{}
	for path := range texts {
		base[path] = nil
		if text, ok := x.read(path); ok {
			base[path] = &text
		}
	}
	if err := x.write(texts); err != nil {
		return nil, err
	}
	got, err := x.python.Run(ctx, native.Job{Dir: x.dir, Source: testsSource, Args: args(x.tests),
		Limits: sandbox.Limits{Wall: x.timeout, MemoryBytes: memory, OutputBytes: output}})
	if err != nil {
		return nil, err
	}
	o := &Outcome{Seconds: got.Wall.Seconds()}
	o.Ran, o.Passed = passed(x.tests, got.Report)
	switch {
	case got.Late:
		o.Fault = fmt.Sprintf("it ran longer than %v", x.timeout)
	case o.Passed < len(x.tests):
		o.Fault = fault(got.Output)
	}
	return o, x.write(base)
}

// write makes the files what texts says.
func (x *issue) write(texts localisation.Texts) error {
	for path, text := range texts {
		name := filepath.FromSlash(path)
		if text == nil {
			if err := x.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := x.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := x.root.WriteFile(name, []byte(*text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// control runs the tests before and after the fix.
func (x *issue) control(ctx context.Context) (Control, error) {
	c := Control{Tests: len(x.record.FailToPass), Why: x.noTests}
	if x.noTests != "" {
		return c, nil
	}
	c.Python = x.python.Version()
	fixed, err := localisation.Apply(x.read, x.record.Patch)
	if err != nil {
		c.Why = "its own patch does not apply: " + err.Error()
		return c, nil
	}
	if c.Before, err = x.run(ctx, nil); err != nil {
		return c, err
	}
	if c.After, err = x.run(ctx, fixed); err != nil {
		return c, err
	}
	all := len(x.tests)
	c.Holds = new(c.Before.Passed == 0 && c.After.Passed == all)
	switch {
	case c.After.Ran == 0:
		c.Why = "the tests do not run here: " + c.After.Fault
	case c.After.Passed < all:
		c.Why = fmt.Sprintf("%d of %d tests do not pass with the fix: %s", all-c.After.Passed, all, c.After.Fault)
	case c.Before.Passed > 0:
		c.Why = fmt.Sprintf("%d of %d tests pass without the fix", c.Before.Passed, all)
	}
	return c, nil
}

// try tries a proposed patch. Its tests are run where the control holds.
func (x *issue) try(ctx context.Context, parser *syntax.Parser, patch string, c Control) (t Trial, err error) {
	if strings.TrimSpace(patch) == "" {
		return Trial{Why: "no patch was proposed"}, nil
	}
	texts, err := localisation.Apply(x.read, patch)
	if t.Applies = new(err == nil); err != nil {
		t.Why = err.Error()
		return t, nil
	}
	if t.Parses, err = localisation.Parses(ctx, parser, x.read, texts); err != nil {
		return t, err
	}
	if c.Holds == nil || !*c.Holds {
		t.Why = "the control does not hold: " + c.Why
		return t, nil
	}
	if file := rigged(texts); file != "" {
		t.Why = fmt.Sprintf("it changes %q, which decides what tests run and pass: they are not run", file)
		return t, nil
	}
	if t.Tests, err = x.run(ctx, texts); err != nil {
		return t, err
	}
	t.Passes, t.Why = new(t.Tests.Passed == len(x.tests)), t.Tests.Fault
	return t, nil
}

// rigged names a file that a patch changes and that pytest or Python reads before the tests, "" for none: a few lines there can have
// any test pass.
func rigged(texts localisation.Texts) string {
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		switch path.Base(file) {
		case "conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml":
			return file
		}
		if strings.HasSuffix(file, ".pth") {
			return file
		}
	}
	return ""
}
