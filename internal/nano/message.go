package nano

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/chat"
)

// message answers a request that is no turn: the model's own chat template renders its messages, and the reply is what it writes up
// to the token that ends a message.
func (v *voice) message(j *job, r llm.Request) (out llm.Response, err error) {
	s, t := v.s, v.s.policy.Tokenizer
	messages, err := chatOf(r)
	if err == nil {
		j.prompt, err = s.chat.Render(messages)
	}
	if err != nil {
		return out, &llm.Error{Kind: llm.KindBadRequest, Model: s.policy.Name, Message: err.Error()}
	}
	j.prompt = append(j.prompt, s.chat.Reply()...)
	room := s.policy.Model.Config.Context - len(j.prompt)
	if room < 1 {
		return out, &llm.Error{Kind: llm.KindContextLength, Model: s.policy.Name, Message: v.tooLong(messages, len(j.prompt))}
	}
	j.ends, j.stop, j.limit = s.ends(), newWatch(t, r.Stop), min(cmp.Or(r.MaxTokens, llm.DefaultMaxTokens), room)
	if err := v.sample(j, r, 0, spread(j.prompt)); err != nil {
		return out, err
	}
	out.Text = clean(j.stop.cut(t.Decode(j.written())))
	return out, nil
}

// chatOf are the messages of a request as a template takes them.
func chatOf(r llm.Request) ([]chat.Message, error) {
	if r.Schema != nil { // nothing holds the model to it
		r.System = llm.SchemaPrompt(r.System, *r.Schema)
	}
	var out []chat.Message
	if r.System != "" {
		out = append(out, chat.Message{Role: chat.System, Text: r.System})
	}
	for i, m := range r.Messages {
		if len(m.ToolCalls) > 0 {
			return nil, fmt.Errorf("message %d calls a tool, which the model was not trained to do", i+1)
		}
		out = append(out, chat.Message{Role: m.Role, Text: m.Content})
	}
	return out, nil
}

// ends are the tokens that end a message: the template's, and the end of a text, which models write where they have nothing to say.
func (s *Sampler) ends() []int32 {
	ends := []int32{s.chat.End()}
	if id, ok := s.policy.Tokenizer.Special("<|endoftext|>"); ok {
		ends = append(ends, id)
	}
	return ends
}

// tooLong says of a conversation that leaves no room for a reply what of it is long.
func (v *voice) tooLong(messages []chat.Message, total int) string {
	most, longest := -1, 0
	for i, m := range messages {
		if n := len(v.s.policy.Tokenizer.Encode(m.Text)); n > most {
			most, longest = n, i
		}
	}
	return fmt.Sprintf("the conversation has %d tokens, and the model's context of %d has to hold a reply, too; "+
		"the longest message is number %d of %d, by %s, with %d tokens", total, v.s.policy.Model.Config.Context, longest+1, len(messages),
		messages[longest].Role, most)
}

// spread is the seed of a conversation that names none.
func spread(tokens []int32) uint64 {
	h := fnv.New64a()
	for _, t := range tokens {
		_ = binary.Write(h, binary.LittleEndian, t) // a hash takes everything
	}
	return h.Sum64()
}
