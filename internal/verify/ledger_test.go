package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/google/go-cmp/cmp"
)

// of makes n results alike, on n tasks.
func of(n int, r runfile.CodeResult) []runfile.CodeResult {
	var all []runfile.CodeResult
	for i := range n {
		r.TaskID, r.Passed = fmt.Sprint("T/", i), r.Verdict == sandbox.Passed
		all = append(all, r)
	}
	return all
}

func TestDiagnosis(t *testing.T) {
	passed := runfile.CodeResult{Verdict: sandbox.Passed, Extraction: "exact"}
	wrong := runfile.CodeResult{Verdict: sandbox.Failed, ErrorClass: "AssertionError", Extraction: "exact"}
	for name, c := range map[string]struct {
		results [][]runfile.CodeResult
		want    []string
	}{
		"a model that works": {[][]runfile.CodeResult{of(70, passed), of(30, wrong)}, nil},
		"the MBPP of no names": {[][]runfile.CodeResult{of(97, runfile.CodeResult{Verdict: sandbox.NoEntryPoint}), of(3, passed)},
			[]string{"entry point missing in 97.0%: the prompt does not say the name, or extraction lost the def line"}},
		"the HumanEval of empties": {[][]runfile.CodeResult{of(140, runfile.CodeResult{Verdict: sandbox.Empty}), of(23, wrong), of(1, passed)},
			[]string{"85.4% empty: the model stopped at once (the prompt ends in a newline? a special token as the first token, hidden when decoding?)"}},
		"empty behind a token": {[][]runfile.CodeResult{of(40, runfile.CodeResult{Verdict: sandbox.Empty,
			Signs: []string{verify.SignSpecial, verify.SignSpecialFirst}}), of(60, passed)},
			[]string{"40.0% empty: the model stopped at once, with a special token first: strip the prompt's last newline, and keep special tokens visible"}},
		"fences": {[][]runfile.CodeResult{of(90, runfile.CodeResult{Verdict: sandbox.SyntaxError, Extraction: "exact",
			Signs: []string{verify.SignFence}}), of(10, passed)},
			[]string{"90.0% syntax errors: Markdown fences in what was taken for code; read the replies as chat"}},
		"cut": {[][]runfile.CodeResult{of(30, runfile.CodeResult{Verdict: sandbox.SyntaxError, Signs: []string{verify.SignCut}}), of(70, passed)},
			[]string{"30.0% syntax errors: replies were cut by the token limit; raise it"}},
		"prose": {[][]runfile.CodeResult{of(30, runfile.CodeResult{Verdict: sandbox.SyntaxError}), of(70, passed)},
			[]string{"30.0% syntax errors: this looks like prose, or like replies that were cut"}},
		"timeouts": {[][]runfile.CodeResult{of(15, runfile.CodeResult{Verdict: sandbox.Timeout, Clock: true}), of(85, passed)},
			[]string{"15.0% timeouts: programs that wait for input or never end? Look at what runs at their top level",
				"15.0% were ended by the clock, not by their step budget: this machine was very busy, and another may judge them otherwise"}},
		"one class": {[][]runfile.CodeResult{of(30, runfile.CodeResult{Verdict: sandbox.Failed, ErrorClass: "ModuleNotFoundError",
			ErrorMessage: "No module named 'numpy'"}), of(20, wrong), of(50, passed)},
			[]string{`one error class dominates: ModuleNotFoundError in 30 of the 50 that did not pass ("No module named 'numpy'" 30 times): this looks like a harness fault`}},
		"one message": {[][]runfile.CodeResult{of(40, runfile.CodeResult{Verdict: sandbox.Failed, ErrorClass: "NameError",
			ErrorMessage: "name 'List' is not defined"}), of(45, wrong), of(15, passed)},
			[]string{"the same error in 40 samples of 40 tasks: NameError: name 'List' is not defined: this looks like a harness fault"}},
		"nothing passed":  {[][]runfile.CodeResult{of(50, wrong)}, []string{"nothing passed in 50 samples: even weak models pass some; look at a few of them before believing this"}},
		"too few to tell": {[][]runfile.CodeResult{of(9, runfile.CodeResult{Verdict: sandbox.Empty})}, nil},
		"infra":           {[][]runfile.CodeResult{of(1, runfile.CodeResult{Verdict: sandbox.InfraError, ErrorClass: "sandbox"}), of(10, passed)}, []string{"1 of 11 samples have no verdict: the sandbox failed on them twice; they count neither as passed nor as failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			var l verify.Ledger
			for _, part := range c.results {
				for _, r := range part {
					l.Add(r)
				}
			}
			if diff := cmp.Diff(c.want, l.Diagnosis()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheLedgerIsBounded(t *testing.T) {
	var l verify.Ledger
	for i := range 5000 {
		l.Add(runfile.CodeResult{SampleRef: runfile.SampleRef{TaskID: "T/0"}, Verdict: sandbox.Failed, ErrorClass: fmt.Sprint("E", i%3000),
			ErrorMessage: strings.Repeat("x", i%7) + fmt.Sprint(i)})
	}
	if n := len(l.Classes()); n != 1000 || l.Total != 5000 || l.Tasks["T/0"].Samples != 5000 {
		t.Errorf("%d classes, %d results, %+v", n, l.Total, l.Tasks)
	}
}
