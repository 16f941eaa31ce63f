package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// CacheConfig configures [OpenCache].
type CacheConfig struct {
	// Dir holds the entries; it is made when it is not there. It must be set.
	Dir string
	// MaxBytes is the size that pruning keeps the directory under. Defaults to 512 MiB.
	MaxBytes int64
	// MaxAge is how long an entry is served. Defaults to 30 days.
	MaxAge time.Duration
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Cache keeps replies on disk by the hash of their request: one file each, in 256 directories by the hash's first
// byte. Writing is atomic, so several processes may share a directory. An entry that is damaged, foreign or too old
// counts as absent. It is safe for concurrent use.
//
// It makes equal requests equal replies: to get several samples of one request, set different Request.Seeds or do
// without the cache.
type Cache struct {
	c CacheConfig

	mu      sync.Mutex
	flying  map[string]chan struct{} // hash -> closed when the call in flight for it has ended
	size    int64                    // bytes in Dir, about
	counted bool
}

// entry is one file. Hash repeats the name, so a file that was moved or cut is found out.
type entry struct {
	Version  int       `json:"v"`
	Hash     string    `json:"hash"`
	Model    string    `json:"model"`
	Time     time.Time `json:"time"`
	Response Response  `json:"response"`
}

const entryVersion = 1

// maxEntry is the largest file that is read as an entry.
const maxEntry = 16 << 20

// OpenCache opens the cache in c.Dir.
func OpenCache(c CacheConfig) (*Cache, error) {
	if c.MaxBytes <= 0 {
		c.MaxBytes = 512 << 20
	}
	if c.MaxAge <= 0 {
		c.MaxAge = 30 * 24 * time.Hour
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open reply cache: %w", err)
	}
	return &Cache{c: c, flying: map[string]chan struct{}{}}, nil
}

// Wrap answers requests to the model of that full name from the cache where it can. Replies that ended on their own
// are kept; cut, filtered and failed ones are not. Equal requests at the same time are sent once. A reply from the
// cache has FromCache set, costs nothing and keeps the usage of the call that was paid for.
func (c *Cache) Wrap(m Model, name string) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		hash := r.Hash(name)
		for {
			c.mu.Lock()
			flying, wait := c.flying[hash]
			if !wait {
				flying = make(chan struct{})
				c.flying[hash] = flying
			}
			c.mu.Unlock()
			if !wait {
				return c.lead(ctx, m, r, name, hash, flying)
			}
			select {
			case <-flying:
			case <-ctx.Done():
				return Response{}, canceled(ctx)
			}
		}
	})
}

func (c *Cache) lead(ctx context.Context, m Model, r Request, name, hash string, flying chan struct{}) (Response, error) {
	defer func() {
		c.mu.Lock()
		delete(c.flying, hash)
		c.mu.Unlock()
		close(flying)
	}()
	if resp, ok := c.get(hash); ok {
		if r.OnDelta != nil && resp.Text != "" {
			r.OnDelta(resp.Text)
		}
		return resp, nil
	}
	resp, err := m.Complete(ctx, r)
	if err == nil && (resp.Finish == FinishStop || resp.Finish == FinishToolCalls) && (r.Usable == nil || r.Usable(resp)) {
		// A full disk must not fail a call that was paid for: the entry is simply not there next time.
		_ = c.put(hash, name, resp)
	}
	return resp, err
}

func (c *Cache) path(hash string) string { return filepath.Join(c.c.Dir, hash[:2], hash+".json") }

func (c *Cache) get(hash string) (Response, bool) {
	path := c.path(hash)
	data, err := bounded.ReadFile(path, maxEntry)
	var e entry
	if err != nil || json.Unmarshal(data, &e) != nil || e.Version != entryVersion || e.Hash != hash {
		return Response{}, false
	}
	now := c.c.Now()
	if age := now.Sub(e.Time); age > c.c.MaxAge || age < -time.Hour {
		return Response{}, false
	}
	_ = os.Chtimes(path, now, now) // pruning takes what was not used the longest
	e.Response.Cost, e.Response.FromCache, e.Response.Latency = new(money.USD), true, 0
	return e.Response, true
}

func (c *Cache) put(hash, name string, resp Response) error {
	resp.Earlier = Earlier{} // of the call that was paid for, not of those that it answers
	data, err := json.Marshal(entry{entryVersion, hash, name, c.c.Now().UTC(), resp})
	if err != nil {
		return err
	}
	path := c.path(hash)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := wholefile.Write(path, func(f *os.File) error { _, err := f.Write(data); return err }); err != nil {
		return err
	}
	c.grown(int64(len(data)))
	return nil
}

func (c *Cache) grown(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += n
	if !c.counted || c.size > c.c.MaxBytes {
		c.size, c.counted = c.prune(c.c.MaxBytes), true
	}
}

type cacheFile struct {
	path string
	size int64
	used time.Time
}

// files lists entries and left-over temporary files; anything else in the directory is not ours.
func (c *Cache) files() []cacheFile {
	var list []cacheFile
	for _, pattern := range []string{"??/" + "*.json", "??/" + "*.json.*.tmp"} {
		names, _ := fs.Glob(os.DirFS(c.c.Dir), pattern)
		for _, name := range names {
			path := filepath.Join(c.c.Dir, filepath.FromSlash(name))
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				list = append(list, cacheFile{path, info.Size(), info.ModTime()})
			}
		}
	}
	return list
}

// prune drops what is too old and then, when more than limit bytes are left, the least recently used down to 90% of
// it. It returns the bytes that remain.
func (c *Cache) prune(limit int64) int64 {
	files := c.files()
	sort.Slice(files, func(i, j int) bool { return files[i].used.Before(files[j].used) })
	now := c.c.Now()
	var size int64
	for _, f := range files {
		size += f.size
	}
	target := limit
	if size > limit {
		target = limit / 10 * 9
	}
	for _, f := range files {
		young := now.Sub(f.used) <= c.c.MaxAge
		leftover := filepath.Ext(f.path) != ".json" && now.Sub(f.used) > time.Hour
		if young && !leftover && size <= target {
			continue
		}
		if os.Remove(f.path) == nil {
			size -= f.size
		}
	}
	return size
}
