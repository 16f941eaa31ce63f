package hub_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

func startFor(t *testing.T, store string, tenants ...string) *hub.Hub {
	t.Helper()
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: "b", Tenants: tenants})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// role is the key in a role's file.
func role(t *testing.T, h *hub.Hub, tenant string, r hub.Role) nkeys.KeyPair {
	t.Helper()
	seed, err := bounded.ReadFile(h.KeyFileOf(tenant, r), 4096)
	if err != nil {
		t.Fatal(err)
	}
	key, err := nkeys.ParseDecoratedNKey(seed)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func public(t *testing.T, key nkeys.KeyPair) string {
	t.Helper()
	text, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// raw is a connection that keeps to no rules but the server's.
func raw(t *testing.T, h *hub.Hub, key nkeys.KeyPair) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	nc, err := nats.Connect(h.URL(), nats.Nkey(public(t, key), key.Sign), nats.CustomInboxPrefix("_INBOX_"+public(t, key)),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // what is not allowed is part of the tests
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return nc, js
}

// everywhere has a message in each stream and bucket of a fleet.
var everywhere = map[string]string{
	"deeprepo_work": "deeprepo.work.rollout.run.k", "deeprepo_results": "deeprepo.result.judge.k", "deeprepo_dead": "deeprepo.dead.judge.k",
	"deeprepo_journal": "deeprepo.journal.judge.k", "deeprepo_replies": "deeprepo.reply.k", "deeprepo_verdicts": "deeprepo.verdict.k",
	"KV_deeprepo_money": "$KV.deeprepo_money.k", "KV_deeprepo_workers": "$KV.deeprepo_workers.k",
	"KV_deeprepo_orders": "$KV.deeprepo_orders.k", "OBJ_deeprepo_payloads": "$O.deeprepo_payloads.C.k",
}

// held is how many messages there are of a tenant, but for what the hub says of itself.
func held(t *testing.T, js jetstream.JetStream) map[string]uint64 {
	t.Helper()
	all := map[string]uint64{}
	streams := js.ListStreams(t.Context())
	for info := range streams.Info() {
		if info.Config.Name != "KV_deeprepo_state" && info.State.Msgs > 0 {
			all[info.Config.Name] = info.State.Msgs
		}
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// works starts a worker of a tenant, which says what it was given.
func works(t *testing.T, h *hub.Hub, tenant string, saw func(string)) {
	t.Helper()
	c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: h.KeyFileOf(tenant, hub.RoleWorker), Build: "b"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- c.Work(ctx, fleet.Work{Name: "one", Slots: 2,
			Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(spy(saw))}})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		c.Close()
	})
}

type spy func(string)

func (s spy) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	s(p.Code)
	return echo{}.Exec(ctx, p)
}

