package fleet_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
)

// added gives a worker a key of its own, in a copy that outlives its removal.
func added(t *testing.T, store, name string) (key string) {
	t.Helper()
	file, err := hub.AddWorker(store, "", name)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	key = filepath.Join(t.TempDir(), name+".nk")
	if err := os.WriteFile(key, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	return key
}

func soon(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

// A hub that runs takes up workers' keys that are added, and puts out who has one that is removed: its results count no more, and
// nobody else notices.
func TestWorkersKeysComeAndGo(t *testing.T) {
	reloads(t)
	store := t.TempDir()
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: build, AckWait: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	j := judge(t, h) // from before there was any of these keys
	var trouble [2]atomic.Int64
	var keys [2]string
	var conns [2]*fleet.Conn
	for i, name := range []string{"one", "two"} {
		keys[i] = added(t, store, name)
		soon(t, "the hub does not take up a key", func() bool {
			conns[i], err = fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: keys[i], Build: build,
				Trouble: func(string) { trouble[i].Add(1) }})
			return err == nil
		})
		t.Cleanup(conns[i].Close)
	}
	works := func(i int) (stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() {
			ended <- conns[i].Work(ctx, fleet.Work{Name: []string{"one", "two"}[i], Slots: 1,
				Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(boxFunc(echo))}})
		}()
		return func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	stop := works(0)
	all(t, j, 20)
	stop()
	if n := j.Pool().Forged(); n != 0 {
		t.Errorf("%d results of a new key did not count at first", n)
	}

	nc, js, seen, got := overheard(t, h, j)
	ended := make(chan error, 1)
	go func() { // it does other kinds
		ended <- conns[0].Work(t.Context(), fleet.Work{Name: "one", Slots: 1, Handlers: map[fleet.Kind]fleet.Handler{fleet.KindReview: nil}})
	}()
	item := <-seen // the key's holder has it, and says so only when the key is gone
	if err := hub.RemoveWorker(store, "", "one"); err != nil {
		t.Fatal(err)
	}
	soon(t, "the holder of a removed key stays", func() bool { return trouble[0].Load() > 0 })
	soon(t, "the holder of a removed key comes again", func() bool {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: keys[0], Build: build})
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	time.Sleep(2 * fleet.SignersAge)
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "does not know the key") {
			t.Errorf("%v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("its worker does not end")
	}
	late := fleet.Sealed(t, item, []byte(`{"judgements":[{"Verdict":"passed","Stdout":"late"}]}`), item.Header.Get("Deeprepo-Token"),
		signer(t, keys[0]))
	late.Subject = item.Header.Get("Deeprepo-Reply")
	if err := nc.PublishMsg(late); err != nil {
		t.Fatal(err)
	}
	late.Subject = "deeprepo.result.judge." + item.Header.Get("Deeprepo-Key")
	if _, err := js.PublishMsg(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	soon(t, "what a removed key signed is no forgery", func() bool { return j.Pool().Forged() > 0 })
	stop = works(1)
	if r := <-got; r.Stdout != "mine" {
		t.Errorf("%+v", r)
	}
	stop()
	if trouble[1].Load() != 0 {
		t.Error("another worker was disconnected, too")
	}
}

func TestWorkersKeysAreFiles(t *testing.T) {
	reloads(t)
	store := t.TempDir()
	if _, err := hub.AddWorker(store, "", "one"); err == nil || !strings.Contains(err.Error(), "no hub was started here") {
		t.Errorf("no hub: %v", err)
	}
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: build, Tenants: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	file, err := hub.AddWorker(store, "b", "one")
	if err != nil || file != filepath.Join(store, "keys", "b", "workers", "one.nk") {
		t.Fatalf("%s, %v", file, err)
	}
	soon(t, "the hub does not take up a tenant's key", func() bool {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: file, Build: build})
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	if names, err := hub.Workers(store, "b"); err != nil || len(names) != 1 || names["one"] == "" {
		t.Errorf("%v, %v", names, err)
	}
	for _, name := range []string{"one", "../one", ""} {
		if _, err := hub.AddWorker(store, "b", name); err == nil || hint.Of(err) == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"two", "../../admin", "../worker"} {
		if err := hub.RemoveWorker(store, "b", name); err == nil || hint.Of(err) == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
	h.Close()
	if err := os.WriteFile(filepath.Join(store, "keys", "b", "workers", "bad.nk"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: build, Tenants: []string{"a", "b"}}); err == nil {
		h.Close()
		t.Error("a file that holds no key")
	}
}
