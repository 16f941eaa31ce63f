package review

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// journey is a review that is performed here and elsewhere.
type journey struct {
	files   map[string]string
	options func(path string) Options
	env     func(t *testing.T) Env // of either machine
	// say is what the user is told, cause a part of the error that ended the run.
	say, cause string
	check      func(t *testing.T, out Outcome)
}

func paid(budget money.USD) func(string) Options {
	return func(string) Options { return Options{Worker: "paid/worker", Budget: &budget} }
}

func worker(verify bool) func(string) Options {
	return func(string) Options { return Options{Worker: "fake/worker", Verify: verify} }
}

func found(n int) func(*testing.T, Outcome) {
	return func(t *testing.T, out Outcome) {
		if len(out.Report.Findings) != n {
			t.Errorf("%d findings, want %d", len(out.Report.Findings), n)
		}
	}
}

// withRules has the static rules as a worker beside the others.
func withRules(t *testing.T) Env {
	env := environment(t, finder, nil)
	env.Registry.Register("rules", func(string) (llm.Handle, error) {
		return rules.NewWorker(rules.NewSet(runtest.Parser(t), rules.All())).Handle(), nil
	}, "all")
	return env
}

// oldReport is the report.json of an earlier run over files.
func oldReport(t *testing.T, files map[string]string) string {
	t.Helper()
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, files), Out: filepath.Join(t.TempDir(), "old"),
		Root: "offline/orchestrator", Worker: "rules/all", NoCache: true}, withRules(t))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out.Dir, ReportName+".json")
}

func journeys(t *testing.T) map[string]journey {
	plain := func(t *testing.T) Env { return environment(t, finder, nil) }
	byRules := func(string) Options { return Options{Worker: "rules/all"} }
	leaky := map[string]string{"a.py": leaks("x y"), "b.py": "import os\n\n\n" + leaks("z") +
		"def kept(p):\n    fp = open(p)  # deeprepo:ignore resource-leak -- closed by its caller\n    return fp.read()\n"}
	with := func(name, text string) map[string]string {
		files := map[string]string{name: text}
		for p, text := range leaky {
			files[p] = text
		}
		return files
	}
	old := oldReport(t, map[string]string{"a.py": leaks("x")})
	verifier := func(verdict, quote string) func(*testing.T) Env {
		return func(t *testing.T) Env {
			env := environment(t, withVerifier(says(verdictOf(verdict, "app.py", 6, quote, "None was turned away."))), nil)
			env.Syntax = runtest.OpenParser
			return env
		}
	}
	guard := "if value is None:\n        raise ValueError(\"no value\")"
	return map[string]journey{
		"a defect":     {files: oneBug, options: worker(false), env: plain, check: found(1)},
		"many":         {files: buggy(30), options: worker(false), env: plain, check: found(30)},
		"nothing":      {files: map[string]string{"a.py": "x = 1\n"}, options: worker(false), env: plain, check: found(0)},
		"it is proved": {files: oneBug, options: worker(true), env: verifier("refuted", guard), check: found(0)},
		"it stands":    {files: oneBug, options: worker(true), env: verifier("stands", "return value.name"), check: found(1)},
		"a verifier by rules": {files: leaky, options: func(string) Options { return Options{Worker: "rules/all", Verify: true} }, env: withRules,
			say: "cannot judge findings"},
		"a comment": {files: leaky, options: byRules, env: withRules, check: func(t *testing.T, out Outcome) {
			if len(out.Report.Suppressed) != 1 {
				t.Errorf("suppressed %v", out.Report.Suppressed)
			}
		}},
		"a suppress file": {files: with(".deeprepo-suppress", "resource-leak a.py # \xff\xfe known\n"), options: byRules, env: withRules,
			check: func(t *testing.T, out Outcome) {
				if len(out.Report.Suppressed) != 3 {
					t.Errorf("suppressed %v", out.Report.Suppressed)
				}
			}},
		"a suppressed finding is not verified": {files: map[string]string{"app.py": oneBug["app.py"], "lib.py": oneBug["lib.py"],
			".deeprepo-suppress": "* app.py\n"}, options: worker(true), env: verifier("stands", "x"), check: found(0)},
		"a suppress file with a fault": {files: with(".deeprepo-suppress", "no such line\n"), options: byRules, env: withRules,
			say: "neither an id nor a category", check: func(t *testing.T, out Outcome) {
				if len(out.Report.Suppressed) != 0 {
					t.Errorf("suppressed %v", out.Report.Suppressed)
				}
			}},
		"a baseline": {files: leaky, options: func(string) Options { return Options{Worker: "rules/all", BaselineReport: old} }, env: withRules,
			check: func(t *testing.T, out Outcome) {
				if known := out.Report.Known; known == nil || *known != 1 || len(out.Report.KnownFindings) != 1 {
					t.Errorf("known %v, %v", known, out.Report.KnownFindings)
				}
			}},
		"a model that fails": {files: oneBug, options: func(string) Options { return Options{Root: "fake/reader", Worker: "fake/worker"} },
			env: func(t *testing.T) Env {
				return environment(t, finder, func(context.Context, llm.Request) (llm.Response, error) {
					return llm.Response{}, &llm.Error{Kind: llm.KindAuth, Model: "fake/reader", Status: 401, Message: "the key is refused"}
				})
			}, cause: "the key is refused"},
		"one call that fails": {files: oneBug, options: func(string) Options {
			return Options{Root: "fake/reader", Worker: "fake/worker", Strategy: StrategySingle}
		},
			env: func(t *testing.T) Env {
				return environment(t, finder, func(context.Context, llm.Request) (llm.Response, error) {
					return llm.Response{}, errors.New("no reply")
				})
			}, cause: "no reply"},
		"a worker that fails": {files: buggy(6), options: worker(false), env: func(t *testing.T) Env {
			return environment(t, func(context.Context, llm.Request) (llm.Response, error) {
				return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "not today"}
			}, nil)
		}, check: found(0)},
		"a budget that runs out": {files: filling(12), options: paid(5 * 4096 * money.Dollar / 1_000_000),
			env: func(t *testing.T) Env { return (&biller{}).environment(t) }, check: func(t *testing.T, out Outcome) {
				if n := len(out.Report.Findings); n == 0 || n == 12 {
					t.Errorf("%d findings", n)
				}
			}},
		"a bill above the cap": {files: oneBug, options: paid(money.Dollar / 100), env: func(t *testing.T) Env {
			env := environment(t, nil, nil)
			env.Registry.Register("paid", func(string) (llm.Handle, error) {
				return llm.Handle{Price: &llm.Price{Output: money.Dollar}, Model: llm.Func(func(ctx context.Context, r llm.Request) (llm.Response,
					error) {
					resp, err := finder(ctx, r)
					resp.Usage.OutputTokens = 1 << 20
					return resp, err
				})}, nil
			}, "worker")
			return env
		}, say: "billed"},
	}
}

// filling is a codebase each file of which fills a dispatch.
func filling(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%02d.py", i)] = "x = 1  # BUG\n" + strings.Repeat("value = 'some more text for this file'\n", 500)
	}
	return files
}
