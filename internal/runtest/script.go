package runtest

import (
	"context"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Script is a model that gives its replies in order, whatever it is sent: a conversation's first reply first, the last one again when they
// run out. A reply has 100 tokens of input and 10 of output.
type Script struct {
	Replies []string
	Cost    money.USD     // of a reply
	Fail    map[int]error // instead of a reply, counted from 1

	mu   sync.Mutex
	Seen []llm.Request // in the order in which they came
}

func (s *Script) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Messages = slices.Clone(r.Messages)
	s.Seen = append(s.Seen, r)
	turn := 1
	for _, m := range r.Messages {
		if m.Role == llm.RoleAssistant {
			turn++
		}
	}
	if err := s.Fail[turn]; err != nil {
		return llm.Response{}, err
	}
	cost := s.Cost
	return llm.Response{
		Text: s.Replies[min(turn, len(s.Replies))-1], Finish: llm.FinishStop, Cost: &cost, Usage: llm.Usage{InputTokens: 100, OutputTokens: 10},
	}, nil
}

// Told is what the last request's conversation said after each reply.
func (s *Script) Told() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var told []string
	for _, m := range s.Seen[len(s.Seen)-1].Messages[1:] {
		if m.Role == llm.RoleUser {
			told = append(told, m.Content)
		}
	}
	return told
}

// Last is the last message of the last request.
func (s *Script) Last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages := s.Seen[len(s.Seen)-1].Messages
	return messages[len(messages)-1].Content
}
