package syntax

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"
)

// TestLargeSourcesAreParsedInTurn holds what two parses together may take: a third, of a large text, waits for it, and a small one
// does not.
func TestLargeSourcesAreParsedInTurn(t *testing.T) {
	p := OpenForTest(t, Config{Instances: 2, Timeout: 5 * time.Minute})
	defer p.Close()
	if err := p.sources.Acquire(t.Context(), atOnce/2); err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte(" "), atOnce)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Parse(ctx, "python", large); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a large text beside others: %v", err)
	}
	if _, err := p.Parse(t.Context(), "python", []byte("a\n")); err != nil {
		t.Errorf("a small text beside others: %v", err)
	}
	p.sources.Release(atOnce / 2)
	if tree, err := p.Parse(t.Context(), "python", large); err != nil || tree.Len() == 0 {
		t.Errorf("a large text alone: %v", err)
	}
}
