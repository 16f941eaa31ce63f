package codeeval

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

func TestWhatIsKeptOfAResult(t *testing.T) {
	for name, c := range map[string]struct {
		row             runfile.CodeResult
		code, wrote     string // what was run, and what that wrote to stderr
		program, stderr string
	}{
		"found in a reply":   {runfile.CodeResult{Completion: new("so:\n```\nx\n```"), Verdict: sandbox.Failed}, "x", "trace", "x", "trace"},
		"as it stands":       {runfile.CodeResult{Completion: new("x"), Verdict: sandbox.Failed}, "x", "", "", ""},
		"a whole program":    {runfile.CodeResult{Completion: new("reply"), Solution: new("x"), Verdict: sandbox.Failed}, "x", "", "", ""},
		"a pass":             {runfile.CodeResult{Completion: new("x"), Verdict: sandbox.Passed}, "def x", "warning", "def x", ""},
		"a long complaint":   {runfile.CodeResult{Completion: new("x"), Verdict: sandbox.Failed}, "x", strings.Repeat("é", mostStderr), "", "..." + strings.Repeat("é", mostStderr/2)},
		"no text, as it was": {runfile.CodeResult{Completion: new("x"), Verdict: sandbox.Failed}, "x", "a\xffb", "", "a\uFFFDb"},
	} {
		got := keep(verify.Result{CodeResult: c.row, Code: c.code, Stderr: c.wrote})
		if got.Program != c.program || got.StderrEnd != c.stderr {
			t.Errorf("%s: program %q, stderr %q", name, got.Program, got.StderrEnd)
		}
		text, err := json.Marshal(got)
		if err != nil || strings.Contains(string(text), `"program"`) != (c.program != "") {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}
