package rlm

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// conversation is what a root and its REPL said to each other. It only grows at its end, until it is folded.
type conversation struct {
	messages []llm.Message
	unheard  *llm.Response // the last reply, when it does not stand in messages yet
	first    string        // the opening message, before any digest
	folded   int           // turns already folded into a digest
	digests  []turnDigest
}

// turnDigest is what is kept of a turn when its messages are folded away.
type turnDigest struct {
	turn  int
	text  string
	first int // index of the turn's first message
}

// begin opens the conversation.
func (c *conversation) begin(first string) {
	c.first = first
	c.messages = []llm.Message{{Role: llm.RoleUser, Content: first}}
}

// tell appends the root's reply, what came of it, and where the root stands now. first is the number of its first cell.
func (c *conversation) tell(response llm.Response, blocks []block, first int, outputs []string, status string) {
	c.messages = append(c.messages, llm.Message{Role: llm.RoleAssistant, Content: response.Text, ToolCalls: response.ToolCalls})
	c.unheard = nil
	if len(blocks) == 0 {
		c.messages = append(c.messages, llm.Message{Role: llm.RoleUser, Content: "Your reply held no cell, so nothing was run. " +
			"Write Python in a fence tagged python. To finish, call set_answer(text) in a cell.\n\n" + status})
		return
	}
	if len(response.ToolCalls) > 0 {
		for i, b := range blocks {
			m := llm.Message{Role: llm.RoleTool, ToolCallID: b.callID, Content: outputOf(first+i, outputs[i])}
			if i == len(blocks)-1 {
				m.Content += "\n\n" + status
			}
			c.messages = append(c.messages, m)
		}
		return
	}
	var b strings.Builder
	for i, out := range outputs {
		b.WriteString(outputOf(first+i, out) + "\n\n")
	}
	c.messages = append(c.messages, llm.Message{Role: llm.RoleUser, Content: b.String() + status})
}

// outputOf is a cell's output behind its number, by which more knows it.
func outputOf(number int, output string) string {
	return fmt.Sprintf("[Output of cell %d]\n%s", number, output)
}

// transcript is the conversation as it ended, the system message first.
func (c *conversation) transcript(system string) []llm.Message {
	all := append([]llm.Message{{Role: llm.RoleSystem, Content: system}}, c.messages...)
	if r := c.unheard; r != nil {
		all = append(all, llm.Message{Role: llm.RoleAssistant, Content: r.Text, ToolCalls: r.ToolCalls})
	}
	return all
}

// digest sums a turn up in a few lines, for when its messages are folded away.
func (c *conversation) digest(turn int, blocks []block, first int, outputs []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d:\n", turn)
	for i, blk := range blocks {
		fmt.Fprintf(&b, "  cell %d: %s\n", first+i, oneLine(blk.code, 200))
		if i < len(outputs) {
			fmt.Fprintf(&b, "  output: %s\n", oneLine(outputs[i], 400))
		}
	}
	c.digests = append(c.digests, turnDigest{turn: turn, text: b.String(), first: len(c.messages)})
}

// chars is the length of what the root is sent.
func (c *conversation) chars() int {
	total := 0
	for _, m := range c.messages {
		total += len(m.Content)
		for _, call := range m.ToolCalls {
			total += len(call.Arguments)
		}
	}
	return total
}
