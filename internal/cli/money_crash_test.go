package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// Killed again and again with calls in flight, and continued under the same cap: what the provider charged never exceeds
// the cap, and when all is done it lies between the two ends of the bill.
func TestTheCapHoldsOverKills(t *testing.T) {
	const limit = 0.012 // a call costs 100 x $3 + 20 x $15 a million tokens, $0.0006
	for _, tt := range []struct {
		name          string
		begin, resume string
		bill          string // where it stands in the JSON
	}{
		{"code eval", "code eval humaneval --data tasks.jsonl -m openai/root -n 4 -t 0.5 --max-tokens 30 -c 4 --out run", "resume run",
			"generation"},
		{"pairs build", "pairs build --dataset humaneval --data tasks.jsonl --test-split -m openai/root -n 4 --max-tokens 30 -c 4 --out run",
			"pairs build --dataset humaneval --data tasks.jsonl --test-split -m openai/root -n 4 --max-tokens 30 -c 4 --out run", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgram(t, codeModel(30*time.Millisecond))
			p.write("tasks.jsonl", runtest.Adders(12))
			charged := func() float64 { return 0.0006 * float64(p.srv.Calls()) }
			args := strings.Fields(tt.begin)
			for kills := 0; ; kills++ {
				ended := p.killedAfter(3, append(args, "--budget", fmt.Sprint(limit))...)
				if charged() > limit {
					t.Fatalf("%v dollars were charged after %d kills, and the cap is %v", charged(), kills+1, limit)
				}
				if args = strings.Fields(tt.resume); ended {
					if kills < 2 {
						t.Fatalf("only %d kills", kills)
					}
					break
				}
			}
			out, err := p.command(append(args, "--budget", "1", "--json")...).Output()
			var all map[string]json.RawMessage
			if err := json.Unmarshal(out, &all); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if tt.bill != "" {
				out = all[tt.bill]
			}
			var bill struct {
				Cost   *money.USD `json:"cost_usd"`
				AtMost *money.USD `json:"at_most_usd"`
			}
			if json.Unmarshal(out, &bill) != nil || err != nil || bill.Cost == nil || bill.AtMost == nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if low, high := bill.Cost.Float64(), bill.AtMost.Float64(); low > charged() || high < charged() || low == high {
				t.Errorf("%v dollars were charged, and the bill is %v to %v", charged(), low, high)
			}
			text := p.must(args...)
			if want := bill.Cost.Round(4) + " to " + bill.AtMost.Round(4); !bytes.Contains(text, []byte(want)) {
				t.Errorf("%q is not said:\n%s", want, text)
			}
		})
	}
}

// killedAfter runs a command, and kills it when the server has seen that many further calls; true: it ended before.
func (p program) killedAfter(calls int, args ...string) (ended bool) {
	p.t.Helper()
	cmd, before, over := p.command(args...), p.srv.Calls(), make(chan struct{})
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer close(over)
		_ = cmd.Wait() // it fails, of course
	}()
	for p.srv.Calls() < before+calls {
		select {
		case <-over:
			return true
		case <-time.After(time.Millisecond):
		}
	}
	_ = cmd.Process.Kill()
	<-over
	return false
}
