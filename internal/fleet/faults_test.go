package fleet_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// A program that the machines fail on goes to three of them; its neighbours have their verdicts all the same.
func TestAPoisonedProgramIsDeadAloneAndAfterThreeDeliveries(t *testing.T) {
	h := start(t, time.Second)
	var tries atomic.Int64
	box := func(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		if p.Code == "poison" {
			tries.Add(1)
			return sandbox.Judgement{}, errors.New("the interpreter went up in smoke")
		}
		return echo(ctx, p)
	}
	work(t, h, "one", 1, box)
	work(t, h, "two", 1, box)
	j := judge(t, h)
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := j.Exec(t.Context(), sandbox.Program{Code: "poison"})
		dead, ok := errors.AsType[*fleet.DeadError](err)
		if !ok || !strings.Contains(dead.Reason, "up in smoke") {
			t.Errorf("%v", err)
		}
	})
	all(t, j, 60)
	wg.Wait()
	if n := tries.Load(); n < fleet.MostDeliveries || n > 2*fleet.MostDeliveries {
		t.Errorf("tried %d times: %d alone, and as often in company", n, fleet.MostDeliveries)
	}
	before := tries.Load()
	if _, err := j.Exec(t.Context(), sandbox.Program{Code: "poison"}); err == nil || tries.Load() != before {
		t.Errorf("what is dead is dead: %v, tried %d times more", err, tries.Load()-before)
	}
	s, err := dial(t, h, hub.RoleCoordinator).Status(t.Context())
	if err != nil || len(s.Dead) == 0 || !strings.Contains(s.Dead[0].Reason, "up in smoke") || s.Queues[0].Dead == 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A fault's advice comes with it, and says of a key that is missing on which machine.
func TestTheLastFaultsAdviceTravels(t *testing.T) {
	h := start(t, time.Minute)
	offer(t, h, "keyless", func(context.Context, *fleet.Item) (fleet.Output, error) {
		missing := &llm.Error{Kind: llm.KindNotConfigured, Message: "A_KEY is not set", Hints: "export A_KEY"}
		return fleet.Output{}, fmt.Errorf("begin: %w", missing)
	})
	p := resumable(t, h, "run")
	defer p.Close()
	_, err := p.Do(t.Context(), []byte("item"))
	_, dead := errors.AsType[*fleet.DeadError](err)
	if !dead || !strings.Contains(err.Error(), "worker keyless: begin: A_KEY is not set") ||
		!strings.Contains(hint.Of(err), "set it for worker keyless, or start that with --kinds that leave rollout out") {
		t.Errorf("%v; hint %q", err, hint.Of(err))
	}
	offer(t, h, "advisor", func(context.Context, *fleet.Item) (fleet.Output, error) {
		return fleet.Output{}, hint.New("no luck", "try luck")
	})
	for advised := false; !advised; { // keyless takes some, too
		_, err := p.Do(t.Context(), []byte(rand.Text()))
		advised = hint.Of(err) == "try luck"
	}
}

