package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/spf13/cobra"
)

// metricsFlag adds --metrics.
func metricsFlag(cmd *cobra.Command, addr *string) {
	cmd.Flags().StringVar(addr, "metrics", "", "HOST:PORT to show /metrics on, for Prometheus (default: nowhere)")
}

// serveMetrics shows a page at /metrics until ctx ends. Who may ask is whoever reaches the address and names it, or this host:
// nothing there is secret.
func (a *app) serveMetrics(ctx context.Context, addr string, page http.Handler) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return usageError{fmt.Errorf("--metrics %s: %w", addr, err), "HOST:PORT; port 0 picks a free one: --metrics 127.0.0.1:0"}
	}
	host, _ := os.Hostname() // without one, addresses and localhost are names enough
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", page)
	guard := access.Guard{Hosts: []string{host}}
	guarded := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, refused := guard.Admit(w.Header(), r)
		if refused != nil {
			http.Error(w, "not for pages of others, and not by that name: ask by the address", refused.Status)
			return
		}
		mux.ServeHTTP(w, r)
	})
	a.say("metrics: http://" + reachable(l.Addr()) + "/metrics")
	go func() {
		if err := access.Serve(ctx, l, guarded, access.Limits{Connections: 64, ReadTimeout: 10 * time.Second, Grace: time.Second},
			func() {}); err != nil {
			a.say("metrics: " + err.Error())
		}
	}()
	return nil
}
