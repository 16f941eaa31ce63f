// Package cachedir keeps the entries of a cache in a directory that does not grow beyond a size.
package cachedir

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// Config says how a directory is kept.
type Config struct {
	// Path is the directory; it is made when it is not there. It must be set.
	Path string
	// MaxBytes is the size that pruning keeps it under. Defaults to 512 MiB.
	MaxBytes int64
	// MaxAge is how long an entry stays that nobody uses. Defaults to 30 days.
	MaxAge time.Duration
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// Dir is a directory of entries: one file each, in folders by the first two letters of its name, which ends in .json.
// Writing is atomic, so several processes may share it; it is safe for concurrent use.
type Dir struct {
	Config

	mu      sync.Mutex
	size    int64 // bytes in it, about
	counted bool
}

// Open opens a directory.
func Open(c Config) (*Dir, error) {
	if c.MaxBytes <= 0 {
		c.MaxBytes = 512 << 20
	}
	if c.MaxAge <= 0 {
		c.MaxAge = 30 * 24 * time.Hour
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Dir{Config: c}, os.MkdirAll(c.Path, 0o700)
}

// File is where an entry lies.
func (d *Dir) File(name string) string { return filepath.Join(d.Path, name[:2], name) }

// Read gives an entry of at most so many bytes.
func (d *Dir) Read(name string, most int64) ([]byte, error) {
	return bounded.ReadFile(d.File(name), most)
}

// Used says that an entry was of use: pruning takes what was not used the longest.
func (d *Dir) Used(name string) {
	now := d.Now()
	_ = os.Chtimes(d.File(name), now, now)
}

// Write keeps an entry, and drops others where the directory has become too large.
func (d *Dir) Write(name string, data []byte) error {
	path := d.File(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := wholefile.Write(path, func(f *os.File) error { _, err := f.Write(data); return err }); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.size += int64(len(data))
	if !d.counted || d.size > d.MaxBytes {
		d.size, d.counted = d.prune(), true
	}
	return nil
}

type entry struct {
	path string
	size int64
	used time.Time
}

// entries lists entries and left-over temporary files; anything else in the directory is not ours.
func (d *Dir) entries() []entry {
	var list []entry
	for _, pattern := range []string{"??/" + "*.json", "??/" + "*.json.*.tmp"} {
		names, _ := fs.Glob(os.DirFS(d.Path), pattern)
		for _, name := range names {
			path := filepath.Join(d.Path, filepath.FromSlash(name))
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				list = append(list, entry{path, info.Size(), info.ModTime()})
			}
		}
	}
	return list
}

// prune drops what is too old and then, when more than MaxBytes are left, the least recently used down to 90% of it. It
// returns the bytes that remain.
func (d *Dir) prune() int64 {
	list := d.entries()
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	now := d.Now()
	var size int64
	for _, e := range list {
		size += e.size
	}
	target := d.MaxBytes
	if size > target {
		target = target / 10 * 9
	}
	for _, e := range list {
		young := now.Sub(e.used) <= d.MaxAge
		leftover := filepath.Ext(e.path) != ".json" && now.Sub(e.used) > time.Hour
		if young && !leftover && size <= target {
			continue
		}
		if os.Remove(e.path) == nil {
			size -= e.size
		}
	}
	return size
}
