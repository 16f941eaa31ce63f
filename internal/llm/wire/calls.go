package wire

import "github.com/deeprepo/deeprepo/internal/llm"

// MaxCalls caps the tool calls of one reply.
const MaxCalls = 256

// Calls joins the pieces of tool calls. The zero value is empty.
type Calls struct {
	list  []llm.ToolCall
	size  int
	index []int64 // of list, as the server numbers them
}

// Len is how many calls there are.
func (c *Calls) Len() int { return len(c.list) }

// Size is how many bytes of names and arguments there are.
func (c *Calls) Size() int { return c.size }

// List is the calls so far, in the order in which they began.
func (c *Calls) List() []llm.ToolCall { return c.list }

// Add takes in a piece of the call with that index. A piece with a new ID under a known index starts a new call: some
// servers number every call 0. Calls beyond [MaxCalls] are dropped.
func (c *Calls) Add(index int64, id, name, arguments string) {
	at := len(c.index) - 1
	for at >= 0 && c.index[at] != index {
		at--
	}
	if at < 0 || id != "" && c.list[at].ID != "" && c.list[at].ID != id {
		if len(c.list) >= MaxCalls {
			return
		}
		c.list, c.index = append(c.list, llm.ToolCall{}), append(c.index, index)
		at = len(c.list) - 1
	}
	call := &c.list[at]
	if call.ID == "" {
		call.ID = id
	}
	if call.Name != name { // servers send the name once, in pieces, or again with every piece
		call.Name += name
		c.size += len(name)
	}
	c.size += len(arguments)
	call.Arguments += arguments
}
