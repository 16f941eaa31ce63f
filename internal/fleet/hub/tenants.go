package hub

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats-server/v2/server"
)

// tenant is one of those who share a hub and see nothing of each other: each has a NATS account, with streams and keys of its own.
type tenant struct {
	name    string // "" for the only one of a hub without tenants
	keys    Keys
	account *server.Account // nil is the server's own
	told    bool            // all parties know whose results count
}

var plain = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// openTenants reads the keys of a hub's tenants, and of the hub itself. Keys that are missing are made, but not by a hub of a cluster
// for a tenant: the others would make other ones.
func openTenants(c Config) (own Keys, tenants []tenant, err error) {
	dir := filepath.Join(c.Store, "keys")
	if len(c.Tenants) == 0 {
		own, err = openKeys(dir, true, RoleAdmin, RoleCoordinator, RoleWorker)
		return own, []tenant{{keys: own, told: true}}, err
	}
	if own, err = openKeys(dir, true, RoleAdmin); err != nil {
		return own, nil, err
	}
	accounts, err := accounts(c)
	if err != nil {
		return own, nil, err
	}
	for i, name := range c.Tenants {
		t := tenant{name: name, account: accounts[i], told: true}
		if t.keys, err = openKeys(filepath.Join(dir, name), c.Cluster == nil, RoleCoordinator, RoleWorker); err != nil {
			return own, nil, err
		}
		if err := t.keys.add(RoleAdmin); err != nil {
			return own, nil, err
		}
		tenants = append(tenants, t)
	}
	return own, tenants, nil
}

// checkTenants refuses names before anything is made for them.
func checkTenants(names []string) error {
	for i, name := range names {
		if !plain.MatchString(name) || slices.Contains(names[:i], name) || name == "workers" { // which is a directory of keys
			return hint.New(fmt.Sprintf("%q is no tenant's name, or there twice", name),
				"--tenant NAME once for each: up to 32 small letters, digits, - and _, but not workers")
		}
	}
	return nil
}

// accounts are those of the tenants. They share what the hub may store in equal parts, so that none of them fills it for the others.
// Only a configuration's text can give an account its limits before the server runs.
func accounts(c Config) ([]*server.Account, error) {
	disk, memory := int64(maxStore/len(c.Tenants)), int64(maxMemory/len(c.Tenants))
	if c.Cluster != nil { // an account's limits are those of all servers together
		servers := int64(c.Cluster.size())
		disk, memory = disk*servers, memory*servers
	}
	var text strings.Builder
	for _, name := range c.Tenants {
		fmt.Fprintf(&text, "%q: {jetstream: {max_store: %d, max_memory: %d}}\n", name, disk, memory)
	}
	var o server.Options
	if err := o.ProcessConfigString("accounts: {\n" + text.String() + "}"); err != nil {
		return nil, fmt.Errorf("the hub's tenants: %w", err)
	}
	byName := map[string]*server.Account{}
	for _, a := range o.Accounts {
		byName[a.Name] = a
	}
	var all []*server.Account
	for _, name := range c.Tenants {
		all = append(all, byName[name])
	}
	return all, nil
}

// users are all roles of all tenants. A key that is there twice would let its holder in as somebody else.
func users(tenants []tenant) ([]*server.NkeyUser, error) {
	var all []*server.NkeyUser
	seen := map[string]bool{}
	for _, t := range tenants {
		for _, u := range t.keys.users() {
			if seen[u.Nkey] {
				return nil, hint.New("two roles or tenants have one key: "+u.Nkey,
					"remove one of the files in "+t.keys.dir+": the hub makes another key")
			}
			seen[u.Nkey] = true
			u.Account = t.account
			all = append(all, u)
		}
	}
	return all, nil
}
