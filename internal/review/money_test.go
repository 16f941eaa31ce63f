package review

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// biller is a provider that bills every call it was sent, whether or not the reply arrives.
type biller struct {
	billed atomic.Int64 // in pico-dollars, over all executions
	calls  atomic.Int64
	stop   int64 // the call at which the user gives up, 0 for never
	giveUp context.CancelFunc
}

// most is what a call of these costs: its whole token limit.
func (b *biller) worker(ctx context.Context, r llm.Request) (llm.Response, error) {
	b.billed.Add(int64(r.MaxTokens) * int64(money.Dollar) / 1_000_000)
	if n := b.calls.Add(1); b.stop > 0 && n >= b.stop {
		b.giveUp()
		<-ctx.Done()
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Message: "given up", Err: ctx.Err(), MaybeBilled: true}
	}
	resp, err := finder(ctx, r)
	resp.Usage.OutputTokens = int64(r.MaxTokens)
	return resp, err
}

func (b *biller) environment(t *testing.T) Env {
	env := environment(t, nil, nil)
	price := &llm.Price{Output: money.Dollar} // per million tokens
	env.Registry.Register("paid", func(string) (llm.Handle, error) {
		return llm.Handle{Model: llm.Func(b.worker), Price: price, Schema: true}, nil
	}, "worker")
	return env
}

// However often a run is interrupted with calls in flight and resumed: what was billed stays below the cap, and within what
// the report says.
func TestTheCapHoldsAcrossInterruptions(t *testing.T) {
	files := map[string]string{}
	for i := range 12 { // a dispatch each
		files[fmt.Sprintf("f%02d.py", i)] = "x = 1  # BUG\n" + string(bytes.Repeat([]byte("value = 'some more text for this file'\n"), 500))
	}
	tree := runtest.Tree(t, files)
	limit := 8 * 4096 * money.Dollar / 1_000_000 // of eight calls
	for _, kill := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed: %v", kill), func(t *testing.T) {
			b := &biller{}
			out := filepath.Join(t.TempDir(), "run")
			o := Options{Path: tree, Out: out, Root: "offline/orchestrator", Worker: "paid/worker", NoCache: true, Concurrency: 2, Budget: &limit}
			var last Outcome
			for execution := range 6 {
				ctx, cancel := context.WithCancel(t.Context())
				b.stop, b.giveUp = b.calls.Load()+2, cancel
				if execution == 5 {
					b.stop = 0
				}
				var err error
				if execution == 0 {
					last, err = Analyze(ctx, o, b.environment(t))
				} else {
					last, err = Resume(ctx, out, Changes{}, b.environment(t))
				}
				cancel()
				if err != nil {
					t.Fatal(err)
				}
				if kill && execution < 5 { // as kill -9 leaves the journal: nothing after the reservations
					cutAfterLastReservation(t, filepath.Join(out, TraceName))
				}
			}
			billed, u := float64(b.billed.Load())/float64(money.Dollar), last.Report.Usage
			if b.billed.Load() > int64(limit) || b.calls.Load() < 6 {
				t.Errorf("%d calls billed $%v, the cap is %s", b.calls.Load(), billed, limit)
			}
			if u.TotalCostUSD == nil || u.AtMostUSD == nil || billed < *u.TotalCostUSD || billed > *u.AtMostUSD || *u.AtMostUSD == *u.TotalCostUSD {
				t.Errorf("billed $%v, the report says %v to %v", billed, u.TotalCostUSD, u.AtMostUSD)
			}
		})
	}
}

// cutAfterLastReservation leaves a journal as a process does that is killed with its calls in flight.
func cutAfterLastReservation(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	events, _, err := trace.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Kind == trace.KindReserve && events[i].Reserve.MostPico > 0 {
			if err := os.WriteFile(name, bytes.Join(lines[:i+1], nil), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("no reservation in the journal")
}
