package cli

import (
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/fleet/metrics"
	"github.com/spf13/cobra"
)

func (a *app) fleetHub() *cobra.Command {
	var c hub.Config
	var cluster hub.Cluster
	var page string
	cmd := &cobra.Command{
		Use:   "hub",
		Short: "Run the hub: queues, results and keys, in one directory",
		Long: `Run a fleet's hub: a NATS server with JetStream, in this process, with everything it keeps in --store. The first line of
stdout is its address. The first start makes a key for each role below --store: keys/coordinator.nk for those that send
items and keys/worker.nk for those that do them. A hub that is started again on the same store goes on where it was.

Workers and coordinators must be of the hub's own build. Where a NATS server with JetStream is there already, no hub is
needed: point --fleet at it, with its credentials in ` + envFleetKey + `.

Three hubs that name each other are a cluster: everything is kept three times, and any one of them may be lost. Give them the
same keys: start one alone, and copy its keys directory below the others' --store.

With --tenant NAME, once for each, several share the hub: each has its own queues and its own keys, below keys/NAME, and its
key says who somebody is.

Without --tls-cert, what is sent can be read on the way: keep the hub on a network of your own. With it, hubs of a cluster show
each other their certificates, and each verifies the other's.`,
		Example: `  deeprepo fleet hub --store hub
  deeprepo fleet hub --store a --name a --addr :4222 --cluster-addr 10.0.0.1:6222 --route 10.0.0.2:6222 --route 10.0.0.3:6222
  deeprepo fleet hub --store /var/lib/deeprepo --addr 0.0.0.0:4222 --tls-cert hub.pem --tls-key hub.key`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cluster.Name != "" || cluster.Addr != "" || len(cluster.Routes) > 0 {
				c.Cluster = &cluster
			}
			return a.runHub(cmd, c, page)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&c.Addr, "addr", "127.0.0.1:4222", "HOST:PORT to listen on; port 0 picks a free one")
	fl.StringVar(&c.Store, "store", "deeprepo-hub", "directory for queues, results and keys")
	fl.StringVar(&c.CertFile, "tls-cert", "", "PEM file with the hub's certificate (default: no TLS)")
	fl.StringVar(&c.KeyFile, "tls-key", "", "PEM file with the certificate's key")
	fl.StringVar(&c.CAFile, "tls-ca", "", "PEM file with what certificates of a cluster's other hubs stand on (default: the machine's own)")
	fl.StringSliceVar(&c.Tenants, "tenant", nil, "name of one who shares the hub with others and sees nothing of them; once for each")
	fl.StringVar(&cluster.Name, "name", "", "this hub's name in a cluster of three or five")
	fl.StringVar(&cluster.Addr, "cluster-addr", "", "HOST:PORT where the cluster's other hubs reach this one")
	fl.StringSliceVar(&cluster.Routes, "route", nil, "another hub's --cluster-addr, once for each of the others")
	fl.DurationVar(&c.AckWait, "ack-wait", 30*time.Second, "how long a worker may be silent before another one gets its items")
	fl.StringVar(&c.Monitor, "monitor", "", "HOST:PORT for NATS's own pages, as /healthz and /jsz, open to everybody there (default: nowhere)")
	metricsFlag(cmd, &page)
	return cmd
}

func (a *app) runHub(cmd *cobra.Command, c hub.Config, page string) error {
	if (c.CertFile == "") != (c.KeyFile == "") {
		return usageError{fmt.Errorf("--tls-cert and --tls-key belong together"), "name both files, or neither"}
	}
	if c.CAFile != "" && (c.CertFile == "" || c.Cluster == nil) {
		return usageError{fmt.Errorf("--tls-ca is for hubs of a cluster that have --tls-cert"),
			"leave it out: workers and commands have DEEPREPO_FLEET_CA"}
	}
	if c.AckWait < time.Second {
		return usageError{fmt.Errorf("--ack-wait %v is too short", c.AckWait), "workers say that they live three times in it: at least 1s"}
	}
	var err error
	if c.Build, err = fleetBuild(); err != nil {
		return err
	}
	c.Version = version()
	log := slog.New(slog.NewTextHandler(a.stderr, nil))
	c.Log = hub.Logger(log)
	h, err := hub.Start(cmd.Context(), c)
	if err != nil {
		return exitError{exitOutside, err}
	}
	defer h.Close()
	if len(c.Tenants) == 0 {
		c.Tenants = []string{""}
	}
	if page != "" {
		var fleets []metrics.Fleet
		for _, t := range c.Tenants {
			conn, err := h.DialOf(cmd.Context(), t, c.Build)
			if err != nil {
				return exitError{exitOutside, err}
			}
			defer conn.Close()
			stored := func() (uint64, error) { return h.Stored(t) }
			fleets = append(fleets, metrics.Fleet{Tenant: t, Status: conn.Status, Stored: stored})
		}
		if err := a.serveMetrics(cmd.Context(), page, metrics.Hub(fleets...)); err != nil {
			return err
		}
	}
	fmt.Fprintln(a.stdout, h.URL())
	for _, t := range c.Tenants {
		a.say("keys: " + h.KeyFileOf(t, hub.RoleCoordinator) + " for commands with --fleet, " +
			h.KeyFileOf(t, hub.RoleWorker) + " for fleet work")
	}
	if host, _, err := net.SplitHostPort(c.Addr); err == nil && c.CertFile == "" && !loopback("nats://"+net.JoinHostPort(host, "1")) {
		a.say("warning: without --tls-cert everybody on the way can read what is sent")
	}
	if c.Monitor != "" {
		a.say("NATS's own pages: " + h.Monitor())
	}
	a.say("Ctrl-C ends it; started again on the same --store it goes on")
	<-cmd.Context().Done()
	return nil
}
