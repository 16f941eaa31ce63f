package dataset

import (
	"cmp"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Task is one problem with what judges a solution of it.
type Task struct {
	// ID is the task's name as the dataset's own files say it: "HumanEval/0", "MBPP/11".
	ID string
	// Language is what programs are written in, as sandbox.Program has it; "" for Python.
	Language string
	// Split is the part of the set that the task belongs to, "" where the set has none.
	Split string
	// Text is what is to be done, as the set gives it: HumanEval's is the code to continue, MBPP's a description.
	Text string
	// Prefix is the code that a completion continues, "" if a sample is a whole program.
	Prefix string
	// Preamble is what Prefix holds besides the entry point: imports and functions that it may call. An answer that
	// gives the function alone needs them.
	Preamble string
	// Entry is the function that the tests call, "" for a program that reads standard input.
	Entry string
	// Signature is the head of Entry in the reference, on one line: "def add(x: int, y: int):". "" without an Entry.
	Signature string
	// Names are further names that the tests take from the candidate, such as classes.
	Names []string
	// Setup is trusted code that runs first, for the judge as for the candidate.
	Setup string
	// Bridge is trusted code that is put behind a candidate's, and gives what that defines the name Entry: the method of
	// a class Solution, where a set asks for one. In other languages than Python it may hold the tests.
	Bridge string
	// Judge is trusted code that the judge alone runs, after Setup: references, comparisons.
	Judge string
	// Tests decide, in order and in one namespace.
	Tests []Test
	// Challenges are harder tests that MBPP keeps beside the ordinary ones of some tasks. Published scores are without
	// them, so Program leaves them out; callers that want them append them to Tests.
	Challenges []Test
	// Cases decide if there is no Entry: what a program reads, and what it has to write.
	Cases []sandbox.Case
	// PublicCases is how many of Cases, from the first, the task's text may show.
	PublicCases int
	// Canonical is the reference, a whole program, "" when there is none.
	Canonical string
	// Rejects are programs that are known to be wrong.
	Rejects []string
	// Difficulty and Source are the set's own words, "" where it has none.
	Difficulty, Source string
	// Released is when the task was first published, the zero time where that is unknown. A model whose training
	// data is younger may have seen it.
	Released time.Time
}

// Test is trusted code for the judge; it passes when it runs to its end.
type Test struct {
	Name string
	Code string
	// Public tests may be shown in a prompt; the others are there to find out who learned those by heart.
	Public bool
	// Shown is how a prompt says it, where Code speaks of what only the judge has. Defaults to Code.
	Shown string
}

// Program returns code, a whole program, with what judges it.
func (t Task) Program(code string) sandbox.Program {
	if t.Bridge != "" && strings.TrimSpace(code) != "" {
		code += "\n\n" + t.Bridge
	}
	p := sandbox.Program{Code: code, Language: t.Language, Entry: t.Entry, Names: t.Names, Setup: t.Setup, Judge: t.Judge, Cases: t.Cases}
	for _, test := range t.Tests {
		p.Tests = append(p.Tests, sandbox.Test{Name: test.Name, Code: test.Code})
	}
	return p
}

// Whole returns the program that a completion of Prefix makes; if there is no Prefix, completion is that program.
func (t Task) Whole(completion string) string { return t.Prefix + completion }

// Public returns the public tests as a prompt may show them.
func (t Task) Public() []string {
	var all []string
	for _, test := range t.Tests {
		if test.Public {
			all = append(all, cmp.Or(test.Shown, test.Code))
		}
	}
	return all
}

// lines turns the line ends of Windows and old Macs into "\n", as CPython does when it reads source.
func lines(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
