package rlm

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// ToolName is the tool through which roots with tool calls hand in their cells.
const ToolName = "execute_python"

// block is one piece of Python found in a reply. callID is set when it came by a tool call.
type block struct {
	code   string
	callID string
	broken string // why it cannot be run; told to the root
}

// extract finds the cells of a root's reply: its tool calls, or else its fences tagged python, py, repl or nothing, or
// else a bare FINAL(...) line as other RLMs taught models to write.
func extract(r llm.Response) []block {
	var blocks []block
	for _, call := range r.ToolCalls {
		blocks = append(blocks, toolBlock(call))
	}
	if len(blocks) > 0 {
		return blocks
	}
	text := stripThinking(r.Text)
	fenced := fences(text)
	if len(fenced) == 0 && text != r.Text {
		fenced = fences(r.Text) // a model that never closed its <think> may still have written its cell inside
	}
	for i, f := range fenced {
		b := block{code: f.code}
		if !f.closed && i == len(fenced)-1 && r.Finish == llm.FinishLength {
			b.broken = "your reply was cut off at the output limit inside this cell, so it was not run; write a shorter cell"
		}
		blocks = append(blocks, b)
	}
	if len(blocks) == 0 {
		blocks = writtenCalls(text)
	}
	if len(blocks) == 0 {
		if code, ok := finalLine(text); ok {
			blocks = append(blocks, block{code: code})
		}
	}
	return blocks
}

func toolBlock(call llm.ToolCall) block {
	b := block{callID: call.ID}
	if call.Name != ToolName {
		b.broken = "there is no tool of that name; the only tool is " + ToolName
		return b
	}
	var args struct {
		Code *string `json:"code"`
	}
	if err := json.Unmarshal([]byte(call.Arguments), &args); err == nil && args.Code != nil {
		b.code = *args.Code
		// Some models wrap the code in a fence inside the argument.
		if inner := fences(b.code); len(inner) == 1 && strings.HasPrefix(strings.TrimSpace(b.code), "```") {
			b.code = inner[0].code
		}
		return b
	}
	if raw := strings.TrimSpace(call.Arguments); raw != "" && !strings.HasPrefix(raw, "{") {
		b.code = call.Arguments // the code itself instead of a JSON object
		return b
	}
	b.broken = `the tool's arguments must be a JSON object with the cell in "code"`
	return b
}

var writtenCall = regexp.MustCompile("(?s)(?:<tool_call>|```(?:json|tool_call)?[ \\t]*\\n)\\s*(\\{.*?\\})\\s*(?:</tool_call>|```|\\z)")

// writtenCalls finds calls of the tool that a model wrote out as text, as small models do whose server does not parse
// them: <tool_call>{"name": "execute_python", "arguments": {"code": "..."}}</tool_call>, or the same in a JSON fence.
func writtenCalls(text string) []block {
	var blocks []block
	for _, m := range writtenCall.FindAllStringSubmatch(text, -1) {
		var call struct {
			Name      string
			Arguments struct{ Code string }
		}
		if json.Unmarshal([]byte(m[1]), &call) == nil && call.Name == ToolName && strings.TrimSpace(call.Arguments.Code) != "" {
			blocks = append(blocks, block{code: call.Arguments.Code})
		}
	}
	return blocks
}

var thinking = regexp.MustCompile(`(?s)<think(?:ing)?>.*?(?:</think(?:ing)?>|\z)`)

// stripThinking removes <think> parts; an unclosed one reaches to the end.
func stripThinking(text string) string {
	// Templates that open the tag themselves leave only the closing one in the reply.
	if i := strings.Index(text, "</think>"); i >= 0 && !strings.Contains(text[:i], "<think>") {
		text = text[i+len("</think>"):]
	}
	return thinking.ReplaceAllString(text, "")
}

type fence struct {
	code   string
	closed bool
}

// fences scans for ``` blocks line by line. A line of backticks closes a block only where Python is not inside a
// triple-quoted string, so that a cell may hold Markdown with its own fences. A block whose strings never balance is
// closed by the first bare fence after all.
func fences(text string) []fence {
	lines := strings.Split(text, "\n")
	var found []fence
	for i := 0; i < len(lines); i++ {
		ticks, info, ok := openingFence(lines[i])
		if !ok {
			continue
		}
		end, closed := closingFence(lines, i+1, ticks, isPython(info))
		if isPython(info) {
			code := strings.Join(lines[i+1:end], "\n")
			if strings.TrimSpace(code) != "" && (info != "" || looksLikePython(code)) {
				found = append(found, fence{code: code, closed: closed})
			}
		}
		i = end
	}
	return found
}

