package runtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Adders is a dataset of n tasks in HumanEval's form: the function add_7 adds 7.
func Adders(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"task_id": "HumanEval/%d", "prompt": "def add_%d(x):\n    \"\"\" Add %d to x. \"\"\"\n", `, i, i, i)
		fmt.Fprintf(&b, `"entry_point": "add_%d", "canonical_solution": "    return x + %d\n", `, i, i)
		fmt.Fprintf(&b, `"test": "def check(candidate):\n    assert candidate(1) == %d\n"}`+"\n", i+1)
	}
	return b.String()
}

var adder = regexp.MustCompile(`def add_(\d+)\(`)

// Adder is the number of the first adder that a prompt asks for.
func Adder(prompt string) (n int, ok bool) {
	found := adder.FindStringSubmatch(prompt)
	if found == nil {
		return 0, false
	}
	n, err := strconv.Atoi(found[1])
	return n, err == nil
}

// JudgeAdder stands for the sandbox where only what happens around it is tested: it goes by the words of an adder's program.
func JudgeAdder(p sandbox.Program) sandbox.Judgement {
	switch {
	case strings.HasSuffix(p.Code, "\n)\n") || strings.Contains(p.Code, "BROKEN"):
		return sandbox.Judgement{Verdict: sandbox.SyntaxError, Error: &sandbox.PyError{Type: "SyntaxError", Message: "invalid syntax"}}
	case strings.Contains(p.Code, "\ndel ") || !strings.Contains(p.Code, "def "+p.Entry+"("):
		return sandbox.Judgement{Verdict: sandbox.NoEntryPoint}
	case strings.Contains(p.Code, "return x + "+strings.TrimPrefix(p.Entry, "add_")+"\n"):
		return sandbox.Judgement{Verdict: sandbox.Passed, Steps: 100}
	}
	return sandbox.Judgement{Verdict: sandbox.Failed, Error: &sandbox.PyError{Type: "AssertionError"}, Steps: 100}
}
