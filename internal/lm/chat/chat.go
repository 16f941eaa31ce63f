// Package chat gives conversations the form in which models were trained to have them, as tokens: ChatML, which SmolLM2, Qwen2 and
// many others speak.
//
// Invariant: control tokens come from the form alone. What a message spells is text, and a template that a file brings is read for
// one sentence and never executed.
package chat

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

// The control tokens of ChatML: a message is Start, its role, a line's end, its text, End and a line's end.
const (
	Start = "<|im_start|>"
	End   = "<|im_end|>"
)

// The roles of messages.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
)

// Message is one of a conversation.
type Message struct{ Role, Text string }

// Form is the form of one model's conversations.
type Form struct {
	tokenizer  *bpe.Tokenizer
	start, end int32
	line       []int32 // behind a message
	system     string  // the first message where a conversation brings no other system message, "" for none
}

// initial finds the system message that a template has for conversations without one. It stands there as a literal.
var initial = regexp.MustCompile(`<\|im_start\|>system(?:\n|\\n)([^<>{}'"\\]+)<\|im_end\|>`)

// Of is the form that a model's template (tokenizer_config.json, tokenizer.chat_template in GGUF) describes. One that is not of
// ChatML is refused.
func Of(t *bpe.Tokenizer, template string) (*Form, error) {
	f := &Form{tokenizer: t, line: t.Encode("\n")}
	for _, c := range []struct {
		name string
		id   *int32
	}{{Start, &f.start}, {End, &f.end}} {
		id, ok := t.Special(c.name)
		if !ok {
			return nil, fmt.Errorf("the model has no token %s: it does not chat in ChatML", c.name)
		}
		if !strings.Contains(template, c.name) {
			return nil, fmt.Errorf("the model's chat template does not have %s: it is not of ChatML", c.name)
		}
		*c.id = id
	}
	for _, m := range initial.FindAllStringSubmatch(template, -1) {
		if f.system != "" && f.system != m[1] {
			return nil, errors.New("the model's chat template has several system messages of its own")
		}
		f.system = m[1]
	}
	return f, nil
}

// End is the token that ends a message: a reply is over when the model writes it.
func (f *Form) End() int32 { return f.end }

// Render is a conversation as the model's template renders it, every message whole. [Form.Reply] goes on where the model is to.
func (f *Form) Render(messages []Message) ([]int32, error) {
	if len(messages) == 0 {
		return nil, errors.New("a conversation of no messages")
	}
	if f.system != "" && messages[0].Role != System {
		messages = slices.Insert(slices.Clone(messages), 0, Message{System, f.system})
	}
	var out []int32
	for i, m := range messages {
		switch m.Role {
		case System, User, Assistant:
		default:
			return nil, fmt.Errorf("message %d is by %q; %s, %s and %s can be rendered", i, m.Role, System, User, Assistant)
		}
		out = append(append(out, f.start), f.tokenizer.Encode(m.Role+"\n"+m.Text)...)
		out = append(append(out, f.end), f.line...)
	}
	return out, nil
}

// Reply is how a reply begins, up to where the model writes. A text that begins with white space has other tokens behind it than
// [Form.Render] gives: there the line's end and the text may become one.
func (f *Form) Reply() []int32 {
	return append([]int32{f.start}, f.tokenizer.Encode(Assistant+"\n")...)
}
