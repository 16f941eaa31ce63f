package native_test

import (
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// TestBoth has programs judged by the two backends: the judgement that counts is Auto's, the other one is there with its reason.
func TestBoth(t *testing.T) {
	auto, err := native.NewAuto(t.Context(), engine, box(t))
	if err != nil {
		t.Fatal(err)
	}
	both := native.Both{Auto: auto}
	numbers := []sandbox.Test{{Code: "assert f(2) == 3"}}
	for name, c := range map[string]struct {
		p              sandbox.Program
		counts         string
		verdict, other sandbox.Verdict
		why            string
	}{
		"right": {sandbox.Program{Code: "def f(x): return x + 1"}, "", sandbox.Passed, sandbox.Passed, ""},
		"wrong": {sandbox.Program{Code: "def f(x): return x"}, "", sandbox.Failed, sandbox.Failed, "AssertionError"},
		"module": {sandbox.Program{Code: "import ctypes\ndef f(x): return x + 1"}, sandbox.Native, sandbox.Passed, sandbox.Failed,
			"ModuleNotFoundError"},
		"thread": {sandbox.Program{Code: "import threading\ndef f(x):\n    e, r = threading.Event(), []\n" +
			"    t = threading.Thread(target=lambda: r.append(e.wait(9)))\n    t.start(); e.set(); t.join()\n    return x + r[0]"},
			"", sandbox.Failed, sandbox.Passed, ""},
		"setup": {sandbox.Program{Setup: "import ctypes", Code: "def f(x): return x + 1"}, sandbox.Native, sandbox.Passed,
			sandbox.InfraError, "ModuleNotFoundError"},
		"endless": {sandbox.Program{Code: "def f(x):\n    while True: pass"}, "", sandbox.Timeout, sandbox.Timeout, "Timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			p := c.p
			p.Entry, p.Tests, p.Limits = "f", numbers, sandbox.Limits{Wall: 20 * time.Second, Steps: 1_000_000}
			if name == "endless" {
				p.Limits.Wall = time.Second
			}
			j, err := both.Exec(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if j.Other == nil || j.Backend != c.counts || j.Other.Backend == c.counts {
				t.Fatalf("judged by %q, and %+v", j.Backend, j.Other)
			}
			if j.Verdict != c.verdict || j.Other.Verdict != c.other {
				t.Errorf("%s (%v), %s (%v)", j.Verdict, j.Error, j.Other.Verdict, j.Other.Error)
			}
			if c.why != "" && (j.Other.Error == nil || j.Other.Error.Type != c.why) {
				t.Errorf("why: %v", j.Other.Error)
			}
		})
	}
}
