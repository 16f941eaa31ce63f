package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/wholefile"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// Role is what somebody may do at a hub.
type Role string

// The roles.
const (
	RoleAdmin       Role = "admin"       // everything
	RoleCoordinator Role = "coordinator" // sends items, reads results, tells workers to drain
	RoleWorker      Role = "worker"      // takes items, stores results
)

// Keys are the roles' NKeys, each in a file of its own.
type Keys struct {
	dir     string
	pairs   map[Role]nkeys.KeyPair
	workers map[string]string // public keys of workers that have one of their own, by name
}

// openKeys reads the roles' keys in dir, and makes those that are missing if it may.
func openKeys(dir string, create bool, roles ...Role) (Keys, error) {
	k := Keys{dir: dir, pairs: map[Role]nkeys.KeyPair{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return k, fmt.Errorf("the hub's keys: %w", err)
	}
	for _, r := range roles {
		pair, err := openKey(k.file(r), create)
		if err != nil {
			return k, err
		}
		k.pairs[r] = pair
	}
	var err error
	k.workers, err = workerKeys(dir)
	return k, err
}

// add gives a role a key that is nowhere but in this process.
func (k Keys) add(r Role) (err error) {
	k.pairs[r], err = nkeys.CreateUser()
	return err
}

func openKey(file string, create bool) (nkeys.KeyPair, error) {
	seed, err := bounded.ReadFile(file, 4096)
	switch {
	case err == nil:
		pair, err := nkeys.ParseDecoratedNKey(seed)
		if err != nil {
			return nil, hint.Wrap(fmt.Errorf("%s: %w", file, err),
				"remove the file: the hub makes another key, and whoever used the old one needs the new one")
		}
		return pair, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the hub's keys: %w", err)
	case !create:
		return nil, hint.Wrap(fmt.Errorf("the hub's keys: %w", err),
			"start one hub of the cluster alone, once, with all its --tenant, and copy its keys directory below each hub's --store")
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	if seed, err = pair.Seed(); err != nil {
		return nil, err
	}
	return pair, wholefile.Write(file, func(f *os.File) error {
		_, err := f.Write(append(seed, '\n'))
		return err
	})
}

func (k Keys) file(r Role) string { return filepath.Join(k.dir, string(r)+".nk") }

func (k Keys) pair(r Role) (nkeys.KeyPair, string) {
	return k.pairs[r], public(k.pairs[r])
}

// users are the roles and what each may publish and hear. A role hears only its own inbox, so nobody reads what was handed
// to somebody else.
func (k Keys) users() []*server.NkeyUser {
	var users []*server.NkeyUser
	for r, key := range k.pairs {
		users = append(users, user(r, public(key)))
	}
	for _, key := range k.workers {
		users = append(users, user(RoleWorker, key))
	}
	return users
}

func user(r Role, key string) *server.NkeyUser {
	u := &server.NkeyUser{Nkey: key}
	if r != RoleAdmin {
		may := rights[r]
		u.Permissions = &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: may.publish},
			Subscribe: &server.SubjectPermission{Allow: append([]string{"_INBOX_" + key + ".>"}, may.hear...)},
		}
	}
	return u
}

// reading is what both roles need of JetStream: what streams there are, and what is in the small ones.
var reading = []string{
	"$JS.API.INFO", "$JS.API.STREAM.INFO.>", "$JS.API.CONSUMER.INFO.>", "$JS.API.STREAM.NAMES",
	"$JS.API.DIRECT.GET.deeprepo_results.>", "$JS.API.DIRECT.GET.deeprepo_dead.>", "$JS.API.DIRECT.GET.deeprepo_dead",
	"$JS.API.DIRECT.GET.deeprepo_journal", "$JS.API.DIRECT.GET.deeprepo_journal.>",
	"$JS.API.DIRECT.GET.KV_deeprepo_money.>", "$KV.deeprepo_money.>", "$JS.API.DIRECT.GET.KV_deeprepo_state.>",
	"$JS.API.DIRECT.GET.KV_deeprepo_workers.>", "$JS.API.DIRECT.GET.KV_deeprepo_orders.>",
	"$JS.API.CONSUMER.CREATE.KV_deeprepo_workers.>", "$JS.API.CONSUMER.CREATE.KV_deeprepo_orders.>",
	"$JS.API.CONSUMER.CREATE.OBJ_deeprepo_payloads.>", "$JS.API.CONSUMER.DELETE.KV_deeprepo_workers.>",
	"$JS.API.CONSUMER.DELETE.KV_deeprepo_orders.>", "$JS.API.CONSUMER.DELETE.OBJ_deeprepo_payloads.>",
	"$JS.API.DIRECT.GET.OBJ_deeprepo_payloads.>", "$JS.API.STREAM.PURGE.OBJ_deeprepo_payloads", "$O.deeprepo_payloads.>", "$JS.FC.>",
}

// rights are what each role may publish, and hear beside its inbox.
var rights = map[Role]struct{ publish, hear []string }{
	RoleCoordinator: {publish: append([]string{
		"deeprepo.work.>", "deeprepo.stop.*", "deeprepo.journal.>", "$KV.deeprepo_orders.>", "$JS.API.STREAM.PURGE.deeprepo_journal",
		"$JS.API.STREAM.PURGE.deeprepo_dead", "$JS.API.STREAM.MSG.DELETE.deeprepo_work", "$JS.API.STREAM.PURGE.deeprepo_results",
		"$JS.API.DIRECT.GET.deeprepo_work.>", "$JS.API.DIRECT.GET.deeprepo_work",
	}, reading...), hear: []string{"deeprepo.done.*"}},
	RoleWorker: {publish: append([]string{
		"deeprepo.result.>", "deeprepo.dead.>", "deeprepo.done.*", "deeprepo.journal.>", "deeprepo.reply.*", "deeprepo.verdict.*",
		"$JS.API.DIRECT.GET.deeprepo_replies.>", "$JS.API.DIRECT.GET.deeprepo_verdicts", "$KV.deeprepo_workers.>",
		"$JS.API.CONSUMER.MSG.NEXT.deeprepo_work.*", "$JS.ACK.deeprepo_work.>",
	}, reading...), hear: []string{"deeprepo.stop.*"}},
}
