package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats-server/v2/server"
)

// Cluster says how hubs find each other. Three keep everything three times and do without any one of them.
type Cluster struct {
	// Name is this hub's, unique in its cluster.
	Name string
	// Addr is HOST:PORT where the other hubs reach this one.
	Addr string
	// Routes are the other hubs' addresses. One whose host is Name, or begins with Name and a dot, is this hub: all may have one list.
	Routes []string
}

// others are the routes to other hubs.
func (c *Cluster) others() []string {
	return slices.DeleteFunc(slices.Clone(c.Routes), func(route string) bool {
		host, _, _ := net.SplitHostPort(route)
		return host == c.Name || strings.HasPrefix(host, c.Name+".")
	})
}

// size is how many hubs there are.
func (c *Cluster) size() int { return len(c.others()) + 1 }

// join adds a cluster to a server's options. Hubs of one cluster have the same keys, and know each other by them.
func (c *Cluster) join(o *server.Options, keys Keys) error {
	host, port, err := free(c.Addr)
	if err != nil || port < 1 {
		return hint.Wrap(errors.Join(fmt.Errorf("%q is no address for other hubs", c.Addr), err), "--cluster-addr HOST:PORT, as 10.0.0.1:6222")
	}
	routes := c.others()
	switch {
	case c.Name == "":
		return hint.New("a hub of a cluster needs a name", "--name, another one for each hub")
	case len(routes) != 2 && len(routes) != 4:
		return hint.New(fmt.Sprintf("a cluster of %d hubs", len(routes)+1), "three or five: --route HOST:PORT once for each of the others")
	}
	seed, err := keys.pairs[RoleAdmin].Seed()
	if err != nil {
		return err
	}
	secret := sha256.Sum256(append([]byte("cluster "), seed...))
	password := hex.EncodeToString(secret[:])
	o.ServerName = "deeprepo-" + c.Name
	o.Cluster = server.ClusterOpts{Name: "deeprepo", Host: host, Port: port, Username: "hub", Password: password, AuthTimeout: 5}
	for _, r := range routes {
		if _, _, err := net.SplitHostPort(r); err != nil {
			return hint.New(fmt.Sprintf("%q is no other hub's address", r), "--route HOST:PORT: the other's --cluster-addr")
		}
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats-route", Host: r, User: url.UserPassword("hub", password)})
	}
	return nil
}
