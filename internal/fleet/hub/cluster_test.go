package hub_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// ports are free ones on this machine.
func ports(t *testing.T, n int) []string {
	t.Helper()
	var addrs []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs
}

// cluster is three hubs in this process.
type cluster struct {
	t        *testing.T
	with     hub.Config // but for what each has of its own
	dirs     []string
	clients  []string
	routes   []string
	hubs     []*hub.Hub
	starting sync.WaitGroup
}

func (c *cluster) start(i int) {
	c.starting.Go(func() {
		with := c.with
		with.Addr, with.Store, with.AckWait, with.Build, with.Version = c.clients[i], c.dirs[i], 2*time.Second, "b", "v"
		with.Cluster = &hub.Cluster{Name: fmt.Sprint("hub", i), Addr: c.routes[i], Routes: slices.Delete(slices.Clone(c.routes), i, i+1)}
		h, err := hub.Start(c.t.Context(), with)
		if err != nil {
			c.t.Error(err)
			return
		}
		c.hubs[i] = h
	})
}

func newCluster(t *testing.T, with hub.Config) *cluster {
	c := &cluster{t: t, with: with, clients: ports(t, 3), routes: ports(t, 3), hubs: make([]*hub.Hub, 3)}
	first, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: filepath.Join(t.TempDir(), "keys"), Build: "b",
		Tenants: with.Tenants})
	if err != nil {
		t.Fatal(err)
	}
	keys := filepath.Dir(first.KeyFile(hub.RoleAdmin))
	first.Close()
	for i := range 3 {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "keys"), os.DirFS(keys)); err != nil {
			t.Fatal(err)
		}
		c.dirs = append(c.dirs, dir)
		c.start(i)
	}
	c.starting.Wait()
	t.Cleanup(func() {
		for _, h := range c.hubs {
			if h != nil {
				h.Close()
			}
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	return c
}

func (c *cluster) dial(role hub.Role) *fleet.Conn {
	c.t.Helper()
	conn, err := fleet.Dial(c.t.Context(), fleet.Options{URL: "nats://" + strings.Join(c.clients, ",nats://"), CAFile: c.with.CAFile,
		KeyFile: c.hubs[0].KeyFile(role), Build: "b", Version: "v"})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(conn.Close)
	return conn
}

type echo struct{}

func (echo) Exec(_ context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	time.Sleep(5 * time.Millisecond)
	return sandbox.Judgement{Verdict: sandbox.Passed, Stdout: p.Code}, nil
}

// Each of three hubs is lost in mid-run, one after the other, and comes back.
func TestAClusterSurvivesTheLossOfAnyHub(t *testing.T) {
	c := newCluster(t, hub.Config{})
	worker := c.dial(hub.RoleWorker)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Work(ctx, fleet.Work{Name: "one", Slots: 2,
			Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(echo{})}})
	}()
	j, err := c.dial(hub.RoleCoordinator).Judge()
	if err != nil {
		t.Fatal(err)
	}
	var judged sync.Map
	round := func(from, to int) {
		var wg sync.WaitGroup
		for n := from; n < to; n++ {
			wg.Go(func() {
				code := fmt.Sprint(n)
				got, err := j.Exec(t.Context(), sandbox.Program{Code: code})
				if _, twice := judged.LoadOrStore(code, true); err != nil || got.Stdout != code || twice {
					t.Errorf("%s: %+v, %v, twice: %v", code, got, err, twice)
				}
			})
		}
		wg.Wait()
	}
	round(0, 100)
	for i := range 3 {
		lost := make(chan struct{})
		go func() {
			defer close(lost)
			time.Sleep(100 * time.Millisecond)
			c.hubs[i].Close()
		}()
		round(100*(i+1), 100*(i+2))
		<-lost
		c.start(i)
		c.starting.Wait()
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A tenant's worker at one hub of a cluster and its coordinator at another find each other, and no other tenant.
func TestTenantsOfACluster(t *testing.T) {
	c := newCluster(t, hub.Config{Tenants: []string{"a", "b"}})
	var wg sync.WaitGroup
	for _, tenant := range c.with.Tenants {
		works(t, c.hubs[0], tenant, func(code string) {
			if !strings.HasPrefix(code, tenant+" ") {
				t.Errorf("%s's worker was given %.9q", tenant, code)
			}
		})
		wg.Go(func() { judged(t, c.hubs[2], tenant, 20) })
	}
	wg.Wait()
	_, js := raw(t, c.hubs[1], c.hubs[1].Admin("b"))
	info, err := js.AccountInfo(t.Context())
	if err != nil || info.Limits.MaxStore != 3*64<<30/2 { // of three hubs together
		t.Errorf("%+v, %v", info, err)
	}
	s, err := js.Stream(t.Context(), "deeprepo_results")
	if err != nil || s.CachedInfo().Config.Replicas != 3 || s.CachedInfo().State.Msgs == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	// A worker's own key is taken up by each hub that has the file, while they run.
	file, err := hub.AddWorker(c.dirs[0], "b", "new")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 3; i++ {
		if err := os.CopyFS(filepath.Join(c.dirs[i], "keys", "b", "workers"), os.DirFS(filepath.Dir(file))); err != nil {
			t.Fatal(err)
		}
	}
	for i, deadline := 0, time.Now().Add(20*time.Second); i < 3; time.Sleep(20 * time.Millisecond) {
		conn, err := fleet.Dial(t.Context(), fleet.Options{URL: c.hubs[i].URL(), KeyFile: file, Build: "b", Version: "v"})
		switch {
		case err == nil:
			conn.Close()
			i++
		case time.Now().After(deadline):
			t.Fatalf("hub %d: %v", i, err)
		}
	}
	judged(t, c.hubs[1], "b", 20)
}
