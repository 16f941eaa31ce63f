package offline

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// The localiser writes its one cell, again where the answer was held back, and says in the end what went wrong.
func TestTheLocaliserHasOneCell(t *testing.T) {
	h := Localiser()
	if !h.Local || !h.Scripted || h.Name != LocaliserName {
		t.Errorf("%+v", h)
	}
	messages := []llm.Message{{Role: llm.RoleUser, Content: "the tree"}}
	for turn := range maxLocaliserTurns {
		r, err := h.Model.Complete(t.Context(), llm.Request{Messages: messages})
		if err != nil || strings.Count(r.Text, "```python\n") != 1 || !strings.Contains(r.Text, localiseCell) || r.Cost == nil || *r.Cost != 0 {
			t.Fatalf("turn %d: %q, %v", turn+1, r.Text, err)
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: r.Text},
			llm.Message{Role: llm.RoleUser, Content: "RuntimeError:\nthis run is about no issue"})
	}
	if _, err := h.Model.Complete(t.Context(), llm.Request{Messages: messages}); err == nil ||
		!strings.Contains(err.Error(), "RuntimeError: this run is about no issue") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Model.Complete(ctx, llm.Request{}); err == nil {
		t.Error("a cancelled call was answered")
	}
}
