package verify

import (
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Canonical names the reference solutions as a source of samples.
const Canonical = "canonical"

// Names of the null programs: a harness in which one of them passes measures nothing.
const (
	nullEmpty    = "empty"
	nullPass     = "pass"
	nullNone     = "return-none"
	nullSyntax   = "syntax-error"
	nullName     = "wrong-name"
	nullConstant = "constant"
)

// Nulls are the names of all of them.
func Nulls() []string {
	return []string{nullEmpty, nullPass, nullNone, nullSyntax, nullName, nullConstant}
}

// nothing is what the constant program answers: no task's tests should want it.
const nothing = "'no answer'"

// Null is a task's null program of that name, false where the task has none: without a reference there is none that is
// right under a wrong name.
func Null(t dataset.Task, name string) (string, bool) {
	head := "def " + t.Entry + "(*args, **kwargs):\n    "
	if t.Entry == "" {
		head = ""
	}
	base := t.Canonical
	if base == "" {
		base = head + "pass\n"
	}
	switch name {
	case nullEmpty:
		return "", true
	case nullPass:
		return head + "pass\n", true
	case nullNone:
		if t.Entry == "" {
			return "def main():\n    return None\nmain()\n", true
		}
		return head + "return None\n", true
	case nullSyntax:
		return base + "\n)\n", true
	case nullName:
		if t.Entry == "" || t.Canonical == "" {
			return "", false
		}
		// The reference itself, so that nothing but the name is wrong.
		return t.Canonical + "\n" + t.Entry + "_ = " + t.Entry + "\ndel " + t.Entry + "\n", true
	case nullConstant:
		if t.Entry == "" {
			return "print(" + nothing + ")\n", true
		}
		return head + "return " + nothing + "\n", true
	}
	return "", false
}

// wanted says which verdict a null program should get, "" for any but a pass.
func wanted(name string) sandbox.Verdict {
	switch name {
	case nullEmpty:
		return sandbox.Empty
	case nullSyntax:
		return sandbox.SyntaxError
	case nullName:
		return sandbox.NoEntryPoint
	}
	return ""
}
