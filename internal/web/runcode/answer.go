package runcode

import (
	"encoding/base64"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// SandboxFusion's words.
const (
	statusSuccess = "Success"
	statusFailed  = "Failed"
	statusError   = "SandboxError" // the sandbox's fault: says nothing about the program

	runFinished = "Finished"
	runLate     = "TimeLimitExceeded"
)

// answer is the answer to a request: SandboxFusion's fields, then ours.
type answer struct {
	Status        string            `json:"status"`
	Message       string            `json:"message"`
	CompileResult *commandResult    `json:"compile_result"` // null for Python, which is not compiled
	RunResult     *commandResult    `json:"run_result"`
	PodName       *string           `json:"executor_pod_name"` // always null
	Files         map[string]string `json:"files"`

	Verdict     sandbox.Verdict `json:"verdict"`
	Backend     string          `json:"backend,omitempty"` // where it is not the embedded interpreter
	Error       *pyError        `json:"error,omitempty"`
	Results     []testResult    `json:"results,omitempty"`
	Steps       int64           `json:"steps"`
	MemoryBytes int64           `json:"memory_bytes"`
}

type commandResult struct {
	Status     string  `json:"status"`
	Seconds    float64 `json:"execution_time"`
	ReturnCode *int    `json:"return_code"`
	Stdout     string  `json:"stdout"`
	Stderr     string  `json:"stderr"`
}

type pyError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"`
}

type testResult struct {
	Name    string          `json:"name,omitempty"`
	Verdict sandbox.Verdict `json:"verdict"`
	Error   *pyError        `json:"error,omitempty"`
	Steps   int64           `json:"steps"`
}

// unable is the answer when a program could not be run.
func unable(why string) answer {
	return answer{Status: statusError, Message: why, Files: map[string]string{}, Verdict: sandbox.InfraError}
}

// killed is the exit status of a process that a memory limit ended.
const killed = 137

// answer puts a judgement into SandboxFusion's words.
func (q *request) answer(c Config, p sandbox.Program, f *fetcher, j sandbox.Judgement) answer {
	if j.Verdict == sandbox.InfraError {
		why := "the sandbox failed"
		if j.Error != nil {
			why = j.Error.Error()
		}
		return unable(why)
	}
	a := answer{Verdict: j.Verdict, Backend: j.Backend, Error: asPyError(j.Error), Steps: j.Steps, MemoryBytes: j.MemoryBytes}
	if c := j.Compilation; c != nil {
		a.CompileResult = &commandResult{Status: runFinished, Seconds: c.Wall.Seconds(), Stderr: c.Output}
		code := c.ExitCode & 0xff
		if c.Late {
			a.CompileResult.Status = runLate
		} else {
			a.CompileResult.ReturnCode = &code
		}
		if c.Late || code != 0 { // it never ran
			a.Status, a.Files = statusFailed, map[string]string{}
			return a
		}
	}
	run := &commandResult{Status: runFinished, Seconds: j.Wall.Seconds(), Stdout: j.Stdout}
	a.RunResult = run
	a.Files, run.Stderr = f.take(j.Stderr)
	for name, data := range j.Files {
		a.Files[name] = base64.StdEncoding.EncodeToString(data)
	}
	judged := len(p.Tests)+len(p.Cases) > 0
	code := j.ExitCode
	switch {
	case j.Verdict == sandbox.Timeout:
		run.Status = runLate
	case j.Verdict == sandbox.Passed:
		code = 0
	case j.Verdict == sandbox.Memory:
		code = killed
	case code&0xff == 0 && (judged || c.Strict || !exited(j)):
		code = 1
	}
	if j.Verdict != sandbox.Timeout {
		code &= 0xff // as an operating system keeps it
		run.ReturnCode = &code
	}
	a.Status = statusSuccess
	if run.ReturnCode == nil || code != 0 {
		a.Status = statusFailed
	}
	if e := j.Error; e != nil && !exited(j) && !strings.Contains(run.Stderr, e.Traceback) {
		// An interpreter prints what ended it.
		if run.Stderr != "" && !strings.HasSuffix(run.Stderr, "\n") {
			run.Stderr += "\n"
		}
		run.Stderr += strings.TrimSuffix(e.Traceback, "\n") + "\n"
	}
	for i, r := range j.Results {
		t := testResult{Verdict: r.Verdict, Error: asPyError(r.Error), Steps: r.Steps}
		if i < len(p.Tests) {
			t.Name = p.Tests[i].Name
		}
		a.Results = append(a.Results, t)
	}
	return a
}

// exited reports whether the program asked for its end.
func exited(j sandbox.Judgement) bool {
	return j.Verdict == sandbox.Failed && (j.Error == nil || j.Error.Type == "SystemExit")
}

func asPyError(e *sandbox.PyError) *pyError {
	if e == nil {
		return nil
	}
	return &pyError{e.Type, e.Message, e.Line}
}
