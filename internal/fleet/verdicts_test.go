package fleet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// counter is a sandbox that takes its time and knows how often each program ran.
type counter struct {
	mu  sync.Mutex
	ran map[string]int
	of  func(sandbox.Program) sandbox.Judgement
}

func (c *counter) exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	time.Sleep(2 * time.Millisecond)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ran == nil {
		c.ran = map[string]int{}
	}
	c.ran[p.Code+p.Stdin]++
	if c.of != nil {
		return c.of(p), nil
	}
	return echo(ctx, p)
}

// total is how many programs ran since the last look.
func (c *counter) total() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n1 := range maps.Values(c.ran) {
		n += n1
	}
	c.ran = nil
	return n
}

// batch has the fleet judge programs in one item of their own, cut as the test wants.
func batch(t *testing.T, h *hub.Hub, programs ...sandbox.Program) []sandbox.Judgement {
	t.Helper()
	pool, err := dial(t, h, hub.RoleCoordinator).Pool(fleet.KindJudge)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	return batchOf(t, pool, programs...)
}

func batchOf(t *testing.T, pool *fleet.Pool, programs ...sandbox.Program) []sandbox.Judgement {
	t.Helper()
	payload, err := json.Marshal(map[string]any{"programs": programs})
	if err != nil {
		t.Fatal(err)
	}
	body, err := pool.Do(t.Context(), payload)
	var out struct{ Judgements []sandbox.Judgement }
	if err != nil || json.Unmarshal(body, &out) != nil || len(out.Judgements) != len(programs) {
		t.Fatalf("%s, %v", body, err)
	}
	return out.Judgements
}

func programs(from, to int) (list []sandbox.Program) {
	for i := from; i < to; i++ {
		list = append(list, sandbox.Program{Code: fmt.Sprintf("program %d", i)})
	}
	return list
}

// kept waits until a hub holds so many verdicts.
func kept(t *testing.T, js jetstream.JetStream, want uint64) {
	t.Helper()
	soon(t, fmt.Sprintf("there are no %d verdicts", want), func() bool {
		s, err := js.Stream(t.Context(), "deeprepo_verdicts")
		if err != nil {
			t.Fatal(err)
		}
		return s.CachedInfo().State.Msgs >= want
	})
}

// TestVerdictsTravel: a program is judged once, whatever batch it comes in, whoever judged it, and twice in one batch, too.
func TestVerdictsTravel(t *testing.T) {
	h := start(t, 0)
	_, js, _ := raw(t, h, hub.RoleAdmin)
	var box counter
	stop := work(t, h, "one", 2, box.exec)
	batch(t, h, programs(0, 40)...)
	if n := box.total(); n != 40 {
		t.Fatalf("%d programs ran", n)
	}
	kept(t, js, 40)
	stop()
	work(t, h, "two", 2, box.exec)
	cut := slices.Concat(programs(30, 50), programs(10, 20), programs(45, 50)) // another order, ten that nobody knows
	for i, j := range batch(t, h, cut...) {
		if j.Verdict != sandbox.Passed || j.Stdout != cut[i].Code {
			t.Errorf("%s: %+v", cut[i].Code, j)
		}
	}
	if n := box.total(); n != 10 {
		t.Errorf("%d programs ran, of which ten were unknown", n)
	}
	kept(t, js, 50)
	for _, p := range []sandbox.Program{{Code: "program 5", Tests: []sandbox.Test{{Code: "assert f()"}}}, {Code: "program 5", Stdin: "x"},
		{Code: "program 5", Limits: sandbox.Limits{Steps: 5}}, {Code: "program 5", Limits: sandbox.Limits{Wall: time.Second}}} {
		if batch(t, h, p); box.total() != 1 {
			t.Errorf("%+v is taken for another program", p)
		}
	}
	if batch(t, h, programs(5, 6)...); box.total() != 0 {
		t.Error("a known program alone runs again")
	}
}

// TestLiveProgramsRun: what is to run now is taken from no memory, neither that of programs nor that of batches.
func TestLiveProgramsRun(t *testing.T) {
	h := start(t, 0)
	var box counter
	work(t, h, "one", 1, box.exec)
	j := judge(t, h)
	for _, tt := range []struct {
		live bool
		want int
	}{{false, 1}, {true, 1}, {true, 1}, {false, 0}} {
		if _, err := j.Exec(t.Context(), sandbox.Program{Code: "x", Live: tt.live}); err != nil {
			t.Fatal(err)
		}
		if n := box.total(); n != tt.want {
			t.Errorf("live %v: %d programs ran", tt.live, n)
		}
	}
}

// What says nothing about the program, or something about the machine, is not kept.
func TestFaultsAreNoVerdicts(t *testing.T) {
	h := start(t, time.Second)
	_, js, _ := raw(t, h, hub.RoleAdmin)
	box := counter{of: func(p sandbox.Program) sandbox.Judgement {
		j := sandbox.Judgement{Verdict: sandbox.Verdict(p.Code), Steps: p.Limits.Steps}
		if p.Stdin == "slow" {
			j.Steps--
		}
		if p.Stdin == "broken" {
			j.Results = []sandbox.TestResult{{Verdict: sandbox.Failed}, {Verdict: sandbox.InfraError}}
		}
		if p.Stdin == "long" {
			j.Stdout = strings.Repeat("x", 9<<10)
		}
		return j
	}}
	work(t, h, "one", 1, box.exec)
	limits := sandbox.Limits{Steps: 50}
	bad := []sandbox.Program{{Code: string(sandbox.InfraError)}, {Code: string(sandbox.Timeout), Stdin: "slow", Limits: limits},
		{Code: "no such verdict"}, {Code: string(sandbox.Failed), Stdin: "broken"}, {Code: string(sandbox.Failed), Stdin: "long"}}
	good := []sandbox.Program{{Code: string(sandbox.Timeout), Limits: limits}, {Code: string(sandbox.Failed)}}
	batch(t, h, slices.Concat(good, bad)...) // three deliveries; what is settled is known to the second
	kept(t, js, 2)
	if box.ran["failed"] != 1 || box.ran["infra_error"] != fleet.MostDeliveries {
		t.Errorf("%v", box.ran)
	}
	for _, p := range bad {
		if box.total(); len(batch(t, h, p)) != 1 || box.total() == 0 {
			t.Errorf("%s is remembered", p.Code+" "+p.Stdin)
		}
	}
	s, err := js.Stream(t.Context(), "deeprepo_verdicts")
	if err != nil || s.CachedInfo().State.Msgs != 2 {
		t.Errorf("%v: more than two verdicts: %v", err, s.CachedInfo().State)
	}
}

