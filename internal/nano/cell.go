package nano

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// toolName is the loop's tool for cells: a cell that comes by it needs no fence, so it may hold one.
const toolName = "execute_python"

// reply is a cell as a message of the model: a call of the tool where there is one, or else a fence.
func reply(cell string, turn int, tools []llm.Tool) (text string, calls []llm.ToolCall) {
	for _, t := range tools {
		if t.Name != toolName {
			continue
		}
		code, err := json.Marshal(map[string]string{"code": cell})
		if err != nil {
			break // a string is always encoded
		}
		return "", []llm.ToolCall{{ID: fmt.Sprintf("call_%d", turn), Name: toolName, Arguments: string(code)}}
	}
	return inFence(cell), nil
}

// inFence puts a cell between fences that it does not hold.
func inFence(cell string) string {
	ticks := "```"
	for strings.Contains(cell, ticks) {
		ticks += "`"
	}
	return ticks + "python\n" + cell + "\n" + ticks
}

// cellOf is the Python of a reply: of its calls of the tool, or of its fences. Several cells are one text here.
func cellOf(m llm.Message) string {
	var cells []string
	for _, c := range m.ToolCalls {
		var args struct {
			Code *string `json:"code"`
		}
		if err := json.Unmarshal([]byte(c.Arguments), &args); err == nil && args.Code != nil {
			cells = append(cells, *args.Code)
		} else {
			cells = append(cells, c.Arguments)
		}
	}
	if len(cells) == 0 {
		cells = fenced(m.Content)
	}
	return strings.Join(cells, "\n")
}

// fenced finds the cells in a text: from a fence that is tagged as Python, or not at all, to the next bare one of at
// least its length.
func fenced(text string) []string {
	var cells []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		ticks, tag := fence(lines[i])
		if ticks < 3 {
			continue
		}
		first := i + 1
		for i = first; i < len(lines); i++ {
			if n, t := fence(lines[i]); n >= ticks && t == "" {
				break
			}
		}
		switch tag {
		case "", "python", "python3", "py", "repl":
			cells = append(cells, strings.Join(lines[first:i], "\n"))
		}
	}
	return cells
}

// fence counts the backticks that a line begins with, and gives what follows them.
func fence(line string) (ticks int, tag string) {
	rest := strings.TrimLeft(line, "`")
	return len(line) - len(rest), strings.ToLower(strings.TrimSpace(rest))
}

// clean makes what tokens spell a text that every way of passing it on keeps: half a character becomes U+FFFD.
func clean(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
