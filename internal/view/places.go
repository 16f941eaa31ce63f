package view

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Places are where things lie on this machine: what is sent to others says their names instead.
type Places struct {
	swaps []swap // the longest first
}

type swap struct{ from, to []byte } // as JSON strings have them

// maxPlaces bounds how many paths of a stranger's manifest are looked for.
const maxPlaces = 200

// PlacesOf are these paths as far as they are absolute, this process's directory and the user's home.
func PlacesOf(paths ...string) Places {
	var p Places
	seen := map[string]bool{}
	add := func(from, to string) {
		if seen[from] {
			return
		}
		seen[from] = true
		p.swaps = append(p.swaps, swap{inJSON(from), inJSON(to)})
	}
	for _, path := range paths {
		path = filepath.Clean(path)
		if !filepath.IsAbs(path) || strings.Count(filepath.ToSlash(path), "/") < 2 || len(p.swaps) >= maxPlaces {
			continue
		}
		add(path, filepath.Base(path))
		if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
			add(real, filepath.Base(path))
		}
	}
	if here, err := os.Getwd(); err == nil && strings.Count(filepath.ToSlash(here), "/") >= 2 {
		add(here, ".")
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) && filepath.Dir(home) != home {
		add(filepath.Clean(home), "~")
	}
	slices.SortStableFunc(p.swaps, func(a, b swap) int { return cmp.Compare(len(b.from), len(a.from)) })
	return p
}

// places are those that the run's documents may speak of.
func (r *Run) places() Places {
	paths := []string{r.Path(), r.Codebase()}
	for _, raw := range []json.RawMessage{r.dir.Manifest.Options, r.dir.Manifest.Spec, r.dir.Manifest.Recipe} {
		var asked any
		if len(raw) > 0 && json.Unmarshal(raw, &asked) == nil {
			paths = appendTexts(paths, asked)
		}
	}
	return PlacesOf(paths...)
}

// Codebase is where the codebase lay that a review's report is of; "" where that is not known.
func (r *Run) Codebase() string {
	var rep struct{ Repo struct{ Path string } }
	_ = r.dir.ReadJSON(runfile.ReportName, &rep) // what cannot be read says nothing
	return rep.Repo.Path
}

// appendTexts appends the strings in a value that a file holds.
func appendTexts(texts []string, v any) []string {
	switch v := v.(type) {
	case string:
		if len(v) < 4096 && filepath.IsAbs(v) {
			texts = append(texts, v)
		}
	case []any:
		for _, one := range v {
			texts = appendTexts(texts, one)
		}
	case map[string]any:
		for _, one := range v {
			texts = appendTexts(texts, one)
		}
	}
	return texts
}

// inJSON is a text as it stands between the quotes of a JSON string.
func inJSON(text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil { // a string
		panic(err)
	}
	return quoted[1 : len(quoted)-1]
}

// Hide puts names in the place of paths, in a document that encoding/json wrote.
func (p Places) Hide(document []byte) []byte {
	for _, s := range p.swaps {
		document = replaced(document, s)
	}
	return document
}

func replaced(text []byte, s swap) []byte {
	var out []byte // nil until something is replaced
	for at := 0; ; {
		i := bytes.Index(text[at:], s.from)
		if i < 0 {
			if out == nil {
				return text
			}
			return append(out, text[at:]...)
		}
		i += at
		end := i + len(s.from)
		out = append(out, text[at:i]...)
		if begins(text[:i]) && ends(text[end:]) {
			out = append(out, s.to...)
		} else {
			out = append(out, s.from...)
		}
		at = end
	}
}

// begins says whether a path may begin behind a text: not in the middle of another one. The last letter may be one of an escape.
func begins(before []byte) bool {
	n := len(before)
	if n == 0 || !inPath(before[n-1]) {
		return true
	}
	if n >= 2 && before[n-2] == '\\' && strings.IndexByte("nrtbf", before[n-1]) >= 0 {
		slashes := 0
		for k := n - 2; k >= 0 && before[k] == '\\'; k-- {
			slashes++
		}
		return slashes%2 == 1
	}
	return n >= 6 && before[n-6] == '\\' && before[n-5] == 'u'
}

// ends says whether a path ends in front of a text, or goes on into a directory.
func ends(after []byte) bool {
	return len(after) == 0 || !inPath(after[0]) || after[0] == '/' || after[0] == '.' && (len(after) == 1 || !inPath(after[1]))
}

// inPath says whether a byte goes on with a path's name.
func inPath(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80 || strings.IndexByte("/._-~", b) >= 0
}
