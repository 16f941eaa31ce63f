package traces

import (
	"io"

	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// promptOf is the whole prompt of the turn whose reply is event i. A loop's transcript grows by a reply and a message each
// turn; now and then its oldest turns are replaced by a digest behind the first message. The trace holds each piece once,
// and this puts them together again.
func (s Snapshot) promptOf(i int) (any, error) {
	if s.kind[i] != 'r' {
		return nil, doc.NotFound("event %d is no turn", i+1)
	}
	f, _, err := s.dir.Open(s.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	doc, err := s.prompt(f, i)
	if err != nil {
		return nil, err
	}
	if before := s.before(i); before >= 0 {
		last, err := s.prompt(f, before)
		if err != nil {
			return nil, err
		}
		for doc.NewFrom < len(doc.Messages) && doc.NewFrom < len(last.Messages) && doc.Messages[doc.NewFrom].equals(last.Messages[doc.NewFrom]) {
			doc.NewFrom++
		}
	}
	return doc, nil
}

func (m PromptMessage) equals(other PromptMessage) bool {
	return m.Role == other.Role && m.Text == other.Text
}

// before is the loop's turn before the one of event i, -1 for none.
func (s Snapshot) before(i int) int {
	for j := i - 1; j >= 0; j-- {
		if s.kind[j] == 'r' && s.node[j] == s.node[i] && s.turn[j] < s.turn[i] && s.flags[j]&flagError == 0 {
			return j
		}
	}
	return -1
}

func (s Snapshot) prompt(f io.ReaderAt, i int) (Prompt, error) {
	e, err := s.event(f, i)
	if err != nil {
		return Prompt{}, err
	}
	system, err := s.system(f, i, e)
	if err != nil {
		return Prompt{}, err
	}
	p := Prompt{Messages: []PromptMessage{}, Exact: system != ""}
	if system != "" {
		p.Messages = append(p.Messages, PromptMessage{Role: "system", Text: system})
	}
	if e.Root.Synthesis {
		p.Messages = append(p.Messages, PromptMessage{Role: "user", Text: e.Root.Message, Turn: e.Turn})
		return p, nil
	}
	past, folded, err := s.past(f, i)
	if err != nil {
		return Prompt{}, err
	}
	for k, turn := range past {
		message := PromptMessage{Role: "user", Text: turn.Root.Message, Turn: turn.Turn}
		if k == 0 && folded != nil {
			message.Text += "\n\n" + folded.Digest
		}
		if folded == nil || k == 0 || turn.Turn > folded.To+1 {
			p.Messages = append(p.Messages, message)
		}
		if folded == nil || turn.Turn > folded.To {
			reply := PromptMessage{Role: "assistant", Text: turn.Root.Text, Turn: turn.Turn}
			for _, c := range turn.Root.ToolCalls {
				reply.Calls = append(reply.Calls, c.Arguments)
			}
			p.Messages = append(p.Messages, reply)
		}
	}
	p.Messages = append(p.Messages, PromptMessage{Role: "user", Text: e.Root.Message, Turn: e.Turn})
	return p, nil
}

// system is the system prompt of the turn of event i: its own, or that of the start event of its loop, or of the run.
func (s Snapshot) system(f io.ReaderAt, i int, e trace.Event) (string, error) {
	if e.Root.System != "" {
		return e.Root.System, nil
	}
	system := ""
	for j := range i {
		if s.kind[j] != 's' || s.node[j] != s.node[i] && s.node[j] != 0 {
			continue
		}
		start, err := s.event(f, j)
		if err != nil {
			return "", err
		}
		if start.Start.System == "" {
			continue
		}
		if system = start.Start.System; s.node[j] == s.node[i] && s.node[i] != 0 {
			break
		}
	}
	return system, nil
}

// past are the replies that the loop had got before event i, one a turn (what failed was asked again), and the last folding
// before it.
func (s Snapshot) past(f io.ReaderAt, i int) (turns []trace.Event, folded *trace.Compact, err error) {
	room := int64(maxAnswer)
	for j := range i {
		if s.node[j] != s.node[i] || s.kind[j] != 'r' && s.kind[j] != 'm' || s.turn[j] >= s.turn[i] ||
			s.flags[j]&(flagError|flagSynthesis) != 0 {
			continue
		}
		if room -= int64(s.size[j]); room < 0 {
			return nil, nil, &doc.Error{Status: 413, Message: "the prompt is too large to be put together"}
		}
		e, err := s.event(f, j)
		if err != nil {
			return nil, nil, err
		}
		if e.Compact != nil {
			folded = e.Compact
		} else {
			turns = append(turns, e)
		}
	}
	return turns, folded, nil
}
