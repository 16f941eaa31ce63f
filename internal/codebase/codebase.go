package codebase

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Codebase is a snapshot of a repository. It never changes and is safe for
// concurrent use.
type Codebase struct {
	root    string
	commit  string
	hash    string
	files   []File // sorted by Path
	texts   []string
	index   map[string]int32
	skipped []Skip
	warned  []string
	stats   Stats
	entries func() []string
	triage  string
}

// TriageName is the path of the file in which a codebase keeps what was decided about findings in it. It is no part of what is
// reviewed.
const TriageName = ".deeprepo/triage.json"

// Triage is the text of the file of that name, "" where there is none.
func (c *Codebase) Triage() string { return c.triage }

// File describes one loaded file.
type File struct {
	Path     string // relative, slash-separated
	Language string // lower case: "go", "python", ...; "text" when unknown
	Bytes    int    // size as stored, before decoding
	Lines    int    // line feeds, plus one for an unfinished last line
	Hash     string // hex SHA-256 of the decoded text
}

// Stats are totals over the loaded files.
type Stats struct {
	Files     int
	Lines     int
	Chars     int            // Unicode code points, as Python counts them
	Languages map[string]int // lines by language
}

// FromMap makes a codebase of texts that stand in no directory. Invalid bytes
// become U+FFFD, in paths as in texts. No file is skipped, whatever it holds.
func FromMap(files map[string]string) *Codebase {
	loaded := make([]loadedFile, 0, len(files))
	seen := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		clean := perByte([]byte(path))
		if seen[clean] {
			continue
		}
		seen[clean] = true
		text := files[path]
		if !utf8.ValidString(text) {
			text = perByte([]byte(text))
		}
		loaded = append(loaded, describe(clean, text, len(files[path])))
	}
	return assemble("", "", loaded, nil)
}

type loadedFile struct {
	File
	text  string
	chars int
}

func describe(path, text string, size int) loadedFile {
	sum := sha256.Sum256([]byte(text))
	return loadedFile{
		File: File{
			Path: path, Language: languageOf(path, text), Bytes: size,
			Lines: countLines(text), Hash: hex.EncodeToString(sum[:]),
		},
		text: text, chars: utf8.RuneCountInString(text),
	}
}

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func assemble(root, commit string, loaded []loadedFile, skipped []Skip) *Codebase {
	triage := ""
	loaded = slices.DeleteFunc(loaded, func(f loadedFile) bool {
		if f.Path == TriageName {
			triage = f.text
		}
		return f.Path == TriageName
	})
	slices.SortFunc(loaded, func(a, b loadedFile) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(skipped, func(a, b Skip) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Why, b.Why)
	})
	c := &Codebase{
		root: root, commit: commit, skipped: skipped, triage: triage,
		files: make([]File, len(loaded)), texts: make([]string, len(loaded)),
		index: make(map[string]int32, len(loaded)),
		stats: Stats{Files: len(loaded), Languages: map[string]int{}},
	}
	h := sha256.New()
	for i, f := range loaded {
		c.files[i], c.texts[i] = f.File, f.text
		c.index[f.Path] = int32(i)
		c.stats.Lines += f.Lines
		c.stats.Chars += f.chars
		c.stats.Languages[f.Language] += f.Lines
		// A path holds no NUL, so the framing is unambiguous.
		h.Write([]byte(f.Path))
		h.Write([]byte{0})
		h.Write([]byte(f.Hash))
		h.Write([]byte{0})
	}
	c.hash = hex.EncodeToString(h.Sum(nil))
	c.entries = sync.OnceValue(func() []string { return findEntryPoints(c) })
	return c
}

// Root gives the absolute path that the codebase was loaded from, "" for a
// virtual one.
func (c *Codebase) Root() string { return c.root }

// Commit gives the hex commit: the one read, or HEAD of the work tree that the
// files were read from (which may hold changes since). "" without git.
func (c *Codebase) Commit() string { return c.commit }

// Hash gives the hex SHA-256 over the sorted pairs of path and content hash.
func (c *Codebase) Hash() string { return c.hash }

// Paths gives the sorted paths of all loaded files, in a slice of the caller's own.
func (c *Codebase) Paths() []string {
	paths := make([]string, len(c.files))
	for i := range c.files {
		paths[i] = c.files[i].Path
	}
	return paths
}

// Text gives a file's text: valid UTF-8 without a byte order mark, line ends as
// they are.
func (c *Codebase) Text(path string) (string, bool) {
	i, ok := c.index[path]
	if !ok {
		return "", false
	}
	return c.texts[i], true
}

// File describes the file at path.
func (c *Codebase) File(path string) (File, bool) {
	i, ok := c.index[path]
	if !ok {
		return File{}, false
	}
	return c.files[i], true
}

// Skipped gives what was left out, sorted by path. Files that .gitignore names
// are not listed.
func (c *Codebase) Skipped() []Skip { return slices.Clone(c.skipped) }

// Warnings says, in a sentence each, what of the loading was not as it should be: git gave no answer, ignore files were too
// much work.
func (c *Codebase) Warnings() []string { return slices.Clone(c.warned) }

// Stats gives totals over the loaded files.
func (c *Codebase) Stats() Stats {
	s := c.stats
	s.Languages = maps.Clone(s.Languages)
	return s
}

// EntryPoints gives the files that execution starts in, nearest to the root
// first, at most 100.
func (c *Codebase) EntryPoints() []string { return slices.Clone(c.entries()) }
