package fleet_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// A verdict counts for as long as the hub knows the key that signed it, and at no other tenant.
func TestVerdictsGoWithTheirKeys(t *testing.T) {
	reloads(t)
	store := t.TempDir()
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: store, Build: build, Tenants: []string{"red", "blue"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	connect := func(key string) *fleet.Conn {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: key, Build: build})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	file, err := hub.AddWorker(store, "red", "one")
	if err != nil {
		t.Fatal(err)
	}
	one := signer(t, file)
	soon(t, "the hub does not take up a key", func() bool {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: file, Build: build})
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	worker := h.KeyFileOf("red", hub.RoleWorker)
	option, err := nats.NkeyOptionFromSeed(worker)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(h.URL(), option)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	claim := func(code string, key nkeys.KeyPair) {
		p := sandbox.Program{Code: code}
		if err := nc.PublishMsg(fleet.Verdict(t, build, p, []byte(`{"Verdict":"failed","Stdout":"remembered"}`), key)); err != nil {
			t.Fatal(err)
		}
	}
	claim("common", signer(t, worker))
	claim("own", one)
	claim("foreign", signer(t, h.KeyFileOf("blue", hub.RoleWorker)))
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, tenant := range []string{"red", "blue"} {
		c := connect(h.KeyFileOf(tenant, hub.RoleWorker))
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() {
			ended <- c.Work(ctx, fleet.Work{Name: tenant, Slots: 1,
				Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(boxFunc(echo))}})
		}()
		t.Cleanup(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
	// remembered judges a program in a batch of its own: with, so that no earlier batch is this one.
	remembered := func(tenant, code, with string) bool {
		j, err := connect(h.KeyFileOf(tenant, hub.RoleCoordinator)).Pool(fleet.KindJudge)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		return batchOf(t, j, sandbox.Program{Code: code}, sandbox.Program{Code: with})[0].Stdout == "remembered"
	}
	for code, want := range map[string]bool{"common": true, "own": true, "foreign": false} {
		if remembered("red", code, "before") != want {
			t.Errorf("%s: remembered is not %v", code, want)
		}
		if remembered("blue", code, "before") {
			t.Errorf("%s is known to another tenant", code)
		}
	}
	if err := hub.RemoveWorker(store, "red", "one"); err != nil {
		t.Fatal(err)
	}
	n := 0
	soon(t, "what a removed key signed still counts", func() bool {
		n++
		return !remembered("red", "own", strconv.Itoa(n))
	})
	if !remembered("red", "common", "after") {
		t.Error("another's verdict was forgotten, too")
	}
}
