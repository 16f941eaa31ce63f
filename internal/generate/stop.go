package generate

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
)

// Stop sequences by what the model continues. Where a rule would end right answers it is not there: a completion of
// HumanEval's prompt is one function's body, so the next def at the margin is not part of it, but the answer to an MBPP
// task may be several functions, and ending it at a def loses all of it (rule sets that are shared between the two gave
// published scores of 0%).
var (
	// stopBody ends the body of a function whose head stands in the prompt: what comes at the margin is beyond it.
	stopBody = []string{"\ndef ", "\nclass ", "\nif __name__", "\nprint(", "\nassert ", "\n```", "\nimport ", "\nfrom ", "\n@", "\n\"\"\"",
		"\n#"}
	// stopProgram ends a program that may define what it likes: at its tests and at the next task.
	stopProgram = []string{"\nassert ", "\n\"\"\"", "\nprint(", "\nif __name__", "\n```"}
	// stopScript ends a program that reads standard input: printing is its work.
	stopScript = []string{"\n\"\"\"", "\n```", "\n# Test"}
	// stopShot ends an answer among examples.
	stopShot = []string{doneMark, beginMark}
)

// Marks of few-shot answers.
const (
	beginMark = "[BEGIN]"
	doneMark  = "[DONE]"
)

// stops are the stop sequences for a task, the code's before the family's tokens: of what a server does not take, these
// are the ones that are cut here, too, at the same cost. A chat reply is ended by its template.
func stops(m Mode, t dataset.Task, f family) []string {
	var code []string
	switch {
	case m == Chat:
		return nil
	case m == FewShot:
		code = stopShot
	case t.Prefix != "":
		code = stopBody
	case t.Entry != "":
		code = stopProgram
	default:
		code = stopScript
	}
	return append(append([]string(nil), code...), f.tokens...)
}

// finished is code that was cut off without its last statement at the margin, if what is left still defines entry. Models
// that are never stopped at a def write function after function until the limit.
func finished(code, entry string) string {
	for i := len(code) - 1; i > 0; i-- {
		c := code[i]
		if code[i-1] != '\n' || c != '@' && c != '#' && c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') {
			continue
		}
		if entry != "" && strings.Contains(code[:i], "def "+entry+"(") {
			return code[:i]
		}
		break
	}
	return code
}

// cut is text up to the first stop sequence in it, for servers that know none or not all of them.
func cut(text string, stops []string) string {
	end := len(text)
	for _, s := range stops {
		if i := strings.Index(text[:end], s); s != "" && i >= 0 {
			end = i
		}
	}
	return text[:end]
}
