package fleet_test

import (
	"context"
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
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// dialFile connects with the key in a file, as soon as the hub knows it.
func dialFile(t *testing.T, h *hub.Hub, file string) (c *fleet.Conn) {
	t.Helper()
	soon(t, "the hub does not know "+file, func() bool {
		var err error
		c, err = fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: file, Build: build})
		return err == nil
	})
	t.Cleanup(c.Close)
	return c
}

// shutOut checks that somebody ended soon, and says why.
func shutOut(t *testing.T, who string, ended <-chan error) {
	t.Helper()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "does not know the key") || hint.Of(err) == "" {
			t.Errorf("%s: %v", who, err)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("%s does not end", who)
	}
}

// reloads skips a test in which a busy hub takes up keys, where the race detector is on (which CI runs with -short): the server
// itself reads its options unguarded then (nats-server v2.15.2, stream.getDirectRequest).
func reloads(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nats-server races with its own reload: go test ./internal/fleet without -short and -race runs this")
	}
}

// A worker whose key was removed while its fleet is busy ends and says why; the others do what it had, and nobody else notices.
func TestAWorkerWithoutItsKeyEnds(t *testing.T) {
	t.Parallel()
	reloads(t)
	for _, tenant := range []string{"", "a"} {
		t.Run("tenant "+tenant, func(t *testing.T) {
			var tenants []string
			if tenant != "" {
				tenants = []string{tenant, "other"}
			}
			store := t.TempDir()
			h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: build, AckWait: 2 * time.Second, Tenants: tenants})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(h.Close)
			var workers sync.WaitGroup
			t.Cleanup(workers.Wait)
			ctx, stop := context.WithCancel(context.Background())
			t.Cleanup(stop)
			ended := map[string]chan error{}
			for _, name := range []string{"one", "two"} {
				file, err := hub.AddWorker(store, tenant, name)
				if err != nil {
					t.Fatal(err)
				}
				c := dialFile(t, h, file)
				end := make(chan error, 1)
				ended[name] = end
				workers.Go(func() {
					end <- c.Work(ctx, fleet.Work{Name: name, Slots: 2,
						Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(boxFunc(echo))}})
				})
			}
			j, err := dialFile(t, h, h.KeyFileOf(tenant, hub.RoleCoordinator)).Judge()
			if err != nil {
				t.Fatal(err)
			}
			over, busy := make(chan struct{}), sync.WaitGroup{}
			var done atomic.Int64
			for i := range 20 {
				busy.Go(func() {
					for n := 0; ; n++ {
						select {
						case <-over:
							return
						default:
						}
						code := fmt.Sprint(i, " ", n)
						if got, err := j.Exec(t.Context(), sandbox.Program{Code: code}); err != nil || got.Stdout != code {
							t.Errorf("%s: %q, %v", code, got.Stdout, err)
						}
						done.Add(1)
					}
				})
			}
			if err := hub.RemoveWorker(store, tenant, "one"); err != nil {
				t.Fatal(err)
			}
			shutOut(t, "the worker without its key", ended["one"])
			before := done.Load()
			soon(t, "the other worker does nothing", func() bool { return done.Load() > before+100 })
			close(over)
			busy.Wait()
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			stop()
			if err := <-ended["two"]; err != nil {
				t.Errorf("the other worker: %v", err)
			}
		})
	}
}

// A coordinator that waits while the hub came back with other keys ends and says why.
func TestACoordinatorWithoutItsKeyEnds(t *testing.T) {
	store, addr := t.TempDir(), "127.0.0.1:0"
	open := func() *hub.Hub {
		h, err := hub.Start(t.Context(), hub.Config{Addr: addr, Store: store, Build: build})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.Close)
		return h
	}
	h := open()
	addr = strings.TrimPrefix(h.URL(), "nats://")
	j, err := dialFile(t, h, h.KeyFile(hub.RoleCoordinator)).Judge()
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() {
		_, err := j.Exec(t.Context(), sandbox.Program{Code: "nobody works"})
		waits <- err
	}()
	h.Close()
	if err := os.Remove(h.KeyFile(hub.RoleCoordinator)); err != nil {
		t.Fatal(err)
	}
	open()
	shutOut(t, "the coordinator without its key", waits)
}