// openingFence recognises up to three spaces, at least three backticks, and an info word.
func openingFence(line string) (ticks int, info string, ok bool) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return 0, "", false
	}
	rest := strings.TrimLeft(trimmed, "`")
	ticks = len(trimmed) - len(rest)
	if ticks < 3 || strings.Contains(rest, "`") {
		return 0, "", false
	}
	return ticks, strings.ToLower(strings.TrimSpace(rest)), true
}

func isPython(info string) bool {
	word, _, _ := strings.Cut(info, " ")
	switch word {
	case "", "python", "python3", "py", "repl":
		return true
	}
	return false
}

// closingFence returns the index of the line that closes a block begun before from, or len(lines).
func closingFence(lines []string, from, ticks int, python bool) (int, bool) {
	var q quoteState
	first := -1
	for i := from; i < len(lines); i++ {
		n, info, ok := openingFence(lines[i])
		if ok && info == "" && n >= ticks {
			if !python || !q.insideTriple() {
				return i, true
			}
			if first < 0 {
				first = i
			}
		}
		if python {
			q.line(lines[i])
		}
	}
	if first >= 0 {
		return first, true
	}
	return len(lines), false
}

// quoteState follows Python's triple-quoted strings from line to line.
type quoteState struct{ open string }

func (q *quoteState) insideTriple() bool { return q.open != "" }

func (q *quoteState) line(s string) {
	for i := 0; i < len(s); {
		if q.open != "" {
			switch {
			case s[i] == '\\':
				i += 2
			case strings.HasPrefix(s[i:], q.open):
				i += 3
				q.open = ""
			default:
				i++
			}
			continue
		}
		switch c := s[i]; c {
		case '#':
			return
		case '"', '\'':
			if triple := strings.Repeat(string(c), 3); strings.HasPrefix(s[i:], triple) {
				q.open = triple
				i += 3
				continue
			}
			i = skipString(s, i)
		default:
			i++
		}
	}
}

// skipString returns the index after the one-line string that starts at i.
func skipString(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(s)
}

var pythonish = regexp.MustCompile(
	`(?m)^\s*(?:[A-Za-z_][\w.\[\]"', ]*\s*(?:=|\+=)[^=]|(?:print|llm_query|llm_batch|rlm_query|rlm_batch|set_answer|add_finding|FINAL|` +
		`FINAL_VAR|SUBMIT)\s*\(|for .*:|if .*:|while .*:|def |import |from |with |try:|[\w.]+\(.*\)\s*$)`)

// looksLikePython guards untagged fences: models put trees and tables in them too.
func looksLikePython(code string) bool { return pythonish.MatchString(code) }

var finalCall = regexp.MustCompile(`(?m)^\s*(FINAL_VAR|FINAL)\(`)

// finalLine turns a bare FINAL(text) or FINAL_VAR(name) outside of any fence into a cell.
func finalLine(text string) (string, bool) {
	m := finalCall.FindStringSubmatchIndex(text)
	if m == nil {
		return "", false
	}
	name := text[m[2]:m[3]]
	end := strings.LastIndex(text, ")")
	if end < m[1] {
		end = len(text)
	}
	arg := strings.TrimSpace(text[m[1]:end])
	if unquoted := strings.Trim(arg, `"'`); unquoted != "" {
		arg = unquoted
	}
	quoted, err := json.Marshal(arg) // a JSON string is a Python string
	if err != nil || arg == "" {
		return "", false
	}
	return name + "(" + string(quoted) + ")", true
}

// withoutCells is what a reply says outside of its cells and its thinking.
func withoutCells(text string) string {
	var b strings.Builder
	lines := strings.Split(stripThinking(text), "\n")
	for i := 0; i < len(lines); i++ {
		if ticks, info, ok := openingFence(lines[i]); ok && info != "" && isPython(info) {
			i, _ = closingFence(lines, i+1, ticks, true)
			continue
		}
		b.WriteString(lines[i] + "\n")
	}
	return strings.TrimSpace(b.String())
}

// prose is a reply's text outside of its cells, if that is enough to be a report.
func prose(text string) string {
	const enough = 200
	if out := withoutCells(text); len(out) >= enough {
		return out
	}
	return ""
}
