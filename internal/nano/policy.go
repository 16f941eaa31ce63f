package nano

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// Specials are the special tokens of a policy's vocabulary, in the order in which they end it.
func Specials() []string { return []string{viewToken, cellToken, endToken} }

const (
	viewToken = "<|view|>"
	cellToken = "<|cell|>"
	endToken  = "<|end|>"
)

// Policy is a small model that writes cells: its weights, adapters merged into them, and the tokenizer they were trained
// with.
type Policy struct {
	Model     *transformer.Model
	Tokenizer *bpe.Tokenizer
	// Compute is what is computed with in the place of Model: the same in eight bits, say. Defaults to Model.
	Compute *transformer.Model
	// Adapter is computed beside it. Defaults to none.
	Adapter *transformer.Adapter
	// Template is the chat template of the model's makers, which requests that are no turns are rendered by. Defaults to "": they are
	// refused.
	Template string
	// Name is the policy's name as a model. Defaults to "nano/policy".
	Name string
}

// Computed is the model that is computed with.
func (p Policy) Computed() *transformer.Model { return cmp.Or(p.Compute, p.Model) }

// Validate says why a policy cannot be sampled.
func (p Policy) Validate() error {
	if p.Model == nil || p.Tokenizer == nil {
		return errors.New("a policy needs weights and a tokenizer")
	}
	if v, t := p.Model.Config.Vocab, p.Tokenizer.Vocab(); t > v {
		return fmt.Errorf("the tokenizer has %d tokens, the model only %d", t, v)
	}
	if _, err := formOf(p.Tokenizer); err != nil {
		return err
	}
	if c := p.Model.Config.Context; c < minContext {
		return fmt.Errorf("the model's context of %d tokens is too short for a conversation; at least %d are needed", c, minContext)
	}
	return nil
}

// chats is the form in which the model answers requests that are no turns.
func (p Policy) chats() (*chat.Form, error) {
	if _, ok := p.Tokenizer.Special(chat.Start); !ok {
		return nil, errors.New("it plays the turns of a review's root and answers nothing else: it was trained from nothing, for that alone")
	}
	if p.Template == "" {
		return nil, errors.New("it plays the turns of a review's root and answers nothing else: its file has no chat template")
	}
	return chat.Of(p.Tokenizer, p.Template)
}

// minContext is the least context that holds a view and a cell worth sampling.
const minContext = 64

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
