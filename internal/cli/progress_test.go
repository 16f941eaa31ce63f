package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Commands close the view before they print, and the program closes it once more when it ends: on a terminal as elsewhere.
func TestTheLiveViewIsClosedTwice(t *testing.T) {
	var out bytes.Buffer
	p := &progress{w: &out, live: true, started: time.Now(), stop: make(chan struct{})}
	p.done.Go(p.redraw)
	p.observe(rlm.Progress{Turn: 1, MaxTurns: 2, Doing: "thinking"})
	p.close()
	p.close()
	if p.drawn {
		t.Error("the live line was left on the terminal")
	}
}

func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{usageError{fmt.Errorf("x"), ""}, exitUsage},
		{&llm.Error{Kind: llm.KindUnknownModel}, exitUsage},
		{&llm.Error{Kind: llm.KindOverloaded}, exitOutside},
		{fmt.Errorf("load: %w", context.Canceled), exitOutside},
		{exitError{code: exitNo}, exitNo},
	} {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%v: exit code %d, want %d", tt.err, got, tt.want)
		}
	}
}

// A cap that does not cover another call's worst case may have money left: the message must not say that it is spent.
func TestABudgetThatIsTooSmallForACallIsNotSpent(t *testing.T) {
	err := stopped{run: runfile.ReportRun{Status: trace.StatusPartial, StopReason: trace.StopBudget}, dir: "runs/a"}
	if said := err.Error(); !strings.Contains(said, "does not cover another call") || strings.Contains(said, "spent") {
		t.Error(said)
	}
	if h := err.Hint(); !strings.Contains(h, "deeprepo resume runs/a --budget USD") {
		t.Error(h)
	}
}
