package nano

import (
	"fmt"
	"hash/fnv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// cell plays a turn: the messages become views, and the reply is a cell.
func (v *voice) cell(j *job, r llm.Request) (out llm.Response, err error) {
	s := v.s
	exchanges := Render(r.Messages)
	if n := len(r.Messages); n == 0 || r.Messages[n-1].Role == llm.RoleAssistant {
		exchanges = append(exchanges, Exchange{})
	}
	turn := len(exchanges) - 1
	longest := min(s.c.MaxCell, s.policy.Model.Config.Context/2)
	parts, err := v.parts(exchanges)
	if err != nil {
		return out, v.failed(err)
	}
	j.prompt = window(parts, s.policy.Model.Config.Context-longest)
	if r.MaxTokens > 0 {
		longest = min(longest, r.MaxTokens)
	}
	j.ends, j.limit = []int32{s.form.end}, longest
	if err := v.sample(j, r, turn, fingerprint(exchanges)); err != nil {
		return out, err
	}
	if v.conversation.Record != nil {
		v.conversation.Record(Turn{Context: j.prompt, Reply: j.reply, LogP: j.logp, Entropy: j.entropy, Cut: j.cut})
	}
	out.Text = clean(s.policy.Tokenizer.Decode(j.written()))
	cell := out.Text
	if s.form.chat != nil {
		cell = cellOf(llm.Message{Content: out.Text})
	}
	if v.said != nil {
		v.said.put(turn, cell, j.written())
	}
	if s.form.chat == nil {
		out.Text, out.ToolCalls = reply(cell, turn+1, r.Tools)
	}
	return out, nil
}

// parts are the tokens of each exchange, the last one up to where the cell begins.
func (v *voice) parts(exchanges []Exchange) ([][]int32, error) {
	t, f := v.s.policy.Tokenizer, v.s.form
	parts := make([][]int32, len(exchanges))
	for i, x := range exchanges {
		p, err := f.shown(t, i, x.View)
		if err != nil {
			return nil, err
		}
		if i < len(exchanges)-1 {
			cell, ok := v.said.get(i, x.Cell)
			if !ok {
				cell = f.written(t, x.Cell)
			}
			p = append(append(p, cell...), f.end)
		}
		parts[i] = p
	}
	return parts, nil
}

// memory is a conversation's replies, by turn.
type memory struct {
	mu   sync.Mutex
	said map[int]saying
}

type saying struct {
	cell   string
	tokens []int32 // without the one that ends it
}

func (m *memory) put(turn int, cell string, tokens []int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.said == nil {
		m.said = map[int]saying{}
	}
	m.said[turn] = saying{cell, tokens}
}

// get gives the tokens of a cell, if it was said in that turn.
func (m *memory) get(turn int, cell string) ([]int32, bool) {
	if m == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.said[turn]
	return s.tokens, ok && s.cell == cell
}

// fingerprint is the seed of a turn that names none.
func fingerprint(exchanges []Exchange) uint64 {
	h := fnv.New64a()
	for _, x := range exchanges {
		fmt.Fprintf(h, "%q%q", x.View, x.Cell)
	}
	return h.Sum64()
}