// judged has a tenant's fleet judge n programs, one of which needs the object store.
func judged(t *testing.T, h *hub.Hub, tenant string, n int) {
	t.Helper()
	c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: h.KeyFileOf(tenant, hub.RoleCoordinator), Build: "b"})
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	j, err := c.Judge()
	if err != nil {
		t.Error(err)
		return
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			code := fmt.Sprint(tenant, " ", i)
			if i == 0 {
				code += strings.Repeat("x", 1<<20)
			}
			if got, err := j.Exec(t.Context(), sandbox.Program{Code: code}); err != nil || got.Stdout != code {
				t.Errorf("%.9s: %.20q, %v", code, got.Stdout, err)
			}
		})
	}
	wg.Wait()
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// Whoever is let in as a tenant's, even with all rights there are in its account, hears and reads nothing of another tenant.
func TestATenantSeesNothingOfAnother(t *testing.T) {
	h := startFor(t, t.TempDir(), "a", "b")
	var heard, control atomic.Int64
	strangers := map[string]nkeys.KeyPair{"admin": h.Admin("a"), "coordinator": role(t, h, "a", hub.RoleCoordinator),
		"worker": role(t, h, "a", hub.RoleWorker)}
	listen := func(key nkeys.KeyPair, heard *atomic.Int64) {
		nc, _ := raw(t, h, key)
		for _, subject := range []string{">", "deeprepo.>", "deeprepo.done.*", "deeprepo.stop.*", "$KV.>", "$O.>", "$JS.>", "$SYS.>", "_INBOX.>",
			"_INBOX_" + public(t, role(t, h, "b", hub.RoleCoordinator)) + ".>", "_INBOX_" + public(t, role(t, h, "b", hub.RoleWorker)) + ".>"} {
			if _, err := nc.Subscribe(subject, func(*nats.Msg) { heard.Add(1) }); err != nil {
				t.Fatal(err)
			}
		}
		if err := nc.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range strangers {
		listen(key, &heard)
	}
	listen(h.Admin("b"), &control)
	_, b := raw(t, h, h.Admin("b"))
	for _, subject := range everywhere {
		if _, err := b.Publish(t.Context(), subject, []byte("secret")); err != nil {
			t.Fatal(err)
		}
	}
	works(t, h, "b", func(string) {})
	judged(t, h, "b", 20)
	if heard.Load() != 0 || control.Load() == 0 {
		t.Errorf("another tenant hears %d messages; the tenant itself %d", heard.Load(), control.Load())
	}
	ask := func(key nkeys.KeyPair) (n int) {
		nc, _ := raw(t, h, key)
		for stream, subject := range everywhere {
			for _, question := range []*nats.Msg{
				{Subject: "$JS.API.DIRECT.GET." + stream + "." + subject},
				{Subject: "$JS.API.DIRECT.GET." + stream, Data: []byte(`{"last_by_subj":"` + subject + `"}`)},
			} {
				answer, err := nc.RequestMsg(question, 100*time.Millisecond) // what is not allowed has no answer
				if err == nil && string(answer.Data) == "secret" {
					n++
				}
			}
		}
		return n
	}
	for name, key := range strangers {
		if n := ask(key); n != 0 {
			t.Errorf("another tenant's %s reads %d messages", name, n)
		}
	}
	if n := ask(h.Admin("b")); n != 2*len(everywhere) {
		t.Errorf("the tenant itself reads %d messages", n)
	}
	_, a := raw(t, h, h.Admin("a"))
	if got := held(t, a); len(got) != 0 {
		t.Errorf("another tenant's streams: %v", got)
	}
	if got := held(t, b); len(got) != len(everywhere) {
		t.Errorf("the tenant's own streams: %v", got)
	}
	own, err := h.Dial(t.Context(), "b") // of the first tenant
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if s, err := own.Status(t.Context()); err != nil || len(s.Workers) != 0 {
		t.Errorf("another tenant's list of workers: %+v, %v", s.Workers, err)
	}
}

// Whatever somebody does with all rights in one account, another tenant's items, results, money and workers stay as they are.
func TestATenantChangesNothingOfAnother(t *testing.T) {
	h := startFor(t, t.TempDir(), "a", "b")
	_, b := raw(t, h, h.Admin("b"))
	for _, subject := range everywhere {
		if _, err := b.Publish(t.Context(), subject, []byte("b's")); err != nil {
			t.Fatal(err)
		}
	}
	before := held(t, b)
	nc, a := raw(t, h, h.Admin("a"))
	for stream, subject := range everywhere {
		if _, err := a.Publish(t.Context(), subject, []byte("a's")); err != nil {
			t.Fatal(err)
		}
		if err := a.DeleteStream(t.Context(), stream); err != nil {
			t.Error(err)
		}
		if err := nc.Publish(subject, []byte("a's")); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	if after := held(t, b); len(before) != len(everywhere) || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Fatalf("%v\n%v", before, after)
	}
	for stream, subject := range everywhere {
		s, err := b.Stream(t.Context(), stream)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := s.GetLastMsgForSubject(t.Context(), subject); err != nil || string(m.Data) != "b's" {
			t.Errorf("%s: %+v, %v", subject, m, err)
		}
	}
	works(t, h, "b", func(string) {})
	judged(t, h, "b", 5)
}

// Workers of one name, in two tenants, work at the same time, and each for its own. What was stored is there after a restart.
func TestTenantsWorkAtTheSameTime(t *testing.T) {
	store := t.TempDir()
	h := startFor(t, store, "a", "b")
	for _, tenant := range []string{"a", "b"} {
		works(t, h, tenant, func(code string) {
			if !strings.HasPrefix(code, tenant+" ") {
				t.Errorf("%s's worker was given %.9q", tenant, code)
			}
		})
	}
	var wg sync.WaitGroup
	for _, tenant := range []string{"a", "b"} {
		wg.Go(func() { judged(t, h, tenant, 200) })
	}
	wg.Wait()
	_, js := raw(t, h, h.Admin("b"))
	before := held(t, js)["deeprepo_results"]
	h.Close()
	h = startFor(t, store, "a", "b")
	if _, js = raw(t, h, h.Admin("b")); before == 0 || held(t, js)["deeprepo_results"] != before {
		t.Errorf("%d results before the restart, and %v after it", before, held(t, js))
	}
}

// No tenant may fill the hub's disk: together they have what the hub may take.
func TestTenantsShareTheDisk(t *testing.T) {
	h := startFor(t, t.TempDir(), "a", "b", "c")
	var sum int64
	for _, tenant := range []string{"a", "b", "c"} {
		_, js := raw(t, h, h.Admin(tenant))
		info, err := js.AccountInfo(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.Limits.MaxStore <= 0 || info.Limits.MaxMemory <= 0 {
			t.Errorf("%s: %+v", tenant, info.Limits)
		}
		sum += info.Limits.MaxStore
	}
	if sum > 64<<30 || sum < 63<<30 {
		t.Errorf("%d bytes for all", sum)
	}
}

func TestTenantsKeys(t *testing.T) {
	store := t.TempDir()
	alone := startFor(t, store)
	pool := alone.KeyFile(hub.RoleWorker)
	alone.Close()
	h := startFor(t, store, "a", "b")
	file := h.KeyFileOf("b", hub.RoleWorker)
	if file != filepath.Join(store, "keys", "b", "worker.nk") {
		t.Errorf("%s", file)
	}
	if _, err := os.Stat(h.KeyFileOf("b", hub.RoleAdmin)); err == nil {
		t.Error("a tenant's admin has a key on disk")
	}
	for _, old := range []string{pool, alone.KeyFile(hub.RoleCoordinator), alone.KeyFile(hub.RoleAdmin)} {
		if c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: old, Build: "b"}); err == nil {
			c.Close()
			t.Errorf("a hub with tenants lets in %s", old)
		}
	}
	h.Close()
	key, err := bounded.ReadFile(file, 4096)
	if err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]hub.Config{
		`"B" is no tenant's name`:              {Tenants: []string{"B"}},
		`"" is no tenant's name`:               {Tenants: []string{""}},
		`"../x" is no tenant's name`:           {Tenants: []string{"../x"}},
		`"workers" is no tenant's name`:        {Tenants: []string{"workers"}},
		`"a" is no tenant's name, or there`:    {Tenants: []string{"a", "a"}},
		"two roles or tenants have one key: U": {Tenants: []string{"a", "b", "thief"}},
		"new/coordinator.nk":                   {Tenants: []string{"a", "new"}, Cluster: &hub.Cluster{Name: "x", Addr: ports(t, 1)[0], Routes: ports(t, 2)}},
	} {
		if err := os.MkdirAll(filepath.Join(store, "keys", "thief"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(store, "keys", "thief", "worker.nk"), key, 0o600); err != nil {
			t.Fatal(err)
		}
		c.Addr, c.Store, c.Build = "127.0.0.1:0", store, "b"
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // a cluster would wait for its other hubs
		h, err := hub.Start(ctx, c)
		cancel()
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || hint.Of(err) == "" {
			t.Errorf("%s: %v", want, err)
		}
	}
}
