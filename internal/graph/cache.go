package graph

import (
	"encoding/json"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/cachedir"
)

// schema is the version of facts, and of the tables that they are read by: a change to either needs another.
const schema = 2

// maxEntry is the largest file that is read as an entry.
const maxEntry = 32 << 20

// cache keeps facts by language and content. Whatever is wrong with an entry, it counts as absent. A nil cache keeps nothing.
type cache struct{ dir *cachedir.Dir }

// entry is one file. It repeats what it stands for, so that one that was moved or cut is found out.
type entry struct {
	Schema   int    `json:"schema"`
	Language string `json:"language"`
	Hash     string `json:"hash"`
	Facts    *facts `json:"facts"`
}

func openCache(o Options) *cache {
	if o.CacheDir == "" {
		return nil
	}
	dir, err := cachedir.Open(cachedir.Config{Path: o.CacheDir, MaxBytes: o.CacheBytes})
	if err != nil {
		return nil
	}
	return &cache{dir}
}

func entryName(language, hash string) string { return hash + "." + language + ".json" }

// get gives facts that are fit to be used for a text of so many lines, nil for none.
func (c *cache) get(language, hash string, lines int) *facts {
	if c == nil || len(hash) < 2 {
		return nil
	}
	name := entryName(language, hash)
	data, err := c.dir.Read(name, maxEntry)
	if err != nil {
		return nil
	}
	f := decode(data, language, hash, lines)
	if f != nil {
		c.dir.Used(name)
	}
	return f
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
	if data, err := json.Marshal(entry{schema, language, hash, f}); err == nil {
		_ = c.dir.Write(entryName(language, hash), data)
	}
}
