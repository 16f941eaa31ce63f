package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/cachedir"
	"github.com/deeprepo/deeprepo/internal/money"
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

// Cache keeps replies on disk by the hash of their request. Several processes may share a directory. An entry that is
// damaged, foreign or too old counts as absent. It is safe for concurrent use.
//
// It makes equal requests equal replies: to get several samples of one request, set different Request.Seeds or do
// without the cache.
type Cache struct {
	dir    *cachedir.Dir
	shared Replies // nil: nobody's

	mu     sync.Mutex
	flying map[string]chan struct{} // hash -> closed when the call in flight for it has ended
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
	dir, err := cachedir.Open(cachedir.Config{Path: c.Dir, MaxBytes: c.MaxBytes, MaxAge: c.MaxAge, Now: c.Now})
	if err != nil {
		return nil, fmt.Errorf("open reply cache: %w", err)
	}
	return &Cache{dir: dir, flying: map[string]chan struct{}{}}, nil
}

// Replies are entries that several machines share, by hash. What cannot be read or written is simply not there.
type Replies interface {
	Reply(ctx context.Context, hash string) ([]byte, bool)
	KeepReply(ctx context.Context, hash string, entry []byte)
}

// Sharing is the cache with others behind it: what is not here is asked of them, and what is new they are told.
func (c *Cache) Sharing(with Replies) *Cache {
	return &Cache{dir: c.dir, shared: with, flying: map[string]chan struct{}{}}
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
	if resp, ok := c.get(ctx, hash); ok {
		if r.OnDelta != nil && resp.Text != "" {
			r.OnDelta(resp.Text)
		}
		return resp, nil
	}
	resp, err := m.Complete(ctx, r)
	if err == nil && (resp.Finish == FinishStop || resp.Finish == FinishToolCalls) && (r.Usable == nil || r.Usable(resp)) {
		// A full disk must not fail a call that was paid for: the entry is simply not there next time.
		_ = c.put(ctx, hash, name, resp)
	}
	return resp, err
}

func (c *Cache) get(ctx context.Context, hash string) (Response, bool) {
	data, err := c.dir.Read(hash+".json", maxEntry)
	if err == nil {
		if resp, ok := c.open(data, hash); ok {
			c.dir.Used(hash + ".json")
			return resp, true
		}
	}
	if c.shared == nil {
		return Response{}, false
	}
	data, ok := c.shared.Reply(ctx, hash)
	if !ok {
		return Response{}, false
	}
	resp, ok := c.open(data, hash)
	if ok {
		_ = c.dir.Write(hash+".json", data) // else it is asked for again
	}
	return resp, ok
}

// open reads an entry.
func (c *Cache) open(data []byte, hash string) (Response, bool) {
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Version != entryVersion || e.Hash != hash {
		return Response{}, false
	}
	if age := c.dir.Now().Sub(e.Time); age > c.dir.MaxAge || age < -time.Hour {
		return Response{}, false
	}
	e.Response.Cost, e.Response.FromCache, e.Response.Latency = new(money.USD), true, 0
	return e.Response, true
}

func (c *Cache) put(ctx context.Context, hash, name string, resp Response) error {
	resp.Earlier = Earlier{} // of the call that was paid for, not of those that it answers
	data, err := json.Marshal(entry{entryVersion, hash, name, c.dir.Now().UTC(), resp})
	if err != nil {
		return err
	}
	if c.shared != nil {
		c.shared.KeepReply(ctx, hash, data)
	}
	return c.dir.Write(hash+".json", data)
}
