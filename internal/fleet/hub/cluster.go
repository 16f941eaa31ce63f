package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats-server/v2/server"
)

// Cluster says how hubs find each other. Three keep everything three times and do without any one of them.
type Cluster struct {
	// Name is this hub's, unique in its cluster.
	Name string
	// Addr is HOST:PORT where the other hubs reach this one.
	Addr string
	// Routes are the other hubs' addresses.
	Routes []string
}

// join adds a cluster to a server's options. Hubs of one cluster have the same keys, and know each other by them.
func (c *Cluster) join(o *server.Options, keys Keys) error {
	host, text, err := net.SplitHostPort(c.Addr)
	port, perr := strconv.Atoi(text)
	if err != nil || perr != nil || port < 1 || port > 65535 {
		return hint.New(fmt.Sprintf("%q is no address for other hubs", c.Addr), "--cluster-addr HOST:PORT, as 10.0.0.1:6222")
	}
	if len(c.Routes) != 2 && len(c.Routes) != 4 {
		return hint.New(fmt.Sprintf("a cluster of %d hubs", len(c.Routes)+1), "three or five: --route HOST:PORT once for each of the others")
	}
	seed, err := keys.pairs[RoleAdmin].Seed()
	if err != nil {
		return err
	}
	secret := sha256.Sum256(append([]byte("cluster "), seed...))
	password := hex.EncodeToString(secret[:])
	o.ServerName = "deeprepo-" + c.Name
	o.Cluster = server.ClusterOpts{Name: "deeprepo", Host: host, Port: port, Username: "hub", Password: password, AuthTimeout: 5}
	for _, r := range c.Routes {
		if _, _, err := net.SplitHostPort(r); err != nil {
			return hint.New(fmt.Sprintf("%q is no other hub's address", r), "--route HOST:PORT: the other's --cluster-addr")
		}
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats-route", Host: r, User: url.UserPassword("hub", password)})
	}
	return nil
}
