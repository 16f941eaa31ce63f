package rlm

import "strings"

// What stands in prompts behind the code of the last file, and before what is known of it.
const (
	endOfCode  = "=== END ===\n"
	knownTitle = "\nThese are known; do not report them again:\n"
)

// taskOf is what a prompt asks, in a line: what stands behind the code.
func taskOf(prompt string) string {
	if i := strings.LastIndex(prompt, endOfCode); i >= 0 {
		prompt = prompt[i+len(endOfCode):]
	}
	prompt, _, _ = strings.Cut(prompt, knownTitle)
	short := oneLine(strings.ToValidUTF8(prompt[:min(len(prompt), 1_000)], ""), 200)
	return strings.Clone(short) // it may share the memory of the whole prompt
}
