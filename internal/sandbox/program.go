package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Program is a candidate's source and what judges it. The candidate and its judge run in two interpreters: the tests
// call the candidate through a proxy that carries plain data, so nothing the candidate does to its own interpreter
// reaches what decides.
//
// With Tests, Code is loaded as a module and each test runs in the judge. With Cases, Code runs as __main__ once for
// each case and its standard output is compared. With neither, Code runs as __main__ once, and passes when it reaches
// its end.
type Program struct {
	// Code is the candidate, a whole module. Untrusted.
	Code string
	// Language is what Code is written in, as package language calls it. Other languages than Python have no Entry, Names,
	// Setup or Judge: without Cases such a program passes when it exits with 0, which is its own word. Each of its Tests is
	// text in that language, put behind Code: a program of its own. Defaults to Python.
	Language string `json:",omitempty"`
	// Files are what a program in another language than Python finds in its working directory, and beside its source while
	// that is compiled. Defaults to none.
	Files []File `json:",omitempty"`
	// Fetch names files that such a program leaves there, which the judgement is to have. Defaults to none.
	Fetch []string `json:",omitempty"`
	// CompileWall is how long a compiler may take where there is one. Defaults to 30 s.
	CompileWall time.Duration `json:",omitempty"`
	// Entry is the function that the tests call; it must be defined by Code. Defaults to none.
	Entry string
	// Names are further names that the tests take from the candidate, such as classes. Defaults to none.
	Names []string
	// Setup is trusted source that runs first in both interpreters, such as imports and classes that tests and
	// candidate share. Defaults to none.
	Setup string
	// Judge is trusted source that runs in the judge only, after Setup: comparison code, a reference solution.
	// Defaults to none.
	Judge string
	// Tests are trusted; each passes when it runs to its end. They share a namespace and run in order. Defaults to
	// none.
	Tests []Test
	// Cases are inputs and outputs of a program that reads standard input. Defaults to none.
	Cases []Case
	// Stdin is what a program with neither Tests nor Cases reads. Defaults to nothing.
	Stdin string
	// KeepGoing runs the tests or cases after one that did not pass, too. Defaults to stopping there.
	KeepGoing bool
	// Limits bound the candidate: its load and all its calls or cases together; each case on its own has the whole.
	// The zero value means the defaults of each field, but 10 s of Wall and 200,000,000 Steps.
	Limits Limits
	// Live has it run even where somebody remembers what it was judged to be. It decides nothing. Defaults to not.
	Live bool `json:",omitempty"`
}

// Digest is what a program is known by to whom remembers judgements: of all that decides one but the build of the sandbox.
func (p Program) Digest() string {
	p.Live = false
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:20])
}

// Settled says that a judgement is the program's own, which another machine or a less busy one comes to as well: nothing failed,
// and where time ran out it was the steps', not any clock's.
func (p Program) Settled(j Judgement) bool {
	budget := p.Limits.forProgram().Steps
	own := func(v Verdict, steps int64) bool {
		return v != InfraError && slices.Contains(Verdicts(), v) && (v != Timeout || steps >= budget)
	}
	for _, r := range j.Results {
		steps := j.Steps // of all tests together
		if len(p.Cases) > 0 {
			steps = r.Steps
		}
		if !own(r.Verdict, steps) {
			return false
		}
	}
	return own(j.Verdict, j.Steps)
}

// File is one beside a program; Name is below the working directory.
type File struct {
	Name string
	Data []byte
}

// Test is a piece of the judge's Python.
type Test struct {
	Name string
	Code string
}

// Case is one input of a program and the output that is right.
type Case struct {
	Stdin  string
	Stdout string
}

// Verdict is what was found out about a program.
type Verdict = runfile.Verdict

// The verdicts. Only Passed is a pass; InfraError says nothing about the program.
const (
	Passed       Verdict = "passed"
	Failed       Verdict = "failed"
	Timeout      Verdict = "timeout" // steps or wall
	Memory       Verdict = "memory"
	SyntaxError  Verdict = "syntax_error"
	NoEntryPoint Verdict = "no_entry_point"
	Empty        Verdict = "empty"
	InfraError   Verdict = "infra_error"
)

// Verdicts are all of them, in the order in which tables show them.
func Verdicts() []Verdict {
	return []Verdict{Passed, Failed, Timeout, Memory, SyntaxError, NoEntryPoint, Empty, InfraError}
}

// Judgement is what Exec found out.
type Judgement struct {
	Verdict Verdict
	// Backend is what judged it: Native, or "" for the embedded interpreter.
	Backend string `json:",omitempty"`
	// Other is what the other backend found out, nil where it was not asked.
	Other *Judgement `json:",omitempty"`
	// Compilation is what became of compiling it, nil where nothing was compiled.
	Compilation *Compilation `json:",omitempty"`
	// Files are those of Program.Fetch that were there at the end.
	Files map[string][]byte `json:",omitempty"`
	// Error is the exception that made the verdict, nil where there was none.
	Error *PyError
	// Results has an entry for each test or case that was run, in order.
	Results []TestResult
	// Stdout and Stderr are what the candidate wrote, each cut at Limits.OutputBytes.
	Stdout, Stderr string
	// StdoutBytes and StderrBytes are how much it wrote.
	StdoutBytes, StderrBytes int
	// ExitCode is what the interpreter's exit status would have been: 0, 1 after an exception, or what the program
	// asked for. It decides nothing.
	ExitCode int
	// Steps counts the candidate's interpreter steps.
	Steps int64
	// Wall is the time the candidate ran.
	Wall time.Duration
	// MemoryBytes is the size its memory had at the end.
	MemoryBytes int64
}

// LanguageError says that an executor takes programs in Python only.
type LanguageError struct{ Language string }

func (e *LanguageError) Error() string {
	return "a program in " + e.Language + " cannot be judged by an interpreter of Python"
}

// Hint says what can.
func (e *LanguageError) Hint() string {
	return "--backend auto or native judges it, where there is a jail"
}

// Compilation is a compiler's run.
type Compilation struct {
	Output   string // what it wrote, cut
	ExitCode int
	Late     bool // it was ended by its time limit
	Wall     time.Duration
}

// Native is the backend of package native: a Python of the machine, jailed.
const Native = "native"

// PythonVersion is the embedded interpreter's.
const PythonVersion = "3.13"

// TestResult is the outcome of one test or case.
type TestResult struct {
	Verdict Verdict
	Error   *PyError
	// Steps counts the candidate's steps in this test.
	Steps int64
}
