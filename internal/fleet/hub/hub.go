// Package hub is a fleet's hub in a process of our own: a NATS server with JetStream, with keys for the three roles.
package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config says where a hub listens and what it keeps.
type Config struct {
	// Addr is HOST:PORT; port 0 picks a free one.
	Addr string
	// Store is the directory of queues, results and keys. It is made where it is missing.
	Store string
	// CertFile and KeyFile are the hub's certificate and its key. Default to none: no TLS.
	CertFile, KeyFile string
	// CAFile holds certificates that the other hubs' of a cluster may stand on, where there is CertFile. Defaults to the machine's own.
	CAFile string
	// Tenants are who share the hub, each with streams and keys of its own. Defaults to one without a name.
	Tenants []string
	// Monitor is HOST:PORT where NATS's own monitoring pages are: /healthz, /jsz and the others, without a key. Defaults to none.
	Monitor string
	// Cluster has this hub and others be one. Defaults to a hub of its own.
	Cluster *Cluster
	// AckWait is how long a worker may be silent. Defaults to fleet.DefaultAckWait.
	AckWait time.Duration
	// Build and Version say which program this is.
	Build, Version string
	// Log is told what the server says. Defaults to nothing.
	Log server.Logger
}

// Hub is a server that runs.
type Hub struct {
	server  *server.Server
	lock    *flock.Flock
	keys    string // the directory
	tenants []tenant
	options *server.Options
	url     string
	stop    func() // of what watches the keys; nil before
}

// maxStore is what queues and results may take on disk, and maxMemory what the server may hold of them in memory, in bytes.
const (
	maxStore  = 64 << 30
	maxMemory = 128 << 20
)

// Start starts a hub and returns when it can be used. Its error has a hint.
func Start(ctx context.Context, c Config) (*Hub, error) {
	host, port, err := free(c.Addr)
	if err != nil {
		return nil, err
	}
	if err := checkTenants(c.Tenants); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Store, 0o700); err != nil {
		return nil, fmt.Errorf("the hub's store: %w", err)
	}
	lock := flock.New(filepath.Join(c.Store, "lock"))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return nil, hint.Wrap(errors.Join(fmt.Errorf("another hub uses %s", c.Store), err), "end it, or name another --store")
	}
	h := &Hub{lock: lock}
	own, tenants, err := openTenants(c)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	h.keys, h.tenants = own.dir, tenants
	nkeys, err := users(tenants)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	o := &server.Options{
		ServerName: "deeprepo-hub", Host: host, Port: port, JetStream: true, StoreDir: filepath.Join(c.Store, "jetstream"),
		JetStreamMaxStore: maxStore, JetStreamMaxMemory: maxMemory, NoSigs: true, MaxPayload: 1 << 20, Nkeys: nkeys,
		DisableShortFirstPing: true,
	}
	for _, t := range tenants {
		if t.account != nil {
			o.Accounts = append(o.Accounts, t.account)
		}
	}
	if c.Monitor != "" {
		if o.HTTPHost, o.HTTPPort, err = free(c.Monitor); err != nil {
			return nil, errors.Join(err, lock.Unlock())
		}
	}
	if c.Cluster != nil {
		if err := c.Cluster.join(o, own); err != nil {
			return nil, errors.Join(err, lock.Unlock())
		}
	}
	if err := c.secure(o); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	h.options = o
	if h.server, err = server.NewServer(o); err != nil {
		return nil, errors.Join(fmt.Errorf("the hub: %w", err), lock.Unlock())
	}
	if c.Log != nil {
		h.server.SetLoggerV2(c.Log, false, false, false)
	}
	h.server.Start()
	if !h.server.ReadyForConnections(30 * time.Second) {
		h.Close()
		return nil, hint.New("the hub does not listen on "+c.Addr, "stderr says why; --addr 127.0.0.1:0 picks a free port")
	}
	h.url = "nats://" + reachable(h.server.Addr())
	if o.TLS {
		h.url = "tls://" + reachable(h.server.Addr())
	}
	for _, t := range h.tenants {
		if err := h.furnished(ctx, c, t); err != nil {
			h.Close()
			return nil, err
		}
	}
	watching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var watch sync.WaitGroup
	watch.Go(func() { h.watch(watching, c) })
	h.stop = func() { cancel(); watch.Wait() }
	return h, nil
}

// furnished makes a tenant's streams; a cluster makes them once most of its servers are there.
func (h *Hub) furnished(ctx context.Context, c Config, t tenant) error {
	for {
		once, cancel := context.WithTimeout(ctx, 3*time.Second) // what was asked before there was a leader is never answered
		err := h.furnish(once, c, t)
		cancel()
		if err == nil || c.Cluster == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// furnish makes a tenant's streams, as admin.
func (h *Hub) furnish(ctx context.Context, c Config, t tenant) error {
	key, public := t.keys.pair(RoleAdmin)
	nc, err := nats.Connect(h.inside(), nats.InProcessServer(h.server), nats.Nkey(public, key.Sign))
	if err != nil {
		return fmt.Errorf("the hub does not let its own admin in: %w", err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	terms := fleet.Terms{Build: c.Build, Version: c.Version, AckWait: c.AckWait, Signers: t.keys.signers()}
	if c.Cluster != nil {
		terms.Replicas = c.Cluster.size()
	}
	if err := fleet.Setup(ctx, js, terms); err != nil {
		return fmt.Errorf("the hub's queues: %w", err)
	}
	return nil
}

// URL is the address, without credentials; this machine's own where the hub listens on all of them.
func (h *Hub) URL() string { return h.url }

// Monitor is where NATS's monitoring pages are, "" for nowhere.
func (h *Hub) Monitor() string {
	if a := h.server.MonitorAddr(); a != nil {
		return "http://" + a.String()
	}
	return ""
}

// Stored is how many bytes of a tenant's queues and results this hub has on disk; tenant is "" where there are none.
func (h *Hub) Stored(tenant string) (uint64, error) {
	about, err := h.server.JszAccount(&server.JSzOptions{Account: cmp.Or(tenant, server.DEFAULT_GLOBAL_ACCOUNT)})
	if err != nil {
		return 0, err
	}
	return about.Store, nil
}

// Dial connects to this hub, as a coordinator of its first tenant.
func (h *Hub) Dial(ctx context.Context, build string) (*fleet.Conn, error) {
	return h.DialOf(ctx, h.tenants[0].name, build)
}

// DialOf connects to this hub, as a tenant's coordinator.
func (h *Hub) DialOf(ctx context.Context, tenant, build string) (*fleet.Conn, error) {
	return fleet.Dial(ctx, fleet.Options{URL: h.inside(), Server: h.server, KeyFile: h.KeyFileOf(tenant, RoleCoordinator),
		Name: "the hub itself", Build: build})
}

// inside is the address for this process, where nothing is encrypted.
func (h *Hub) inside() string { return "nats://" + reachable(h.server.Addr()) }

// KeyFile is where a role's key is, at a hub without tenants.
func (h *Hub) KeyFile(r Role) string { return h.KeyFileOf("", r) }

// KeyFileOf is where the key of a tenant's role is; that of the admin is the hub's own, and no tenant's.
func (h *Hub) KeyFileOf(tenant string, r Role) string {
	return Keys{dir: filepath.Join(h.keys, tenant)}.file(r)
}

// Close ends the server. What was stored stays.
func (h *Hub) Close() {
	if h.stop != nil {
		h.stop()
	}
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
	_ = h.lock.Unlock() // the process ends
}
