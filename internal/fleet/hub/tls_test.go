package hub_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

func TestAHubWithACertificate(t *testing.T) {
	ca := runtest.NewAuthority(t)
	cert, key := ca.Certificate(t)
	h, err := hub.Start(t.Context(), hub.Config{Addr: "0.0.0.0:0", Store: t.TempDir(), CertFile: cert, KeyFile: key, Build: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if !strings.HasPrefix(h.URL(), "tls://127.0.0.1:") {
		t.Errorf("nobody can use %s", h.URL())
	}
	o := fleet.Options{URL: h.URL(), KeyFile: h.KeyFile(hub.RoleCoordinator), CAFile: ca.File, Build: "b"}
	c, err := fleet.Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if own, err := h.Dial(t.Context(), "b"); err != nil {
		t.Errorf("the hub itself: %v", err)
	} else {
		own.Close()
	}
	for _, ca := range []string{"", filepath.Join(t.TempDir(), "none.pem")} {
		o.CAFile = ca
		if _, err := fleet.Dial(t.Context(), o); err == nil || !strings.Contains(hint.Of(err), "fleet_ca names a PEM file") {
			t.Errorf("CA %q: %v", ca, err)
		}
	}
	_, err = hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: t.TempDir(), CertFile: cert, KeyFile: cert, Build: "b"})
	if err == nil || !strings.Contains(hint.Of(err), "belong together") {
		t.Errorf("a key that is none: %v", err)
	}
}

// Three hubs with certificates of one authority are a cluster. Who has their keys, but no such certificate, is not let in: neither
// when it calls them nor when they call it.
func TestHubsOfAClusterVerifyEachOther(t *testing.T) {
	ca, other := runtest.NewAuthority(t), runtest.NewAuthority(t)
	var with, bad hub.Config
	with.CertFile, with.KeyFile = ca.Certificate(t)
	bad.CertFile, bad.KeyFile = other.Certificate(t)
	with.CAFile, bad.CAFile = ca.File, filepath.Join(t.TempDir(), "both.pem")
	var both []byte
	for _, file := range []string{ca.File, other.File} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, text...)
	}
	runtest.WriteFile(t, bad.CAFile, string(both))
	c := newCluster(t, with)
	c.dial(hub.RoleCoordinator)
	c.hubs[2].Close()
	keys := os.DirFS(filepath.Dir(c.hubs[0].KeyFile(hub.RoleAdmin)))
	var impostors sync.WaitGroup
	for name, i := range map[string]struct {
		hub.Config
		addr   string
		routes []string
	}{
		"calls with another's certificate":     {bad, ports(t, 1)[0], c.routes[:2]},
		"calls without a certificate":          {hub.Config{}, ports(t, 1)[0], c.routes[:2]},
		"is called with another's certificate": {bad, c.routes[2], ports(t, 2)},
	} {
		impostors.Go(func() {
			i.Addr, i.Store, i.Build = "127.0.0.1:0", t.TempDir(), "b"
			i.Cluster = &hub.Cluster{Name: "hub2", Addr: i.addr, Routes: i.routes}
			if err := os.CopyFS(filepath.Join(i.Store, "keys"), keys); err != nil {
				t.Error(err)
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
			defer cancel()
			h, err := hub.Start(ctx, i.Config)
			if err == nil {
				t.Errorf("a hub is let in that %s", name)
				h.Close()
			}
		})
	}
	impostors.Wait()
	c.start(2) // the true one is
	c.starting.Wait()
}

func TestAuthoritiesThatAreNone(t *testing.T) {
	cert, key := runtest.NewAuthority(t).Certificate(t)
	for want, c := range map[string]hub.Config{
		"no certificate in it": {CertFile: cert, KeyFile: key, CAFile: key},
		"none.pem":             {CertFile: cert, KeyFile: key, CAFile: filepath.Join(t.TempDir(), "none.pem")},
		"with one of its own":  {CAFile: cert},
	} {
		c.Addr, c.Store, c.Build = "127.0.0.1:0", t.TempDir(), "b"
		c.Cluster = &hub.Cluster{Name: "x", Addr: ports(t, 1)[0], Routes: ports(t, 2)}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
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
