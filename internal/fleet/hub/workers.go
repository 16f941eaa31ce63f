package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nkeys"
)

// WorkerKey is the file with the key of one worker, beside that which all may have; tenant is "" where there are none.
func WorkerKey(store, tenant, name string) (string, error) {
	if !plain.MatchString(name) || tenant != "" && !plain.MatchString(tenant) {
		return "", hint.New(fmt.Sprintf("%q is no name", cmp.Or(tenant, name)), "up to 32 small letters, digits, - and _")
	}
	return filepath.Join(store, "keys", tenant, "workers", name+".nk"), nil
}

// AddWorker makes a worker's key. A hub that runs on the store takes it up.
func AddWorker(store, tenant, name string) (file string, err error) {
	if file, err = WorkerKey(store, tenant, name); err != nil {
		return "", err
	}
	if _, err := os.Lstat(file); err == nil {
		return "", hint.New(file+" is there already", "remove the key, or give another name")
	}
	if _, err := os.Stat(filepath.Join(store, "keys", tenant, string(RoleWorker)+".nk")); err != nil {
		return "", hint.Wrap(fmt.Errorf("no hub was started here: %w", err), "--store and --tenant are those of fleet hub")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	_, err = openKey(file, true)
	return file, err
}

// RemoveWorker removes a worker's key. A hub that runs on the store disconnects its holder, whose results count no more.
func RemoveWorker(store, tenant, name string) error {
	file, err := WorkerKey(store, tenant, name)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil {
		return hint.Wrap(err, "deeprepo fleet key list worker names those that are there")
	}
	return nil
}

// Workers are the public keys of workers that have one of their own, by name. Files that are none are in the error; the others count.
func Workers(store, tenant string) (map[string]string, error) {
	return workerKeys(filepath.Join(store, "keys", tenant))
}

func workerKeys(dir string) (map[string]string, error) {
	files, err := os.ReadDir(filepath.Join(dir, "workers"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	all := map[string]string{}
	for _, f := range files {
		name, is := strings.CutSuffix(f.Name(), ".nk")
		if !is || !plain.MatchString(name) {
			continue
		}
		key, e := openKey(filepath.Join(dir, "workers", f.Name()), false)
		if e != nil {
			err = errors.Join(err, e)
			continue
		}
		all[name] = public(key)
	}
	return all, err
}

func public(key nkeys.KeyPair) string {
	text, _ := key.PublicKey() // of a user's key that was just made or read
	return text
}

// signers are the keys whose results count.
func (k Keys) signers() []string {
	return append(slices.Sorted(maps.Values(k.workers)), public(k.pairs[RoleWorker]))
}

// watch takes up workers' keys that are added and removed, until ctx ends.
func (h *Hub) watch(ctx context.Context, c Config) {
	said := ""
	for tick := time.NewTicker(500 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		err := error(nil)
		for i := range h.tenants {
			err = errors.Join(err, h.takeUp(ctx, c, &h.tenants[i]))
		}
		if text := fmt.Sprint(err); err != nil && text != said && c.Log != nil && ctx.Err() == nil {
			c.Log.Errorf("workers' keys: %s", text)
			said = text
		}
	}
}

// takeUp lets a tenant's workers in as their keys are now: who is out is disconnected first, and who is new comes in when every
// party knows that its results count.
func (h *Hub) takeUp(ctx context.Context, c Config, t *tenant) error {
	now, broken := workerKeys(t.keys.dir)
	if maps.Equal(now, t.keys.workers) && t.told {
		return broken
	}
	before := t.keys.workers
	kept := maps.Clone(before)
	maps.DeleteFunc(kept, func(name, key string) bool { return now[name] != key })
	t.told = false
	t.keys.workers = kept
	if err := h.admit(); err != nil {
		t.keys.workers = before
		return errors.Join(broken, err)
	}
	told := *t
	told.keys.workers = now
	once, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if err := h.furnish(once, c, told); err != nil {
		return errors.Join(broken, err)
	}
	if len(now) > len(kept) {
		select {
		case <-time.After(fleet.SignersAge):
		case <-ctx.Done():
		}
	}
	t.keys.workers = now
	if err := h.admit(); err != nil {
		t.keys.workers = kept
		return errors.Join(broken, err)
	}
	t.told = true
	return broken
}

// admit has the server know who may come in, and disconnect who may not any more.
func (h *Hub) admit() error {
	all, err := users(h.tenants)
	if err != nil {
		return err
	}
	o := h.options.Clone()
	o.Nkeys = all
	return h.server.ReloadOptions(o)
}
