package llm

import "strings"

// SplitThink separates the thinking that open models write into their text from the answer. It knows
// "<think>...</think>answer" at the very start, the same with the opening tag already in the chat template (so only a
// closing tag on its own line is seen), and thinking that the token limit cut off. A tag anywhere else is the
// answer's own text.
func SplitThink(text string) (reasoning, answer string) {
	const open, shut = "<think>", "</think>"
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if rest, ok := strings.CutPrefix(trimmed, open); ok {
		reasoning, answer, _ = strings.Cut(rest, shut)
		return strings.TrimSpace(reasoning), strings.TrimLeft(answer, " \t\r\n")
	}
	if before, after, ok := strings.Cut(trimmed, "\n"+shut); ok && !strings.Contains(before, open) &&
		(after == "" || after[0] == '\n' || after[0] == '\r') {
		return strings.TrimSpace(before), strings.TrimLeft(after, " \t\r\n")
	}
	return "", text
}
