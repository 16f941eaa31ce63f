package runcode

import (
	"cmp"
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

//go:embed files.py
var filesPrelude string

// fetchRoom is how much standard error may hold beside the program's own, for the files that are fetched.
const fetchRoom = 16 << 20

// fetcher finds the files that a program in Python left in its standard error.
type fetcher struct {
	mark  string
	names []string
	given map[string][]byte
}

// attachFiles gives a program the files of its request. Without files it changes nothing.
func (q *request) attachFiles(p *sandbox.Program) *fetcher {
	if len(q.files) == 0 && len(q.FetchFiles) == 0 {
		return nil
	}
	slices.SortFunc(q.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	if p.Language != "" {
		for _, x := range q.files {
			p.Files = append(p.Files, sandbox.File{Name: x.name, Data: x.data})
		}
		p.Fetch = q.FetchFiles
		return nil
	}
	var nonce [12]byte
	_, _ = rand.Read(nonce[:]) // never fails; a program that knew the mark could only lie about its own files
	f := &fetcher{mark: "\x01" + hex.EncodeToString(nonce[:]) + "\x01", names: q.FetchFiles, given: map[string][]byte{}}
	contents := make(map[string]string, len(q.files))
	for _, x := range q.files {
		contents[x.name] = base64.StdEncoding.EncodeToString(x.data)
		f.given[x.name] = x.data
	}
	names := q.FetchFiles
	if names == nil {
		names = []string{}
	}
	p.Setup = filesPrelude + "_deeprepo_files(" + literal(contents) + ", " + literal(names) + ", " + literal(f.mark) +
		")\ndel _deeprepo_files\n"
	if len(names) > 0 {
		p.Limits.OutputBytes += fetchRoom
	}
	return f
}

// literal is a value as Python source. JSON of strings, and of lists and maps of them, is Python; encoding/json leaves
// no line separators in it.
func literal(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "None" // strings always marshal
	}
	return string(data)
}

// take gives the fetched files, base64, and the standard error without them.
func (f *fetcher) take(stderr string) (files map[string]string, rest string) {
	files = map[string]string{}
	if f == nil {
		return files, stderr
	}
	for _, name := range f.names {
		if data, ok := f.given[name]; ok {
			files[name] = base64.StdEncoding.EncodeToString(data)
		}
	}
	var b strings.Builder
	for {
		before, behind, ok := strings.Cut(stderr, f.mark)
		b.WriteString(before)
		if !ok {
			return files, b.String()
		}
		record, after, whole := strings.Cut(behind, f.mark)
		stderr = after
		number, data, _ := strings.Cut(record, ":")
		if i, err := strconv.Atoi(number); whole && err == nil && i >= 0 && i < len(f.names) {
			files[f.names[i]] = data
		}
	}
}
