package pairs

import (
	"encoding/json"
	"strings"
)

// Pair is a prompt with an answer that is preferred and one that is not.
type Pair struct {
	// TaskID is the task's id as the file says it, "" where it says none.
	TaskID   string
	Prompt   []Message
	Chosen   []Message
	Rejected []Message
	// Chat says that the file had lists of messages; otherwise each side is one text.
	Chat bool
	// Extra are the fields of the row that are none of the above, as they were.
	Extra map[string]json.RawMessage
	// Line is where the pair stands in its file, from 1.
	Line int
}

// Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Text is what the messages say, one after the other.
func Text(messages []Message) string {
	if len(messages) == 1 {
		return messages[0].Content
	}
	var parts []string
	for _, m := range messages {
		parts = append(parts, m.Content)
	}
	return strings.Join(parts, "\n")
}

// PromptText is the prompt as one text.
func (p Pair) PromptText() string { return Text(p.Prompt) }

// ChosenText is the chosen answer as one text.
func (p Pair) ChosenText() string { return Text(p.Chosen) }

// RejectedText is the rejected answer as one text.
func (p Pair) RejectedText() string { return Text(p.Rejected) }

// NewPair makes a pair of texts.
func NewPair(task, prompt, chosen, rejected string) Pair {
	return Pair{TaskID: task, Prompt: user(prompt), Chosen: assistant(chosen), Rejected: assistant(rejected)}
}

func user(text string) []Message      { return []Message{{Role: "user", Content: text}} }
func assistant(text string) []Message { return []Message{{Role: "assistant", Content: text}} }

// key is equal for pairs that say the same about the same task.
func (p Pair) key() string {
	b, _ := json.Marshal([]string{p.TaskID, p.PromptText(), p.ChosenText(), p.RejectedText()}) // strings always marshal
	return string(b)
}
