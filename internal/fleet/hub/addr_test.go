package hub_test

import (
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
)

func TestAPlaceThatIsTakenIsSaidAtOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken, store := l.Addr().String(), t.TempDir()
	first, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	began, other := time.Now(), t.TempDir()
	for want, c := range map[string]hub.Config{
		"cannot listen on " + taken:         {Addr: taken, Store: other},
		"cannot listen on " + taken + ":":   {Addr: "127.0.0.1:0", Monitor: taken, Store: other},
		"no address for other hubs":         {Addr: "127.0.0.1:0", Store: other, Cluster: &hub.Cluster{Name: "a", Addr: taken, Routes: []string{"b:1", "c:1"}}},
		"another hub uses " + store:         {Addr: "127.0.0.1:0", Store: store},
		`"4222" is no address`:              {Addr: "4222", Store: other},
		"a hub of a cluster needs a name":   {Addr: "127.0.0.1:0", Store: other, Cluster: &hub.Cluster{Addr: ports(t, 1)[0]}},
		"a cluster of 2 hubs":               {Addr: "127.0.0.1:0", Store: other, Cluster: &hub.Cluster{Name: "a", Addr: ports(t, 1)[0], Routes: []string{"a:1", "a.x:1", "b:1"}}},
		"is no other hub's address":         {Addr: "127.0.0.1:0", Store: other, Cluster: &hub.Cluster{Name: "a", Addr: ports(t, 1)[0], Routes: []string{"b", "c"}}},
		"is no address for other hubs\n\"x": {Addr: "127.0.0.1:0", Store: other, Cluster: &hub.Cluster{Name: "a", Addr: "x"}},
	} {
		c.Build = "b"
		h, err := hub.Start(t.Context(), c)
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || hint.Of(err) == "" {
			t.Errorf("%s: %v", want, err)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("only after %v", took)
	}
	// Nothing of all that keeps the store.
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: other, Build: "b"})
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
}

// KEDA's scaler asks /jsz for the consumer of a stream in account $G, and adds up what waits and what runs.
func TestAnAutoscalerSeesTheQueue(t *testing.T) {
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Monitor: "127.0.0.1:0", Store: t.TempDir(), Build: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	c, err := h.Dial(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	pool, err := c.Pool(fleet.KindJudge)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range []string{"one", "two", "three"} {
		go func() { _, _ = pool.Do(t.Context(), []byte(item)) }() // nobody works: it ends with the pool
	}
	lag := func() int {
		answer, err := http.Get(h.Monitor() + "/jsz?acc=$G&consumers=true&config=true")
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var jsz struct {
			Accounts []struct {
				Name    string `json:"name"`
				Streams []struct {
					Name      string `json:"name"`
					Consumers []struct {
						Name       string `json:"name"`
						Pending    int    `json:"num_pending"`
						AckPending int    `json:"num_ack_pending"`
					} `json:"consumer_detail"`
				} `json:"stream_detail"`
			} `json:"account_details"`
		}
		if err := json.NewDecoder(answer.Body).Decode(&jsz); err != nil {
			t.Fatal(err)
		}
		for _, a := range jsz.Accounts {
			for _, s := range a.Streams {
				for _, c := range s.Consumers {
					if a.Name == "$G" && s.Name == "deeprepo_work" && c.Name == "judge" {
						return c.Pending + c.AckPending
					}
				}
			}
		}
		return -1
	}
	for deadline := time.Now().Add(10 * time.Second); lag() != 3; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the autoscaler sees %d items", lag())
		}
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}
