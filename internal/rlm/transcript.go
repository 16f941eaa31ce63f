package rlm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// tell appends the root's reply and its outcome to the transcript.
func (n *node) tell(response llm.Response, blocks []block, outputs []string) {
	n.messages = append(n.messages, llm.Message{Role: llm.RoleAssistant, Content: response.Text, ToolCalls: response.ToolCalls})
	n.untold = nil
	n.turn++ // the countdown speaks of the coming turn
	status := n.countdown()
	n.turn--
	if len(blocks) == 0 {
		n.run.count(func(m *Metrics) { m.TurnsWithoutCell++ })
		n.messages = append(n.messages, llm.Message{Role: llm.RoleUser, Content: "Your reply held no cell, so nothing was run. " +
			"Write Python in a fence tagged python. To finish, call set_answer(text) in a cell.\n\n" + status})
		return
	}
	if len(response.ToolCalls) > 0 {
		for i, b := range blocks {
			m := llm.Message{Role: llm.RoleTool, ToolCallID: b.callID, Content: outputs[i]}
			if i == len(blocks)-1 {
				m.Content += "\n\n" + status
			}
			n.messages = append(n.messages, m)
		}
		return
	}
	var b strings.Builder
	for i, out := range outputs {
		fmt.Fprintf(&b, "[Output of cell %d]\n%s\n\n", i+1, out)
	}
	n.messages = append(n.messages, llm.Message{Role: llm.RoleUser, Content: b.String() + status})
}

// system is the root's system prompt.
func (n *node) system() string {
	return systemPrompt(n.run.cfg.Preset.Root, n.handle.Tools, n.run.cfg.MaxDepth > depth(n.id), n.run.cfg.OutputChars)
}

// transcript is the conversation as it ended, the system message first.
func (n *node) transcript() []llm.Message {
	all := append([]llm.Message{{Role: llm.RoleSystem, Content: n.system()}}, n.messages...)
	if r := n.untold; r != nil {
		all = append(all, llm.Message{Role: llm.RoleAssistant, Content: r.Text, ToolCalls: r.ToolCalls})
	}
	return all
}

func (n *node) lastMessage() string {
	var parts []string
	for i := len(n.messages) - 1; i >= 0 && n.messages[i].Role != llm.RoleAssistant; i-- {
		parts = append([]string{n.messages[i].Content}, parts...)
	}
	return strings.Join(parts, "\n")
}

// executePython is the tool for roots that call tools.
var executePython = llm.Tool{
	Name: ToolName, Description: "Run one cell of Python in the REPL. Variables stay between cells.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"code":{"type":"string","description":"the cell"}},"required":["code"],"additionalProperties":false}`),
}

func recorded(root *trace.Root) llm.Response {
	r := llm.Response{Text: root.Text, Reasoning: root.Reasoning, Finish: root.Finish, Model: root.Model}
	for _, c := range root.ToolCalls {
		r.ToolCalls = append(r.ToolCalls, llm.ToolCall(c))
	}
	return r
}
