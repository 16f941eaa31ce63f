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
	if t.Language != "" {
		return foreignNull(t, name)
	}
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

// foreignNull is a null program of a task in another language than Python. Programs there say themselves whether they
// passed, so none that does nothing can be one.
func foreignNull(t dataset.Task, name string) (string, bool) {
	switch name {
	case nullEmpty:
		return "", true
	case nullSyntax:
		return ")(\n" + t.Canonical + "\n)(\n", true
	case nullConstant:
		code, ok := map[string]string{
			"cpp":        "#include <cstdio>\nint main() { puts(\"no answer\"); return 1; }\n",
			"go":         "package main\n\nfunc main() { panic(\"no answer\") }\n",
			"go_test":    "package none\n\nimport \"testing\"\n\nfunc TestNone(t *testing.T) { t.Fatal(\"no answer\") }\n",
			"java":       "class Main { public static void main(String[] a) { System.out.println(\"no answer\"); System.exit(1); } }\n",
			"javascript": "console.log('no answer');\nprocess.exit(1);\n",
			"rust":       "fn main() { println!(\"no answer\"); std::process::exit(1); }\n",
			"shell":      "echo no answer\nexit 1\n",
		}[t.Language]
		return code, ok
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
