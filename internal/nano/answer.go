package nano

import (
	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
)

// Write writes the policy as a model directory (see checkpoint.WriteModel), with the chat template of the model's makers.
func (p Policy) Write(dir string, meta map[string]string) error {
	if err := checkpoint.WriteModel(dir, p.Model, p.Tokenizer, meta); err != nil {
		return err
	}
	return checkpoint.WriteTemplate(dir, p.Template)
}

// Answer is a prompt and an answer as a model that chats reads and writes them: the tokens, and from where on they are its own, the one
// that ends the answer included. A policy that does not chat has an error.
func (p Policy) Answer(prompt []chat.Message, answer string) (tokens []int32, own int, err error) {
	form, err := p.chats()
	if err != nil {
		return nil, 0, err
	}
	if tokens, err = form.Render(prompt); err != nil {
		return nil, 0, err
	}
	tokens = append(tokens, form.Reply()...)
	own = len(tokens)
	return append(append(tokens, p.Tokenizer.Encode(answer)...), form.End()), own, nil
}