// Whoever may write among the verdicts cannot say what a program is, unless a worker of the fleet signs it.
func TestForgedVerdictsDoNotCount(t *testing.T) {
	h := start(t, 0)
	nc, js, _ := raw(t, h, hub.RoleAdmin)
	worker := signer(t, h.KeyFile(hub.RoleWorker))
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	list := programs(0, 12)
	claim := func(p sandbox.Program, verdict string, key nkeys.KeyPair) *nats.Msg {
		return fleet.Verdict(t, build, p, []byte(`{"Verdict":"`+verdict+`","Stdout":"forged"}`), key)
	}
	honest := claim(list[0], "failed", worker)
	foreign := claim(list[1], "passed", stranger)
	changed := claim(list[2], "failed", worker)
	changed.Data = bytes.Replace(changed.Data, []byte("failed"), []byte("passed"), 1)
	another := claim(sandbox.Program{Code: "easy"}, "passed", worker) // of another program
	another.Subject = claim(list[3], "passed", worker).Subject
	fault := claim(list[4], "infra_error", worker)
	unknown := claim(list[5], "splendid", worker)
	bare := nats.NewMsg(claim(list[6], "passed", worker).Subject)
	bare.Data = []byte(`{"Verdict":"passed","Stdout":"forged"}`)
	broken := fleet.Verdict(t, build, list[7], []byte(`{"Verdict":`), worker)
	late := fleet.Verdict(t, build, list[8], []byte(`{"Verdict":"timeout","Stdout":"forged","Steps":7}`), worker)
	other := fleet.Verdict(t, "another build", list[9], []byte(`{"Verdict":"passed","Stdout":"forged"}`), worker)
	moved := fleet.Verdict(t, "another build", list[10], []byte(`{"Verdict":"passed","Stdout":"forged"}`), worker)
	moved.Subject = claim(list[10], "passed", worker).Subject // where this build looks
	coordinator := claim(list[11], "passed", signer(t, h.KeyFile(hub.RoleCoordinator)))
	for _, m := range []*nats.Msg{honest, foreign, changed, another, fault, unknown, bare, broken, late, other, moved, coordinator} {
		if err := nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
	}
	kept(t, js, 12)
	work(t, h, "one", 1, echo)
	for i, j := range batch(t, h, list...) {
		if forged := j.Stdout == "forged"; forged != (i == 0) {
			t.Errorf("%d: %+v", i, j)
		}
	}
}

// FuzzVerdict: whatever comes from a hub, only what a known worker signed is a verdict.
func FuzzVerdict(f *testing.F) {
	key, err := nkeys.FromRawSeed(nkeys.PrefixByteUser, bytes.Repeat([]byte{7}, 32))
	if err != nil {
		f.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		f.Fatal(err)
	}
	body := []byte(`{"Verdict":"passed"}`)
	good := fleet.Verdict(f, build, sandbox.Program{Code: "x"}, body, key)
	wire := func(m *nats.Msg) (text []byte) {
		for name, values := range m.Header {
			text = fmt.Appendf(text, "%s: %s\n", name, values[0])
		}
		return text
	}
	f.Add(wire(good), body)
	f.Add(wire(good), []byte(`{"Verdict":"failed"}`))
	f.Add([]byte("Deeprepo-Signer: U\nDeeprepo-Signature: AAAA\nDeeprepo-Status: done"), body)
	f.Fuzz(func(t *testing.T, head, data []byte) {
		h := nats.Header{}
		for line := range strings.Lines(string(head)) {
			if name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": "); ok {
				h.Set(name, value)
			}
		}
		name, _, ok := fleet.VerdictOf(h, data, []string{public})
		if ok && (name != good.Header.Get("Deeprepo-Key") || !bytes.Equal(data, body)) {
			t.Errorf("nobody signed %q, %q", head, data)
		}
		if bytes.Equal(data, body) && bytes.Equal(head, wire(good)) && !ok {
			t.Error("the signed one does not count")
		}
	})
}

// BenchmarkKnown is programs that the fleet knows, in batches that it does not.
func BenchmarkKnown(b *testing.B) {
	h := start(b, 0)
	var ran atomic.Int64
	work(b, h, "one", 16, func(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		ran.Add(1)
		time.Sleep(time.Millisecond)
		return echo(ctx, p)
	})
	j := judge(b, h)
	began := time.Now()
	all(b, j, b.N)
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "judged/s")
	again := judge(b, h)
	ran.Store(0)
	b.ResetTimer()
	all(b, again, b.N)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "known/s")
	b.ReportMetric(float64(ran.Load())/float64(b.N), "run-again")
}
