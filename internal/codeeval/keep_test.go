package codeeval

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

func TestWhatIsKeptOfAResult(t *testing.T) {
	for name, c := range map[string]struct {
		result          verify.Result
		program, stderr string
	}{
		"found in a reply":   {verify.Result{Completion: new("so:\n```\nx\n```"), Code: "x", Verdict: sandbox.Failed, Stderr: "trace"}, "x", "trace"},
		"as it stands":       {verify.Result{Completion: new("x"), Code: "x", Verdict: sandbox.Failed}, "", ""},
		"a whole program":    {verify.Result{Completion: new("reply"), Solution: new("x"), Code: "x", Verdict: sandbox.Failed}, "", ""},
		"a pass":             {verify.Result{Completion: new("x"), Code: "def x", Verdict: sandbox.Passed, Stderr: "warning"}, "def x", ""},
		"a long complaint":   {verify.Result{Completion: new("x"), Code: "x", Verdict: sandbox.Failed, Stderr: strings.Repeat("é", mostStderr)}, "", "..." + strings.Repeat("é", mostStderr/2)},
		"no text, as it was": {verify.Result{Completion: new("x"), Code: "x", Verdict: sandbox.Failed, Stderr: "a\xffb"}, "", "a\uFFFDb"},
	} {
		got := keep(c.result)
		if got.Program != c.program || got.Stderr != c.stderr {
			t.Errorf("%s: program %q, stderr %q", name, got.Program, got.Stderr)
		}
		text, err := json.Marshal(got)
		if err != nil || strings.Contains(string(text), `"program"`) != (c.program != "") {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}