// Where the sandbox fails on one machine, another one judges; where it fails on all, that is said, as on one machine.
func TestASandboxThatFailsIsNoVerdict(t *testing.T) {
	h := start(t, time.Second)
	var tries atomic.Int64
	work(t, h, "one", 1, func(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		n := tries.Add(1)
		if p.Code == "never" || n == 1 {
			return sandbox.Judgement{Verdict: sandbox.InfraError, Error: &sandbox.PyError{Type: "WorkerDied"}}, nil
		}
		return echo(ctx, p)
	})
	j := judge(t, h)
	if got, err := j.Exec(t.Context(), sandbox.Program{Code: "once"}); err != nil || got.Verdict != sandbox.Passed {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := j.Exec(t.Context(), sandbox.Program{Code: "never"})
	if err != nil || got.Verdict != sandbox.InfraError || got.Error.Type != "WorkerDied" {
		t.Errorf("%+v, %v", got, err)
	}
	before := tries.Load()
	if _, err := j.Exec(t.Context(), sandbox.Program{Code: "never"}); err != nil || tries.Load() == before {
		t.Errorf("a fault is not remembered as a result: %v", err)
	}
}

// An item that is done again under its key is not run again: neither a second delivery's nor a later coordinator's.
func TestWhatWasDoneIsRecognised(t *testing.T) {
	h := start(t, time.Second)
	var ran atomic.Int64
	work(t, h, "one", 1, func(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		ran.Add(1)
		return echo(ctx, p)
	})
	for range 2 {
		j := judge(t, h)
		if got, err := j.Exec(t.Context(), sandbox.Program{Code: "x"}); err != nil || got.Stdout != "x" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if ran.Load() != 1 {
		t.Errorf("ran %d times", ran.Load())
	}
}

// What a slow machine's clock ended is not remembered against a program; what its steps ended is.
func TestTimeoutsByTheClockAreNotRemembered(t *testing.T) {
	h := start(t, 0)
	var ran atomic.Int64
	work(t, h, "one", 1, func(_ context.Context, p sandbox.Program) (sandbox.Judgement, error) {
		ran.Add(1)
		j := sandbox.Judgement{Verdict: sandbox.Timeout, Wall: time.Second, Steps: 7}
		switch p.Code {
		case "clock":
			j.Wall = 2 * time.Second
		case "steps":
			j.Steps = p.Limits.Steps + 1
		}
		return j, nil
	})
	for _, tt := range []struct {
		code string
		want int64
	}{{"clock", 2}, {"the tests' own clock", 2}, {"steps", 1}} {
		ran.Store(0)
		for range 2 {
			p := sandbox.Program{Code: tt.code, Limits: sandbox.Limits{Wall: 2 * time.Second, Steps: 50}}
			if got, err := judge(t, h).Exec(t.Context(), p); err != nil || got.Verdict != sandbox.Timeout {
				t.Errorf("%+v, %v", got, err)
			}
		}
		if ran.Load() != tt.want {
			t.Errorf("%s ran %d times, want %d", tt.code, ran.Load(), tt.want)
		}
	}
}

func TestLargePayloadsTravelThroughTheObjectStore(t *testing.T) {
	h := start(t, 0)
	work(t, h, "one", 1, echo)
	j := judge(t, h)
	code := strings.Repeat("x", 3<<20)
	if got, err := j.Exec(t.Context(), sandbox.Program{Code: code}); err != nil || got.Stdout != code {
		t.Errorf("%d bytes came back, %v", len(got.Stdout), err)
	}
}

// raw is a connection that keeps to no rules but the server's.
func raw(t *testing.T, h *hub.Hub, role hub.Role) (*nats.Conn, jetstream.JetStream, string) {
	t.Helper()
	option, err := nats.NkeyOptionFromSeed(h.KeyFile(role))
	if err != nil {
		t.Fatal(err)
	}
	var public string
	nc, err := nats.Connect(h.URL(), option, func(o *nats.Options) error {
		public = o.Nkey
		return nats.CustomInboxPrefix("_INBOX_" + public)(o)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js, public
}

// TestAFleetThatIsBeingSetUpIsWaitedFor: what says what it is comes last, and later yet at a hub that is behind.
func TestAFleetThatIsBeingSetUpIsWaitedFor(t *testing.T) {
	h := start(t, 0)
	_, js, _ := raw(t, h, hub.RoleAdmin)
	state, err := js.KeyValue(t.Context(), "deeprepo_state")
	if err != nil {
		t.Fatal(err)
	}
	entry, err := state.Get(t.Context(), "fleet")
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Delete(t.Context(), "fleet"); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(300*time.Millisecond, func() {
		if _, err := state.Put(context.Background(), "fleet", entry.Value()); err != nil {
			t.Error(err)
		}
	})
	dial(t, h, hub.RoleCoordinator)
}

// overheard has a program judged while somebody listens to what is sent: its items, and in the end its judgement.
func overheard(t *testing.T, h *hub.Hub, j *fleet.Judge) (nc *nats.Conn, js jetstream.JetStream, seen chan *nats.Msg,
	got chan sandbox.Judgement) {
	t.Helper()
	nc, js, _ = raw(t, h, hub.RoleAdmin)
	seen = make(chan *nats.Msg, 1)
	if _, err := nc.Subscribe("deeprepo.work.>", func(m *nats.Msg) { seen <- m }); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	got = make(chan sandbox.Judgement, 1)
	go func() {
		r, err := j.Exec(t.Context(), sandbox.Program{Code: "mine"})
		if err != nil {
			t.Error(err)
		}
		got <- r
	}()
	return nc, js, seen, got
}

// Somebody who may speak as a worker, but was not handed the item, claims its result on the very subject where the
// coordinator listens: what is not proven with the item's token does not count.
func TestForgedResultsDoNotCount(t *testing.T) {
	h := start(t, 0)
	j := judge(t, h)
	nc, js, seen, got := overheard(t, h, j)
	item := <-seen
	stranger, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	worker := signer(t, h.KeyFile(hub.RoleWorker))
	claim := []byte(`{"judgements":[{"Verdict":"passed","Stdout":"forged"}]}`)
	forgeries := []*nats.Msg{
		fleet.Sealed(t, item, claim, "not the token", worker),                     // signed, not held
		fleet.Sealed(t, item, claim, item.Header.Get("Deeprepo-Token"), stranger), // held, not ours
		{Header: nats.Header{"Deeprepo-Key": {item.Header.Get("Deeprepo-Key")}}, Data: claim},
	}
	changed := fleet.Sealed(t, item, []byte(`{}`), item.Header.Get("Deeprepo-Token"), worker)
	changed.Data = claim // another body than was signed
	for _, m := range append(forgeries, changed) {
		m.Subject = item.Header.Get("Deeprepo-Reply")
		if err := nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
		m.Subject = "deeprepo.result.judge." + item.Header.Get("Deeprepo-Key")
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case r := <-got:
		t.Fatalf("a forged result counts: %+v", r)
	case <-time.After(3 * time.Second): // the coordinator has looked into the stream, too
	}
	if n := j.Pool().Forged(); n < 4 {
		t.Errorf("%d forgeries were seen", n)
	}
	work(t, h, "honest", 1, echo)
	if r := <-got; r.Stdout != "mine" {
		t.Errorf("%+v", r)
	}
}

// A worker may take items and store results; it may not send items, hear what others are sent, or change what a fleet is.
func TestRolesKeepToTheirSubjects(t *testing.T) {
	h := start(t, 0)
	for _, c := range []struct {
		role          hub.Role
		publish, hear string
		allowed       bool
	}{
		{hub.RoleWorker, "deeprepo.work.judge.run.key", "", false},
		{hub.RoleWorker, "$KV.deeprepo_state.fleet", "", false},
		{hub.RoleWorker, "$KV.deeprepo_orders.somebody", "", false},
		{hub.RoleWorker, "$JS.API.STREAM.DELETE.deeprepo_results", "", false},
		{hub.RoleWorker, "$JS.API.STREAM.PURGE.deeprepo_work", "", false},
		{hub.RoleWorker, "$JS.API.STREAM.MSG.GET.deeprepo_work", "", false},
		{hub.RoleWorker, "$JS.API.CONSUMER.CREATE.deeprepo_work.mine", "", false},
		{hub.RoleWorker, "deeprepo.result.judge.key", "", true},
		{hub.RoleWorker, "deeprepo.verdict.key", "", true},
		{hub.RoleWorker, "", "deeprepo.verdict.>", false},
		{hub.RoleCoordinator, "deeprepo.verdict.key", "", false},
		{hub.RoleCoordinator, "$JS.API.DIRECT.GET.deeprepo_verdicts", "", false},
		{hub.RoleWorker, "", "deeprepo.work.>", false},
		{hub.RoleWorker, "", "deeprepo.done.*", false},
		{hub.RoleWorker, "", "_INBOX.>", false},
		{hub.RoleCoordinator, "deeprepo.result.judge.key", "", false},
		{hub.RoleCoordinator, "$KV.deeprepo_workers.one", "", false},
		{hub.RoleCoordinator, "$JS.API.CONSUMER.MSG.NEXT.deeprepo_work.judge", "", false},
		{hub.RoleCoordinator, "$JS.API.STREAM.DELETE.deeprepo_work", "", false},
		{hub.RoleCoordinator, "deeprepo.work.judge.run.key", "", true},
		{hub.RoleCoordinator, "", "_INBOX.>", false},
	} {
		t.Run(fmt.Sprint(c.role, c.publish, c.hear), func(t *testing.T) {
			nc, _, _ := raw(t, h, c.role)
			refused := make(chan error, 4)
			nc.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err })
			if c.publish != "" {
				if err := nc.Publish(c.publish, []byte("{}")); err != nil {
					t.Fatal(err)
				}
			} else if _, err := nc.SubscribeSync(c.hear); err != nil {
				t.Fatal(err)
			}
			if err := nc.Flush(); err != nil {
				t.Fatal(err)
			}
			var err error
			select {
			case err = <-refused:
			case <-time.After(100 * time.Millisecond):
			}
			if allowed := !errors.Is(err, nats.ErrPermissionViolation); allowed != c.allowed {
				t.Errorf("allowed: %v, want %v (%v)", allowed, c.allowed, err)
			}
		})
	}
}

func signer(t *testing.T, file string) nkeys.KeyPair {
	t.Helper()
	seed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	key, err := nkeys.ParseDecoratedNKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
