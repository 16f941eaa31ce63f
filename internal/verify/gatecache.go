package verify

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// GateCache remembers what control programs gave. An entry is found again by the whole program, its tests and limits
// included, and by what ran it: whatever changes runs again. Only controls that came out as they must are kept. A nil
// cache remembers nothing.
type GateCache struct {
	path   string
	others string // a pattern: of this name, by other builds

	mu      sync.Mutex
	entries map[string]cached
	fresh   bool
}

// cached is what is known of a control.
type cached struct {
	Verdict sandbox.Verdict `json:"verdict"`
	Steps   int64           `json:"steps,omitempty"`
	Seconds float64         `json:"seconds,omitempty"`
	Class   string          `json:"class,omitempty"`
}

// mostCaches is how many builds' caches of one name are kept: what others have found is of no use to this one.
const mostCaches = 4

// maxCache bounds a cache that is read, in bytes.
const maxCache = 256 << 20

// OpenGateCache reads the cache of that name in dir, which need not exist; build says what runs the programs. A file that
// cannot be read costs time only.
func OpenGateCache(dir, name, build string) *GateCache {
	sum := sha256.Sum256([]byte(build))
	c := &GateCache{path: filepath.Join(dir, name+"-"+hex.EncodeToString(sum[:6])+".json"),
		others: filepath.Join(dir, name+"-????????????.json"), entries: map[string]cached{}}
	var entries map[string]cached
	if text, err := bounded.ReadFile(c.path, maxCache); err == nil && json.Unmarshal(text, &entries) == nil && entries != nil {
		c.entries = entries
	}
	return c
}

// key says where an entry stands.
func (c *GateCache) key(one control) string { return one.name + " " + one.program.Digest() }

func (c *GateCache) get(one control) (Result, bool) {
	if c == nil {
		return Result{}, false
	}
	key := c.key(one)
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok {
		return Result{}, false
	}
	return Result{CodeResult: runfile.CodeResult{Verdict: e.Verdict, Passed: e.Verdict == sandbox.Passed, Interpreter: e.Steps,
		Seconds: e.Seconds, ErrorClass: e.Class}}, true
}

func (c *GateCache) put(one control, r Result) {
	if c == nil {
		return
	}
	key := c.key(one)
	c.mu.Lock()
	defer c.mu.Unlock()
	e := cached{Verdict: r.Verdict, Class: r.ErrorClass}
	if one.name == Canonical {
		e.Steps, e.Seconds = r.Interpreter, r.Seconds
	}
	c.entries[key], c.fresh = e, true
}

// save writes the file anew when something was added; several processes may do so, the last one wins.
func (c *GateCache) save() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.fresh {
		return nil
	}
	text, err := json.Marshal(c.entries)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(c.path), 0o755)
	}
	if err == nil {
		err = wholefile.Write(c.path, func(f *os.File) error { _, err := f.Write(text); return err })
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) { // a read-only cache costs time only
		return fmt.Errorf("remember the controls: %w", err)
	}
	c.fresh = false
	c.prune()
	return nil
}

// prune removes the caches of builds that were used longest ago.
func (c *GateCache) prune() {
	paths, _ := filepath.Glob(c.others) // where the directory's own name is a pattern, nothing is found
	if len(paths) <= mostCaches {
		return
	}
	age := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(age(b), age(a)) })
	for _, path := range paths[mostCaches:] {
		if path != c.path {
			os.Remove(path)
		}
	}
}
