package offline

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
)

func TestEachTurnWritesTheRightCells(t *testing.T) {
	read, again, report := "def pack(paths)", "prompts again", "# Write the report"
	conversation := func(told ...string) []llm.Message {
		messages := []llm.Message{{Role: llm.RoleUser, Content: told[0]}}
		for _, m := range told[1:] {
			messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: "a cell"}, llm.Message{Role: llm.RoleUser, Content: m})
		}
		return messages
	}
	tests := []struct {
		name     string
		messages []llm.Message
		want     []string
	}{
		{"first", conversation("tree"), []string{read}},
		{"second fills the gaps", conversation("tree", "12 prompts"), []string{again}},
		{"third reports", conversation("tree", "12 prompts", "0 prompts again"), []string{report}},
		{"an answer held back", conversation("tree", "a", "b", "ANSWER NOT ACCEPTED"), []string{again, report}},
		{"only one turn", conversation("tree FINAL TURN"), []string{read, again, report}},
		{"the last of two", conversation("tree", "x FINAL TURN"), []string{again, report}},
		{"a read that was stopped", conversation("tree", "The cell was stopped: it ran too long."), []string{read, again}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Handle().Model.Complete(context.Background(), llm.Request{Messages: tt.messages})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(r.Text, "```python\n"); got != len(tt.want) {
				t.Errorf("%d cells, want %d", got, len(tt.want))
			}
			at := 0
			for _, want := range tt.want {
				i := strings.Index(r.Text[at:], want)
				if i < 0 {
					t.Fatalf("%q is missing, or out of order", want)
				}
				at += i
			}
			if r.Cost == nil || *r.Cost != 0 {
				t.Errorf("cost %v", r.Cost)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Handle().Model.Complete(ctx, llm.Request{}); err == nil {
		t.Error("a canceled call was answered")
	}
}
