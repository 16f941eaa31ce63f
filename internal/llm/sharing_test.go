package llm

import (
	"context"
	"sync"
	"testing"
)

// shelf is what machines share.
type shelf struct {
	mu      sync.Mutex
	entries map[string][]byte
}

func (s *shelf) Reply(_ context.Context, hash string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.entries[hash]
	return e, ok
}

func (s *shelf) KeepReply(_ context.Context, hash string, entry []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[hash] = entry
}

// TestMachinesShareReplies: what one machine was told, another one knows, and keeps; what is damaged or of another request is
// asked again.
func TestMachinesShareReplies(t *testing.T) {
	all := &shelf{entries: map[string][]byte{}}
	calls := 0
	model := Func(func(context.Context, Request) (Response, error) {
		calls++
		return Response{Text: "yes", Finish: FinishStop}, nil
	})
	machine := func(dir string) func(shared Replies, question string) Response {
		c, err := OpenCache(CacheConfig{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return func(shared Replies, question string) Response {
			t.Helper()
			with := c
			if shared != nil {
				with = c.Sharing(shared)
			}
			r, err := with.Wrap(model, "m").Complete(t.Context(), Request{Prompt: question})
			if err != nil || r.Text != "yes" {
				t.Errorf("%q, %v", r.Text, err)
			}
			return r
		}
	}
	a, b := machine(t.TempDir()), machine(t.TempDir())
	if a(all, "one").FromCache || calls != 1 {
		t.Error("the first call came from nowhere")
	}
	if r := b(all, "one"); !r.FromCache || *r.Cost != 0 || calls != 1 {
		t.Errorf("the second machine asked again: %+v", r)
	}
	if !b(nil, "one").FromCache || calls != 1 {
		t.Error("the second machine did not keep it")
	}
	for hash, e := range all.entries {
		other := Request{Prompt: "two"}
		all.entries[other.Hash("m")] = e // of another request
		all.entries[hash] = []byte("{")
	}
	if b(all, "two").FromCache || machine(t.TempDir())(all, "one").FromCache || calls != 3 {
		t.Errorf("%d calls: what is damaged was believed", calls)
	}
}
