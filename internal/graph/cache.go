package graph

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// schema is the version of facts, and of the tables that they are read by: a change to either needs another.
const schema = 2

// maxEntry is the largest file that is read as an entry.
const maxEntry = 32 << 20

// cache keeps facts by language and content, one file each, in 256 directories. Whatever is wrong with an entry, it counts
// as absent. A nil cache keeps nothing.
type cache struct{ dir string }

// entry is one file. It repeats what it stands for, so that one that was moved or cut is found out.
type entry struct {
	Schema   int    `json:"schema"`
	Language string `json:"language"`
	Hash     string `json:"hash"`
	Facts    *facts `json:"facts"`
}

func openCache(dir string) *cache {
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	return &cache{dir}
}

func (c *cache) path(language, hash string) string {
	return filepath.Join(c.dir, hash[:2], hash+"."+language+".json")
}

// get gives facts that are fit to be used for a text of so many lines, nil for none.
func (c *cache) get(language, hash string, lines int) *facts {
	if c == nil || len(hash) < 2 {
		return nil
	}
	data, err := bounded.ReadFile(c.path(language, hash), maxEntry)
	if err != nil {
		return nil
	}
	return decode(data, language, hash, lines)
}

func decode(data []byte, language, hash string, lines int) *facts {
	var e entry
	if bounded.Unmarshal(data, &e) != nil || e.Schema != schema || e.Language != language || e.Hash != hash || e.Facts == nil ||
		!e.Facts.check(lines) {
		return nil
	}
	return e.Facts
}

// put keeps facts. A full disk only means that they are read again.
func (c *cache) put(language, hash string, f *facts) {
	if c == nil || len(hash) < 2 {
		return
	}
	data, err := json.Marshal(entry{schema, language, hash, f})
	path := c.path(language, hash)
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	_ = wholefile.Write(path, func(f *os.File) error { _, err := f.Write(data); return err })
}
