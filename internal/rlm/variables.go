package rlm

import (
	"fmt"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/sandbox/heap"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// variables is what a cell did to the REPL's names, for those who look at the trace: the root is not told. Values are
// redacted as the output is, and cut only then, so that no part of a secret stands at the end of one.
func (n *node) variables(changes []heap.Change) []trace.Variable {
	var list []trace.Variable
	for _, c := range changes[:min(len(changes), trace.MaxVariables)] {
		list = append(list, trace.Variable{Name: n.redacted(c.Name), Type: c.Type, Value: shown(n.redacted(c.Value), c.Length, c.Cut),
			Change: c.How})
	}
	return list
}

// shown cuts a value to what is kept of it, and names its whole length where that says something.
func shown(value string, length int, cut bool) string {
	if !cut && utf8.RuneCountInString(value) <= trace.MaxValue {
		return value
	}
	end := " ..."
	if length >= 0 {
		end = fmt.Sprintf(" ... (%d long)", length)
	}
	all := []rune(value)
	return string(all[:min(len(all), trace.MaxValue-len(end))]) + end
}
