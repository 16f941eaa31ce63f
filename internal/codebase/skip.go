package codebase

import (
	"context"
	"os"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/language"
)

// Who decided that a file was left out.
const (
	// ByUser is a flag, or the user's configuration.
	ByUser = "user"
	// ByCodebase is what the codebase itself holds: its .deeprepoignore, a mark in a text, a size, a kind of file.
	ByCodebase = "codebase"
	// ByProgram is a name by which deeprepo knows what no review needs: a vendored directory, a lock file, a tool's output.
	ByProgram = "program"
)

// Unknown is the size or the number of lines of a skipped file that was not counted.
const Unknown = -1

// Skip names a file, or with a trailing slash a directory, that was left out. Of a directory that the codebase's own ignore file
// names, each file of source code has a Skip of its own besides: a codebase must not hide its code by a file in it.
type Skip struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	// Source says that it is a file of source code: of a language that is neither prose nor data.
	Source bool   `json:"source"`
	By     string `json:"by"` // ByUser, ByCodebase or ByProgram
	// Bytes and Lines are Unknown where nobody counted them, as for directories and what the user left out.
	Bytes int64 `json:"bytes"`
	Lines int   `json:"lines"`
}

// isSource says whether a file holds source code. A file without an ending needs its text for that.
func isSource(name, text string) bool { return language.Source(languageOf(name, text)) }

// How much of skipped files is read to count their lines.
const (
	maxCounted    = 16 << 20  // of one file, in bytes
	maxCountedAll = 256 << 20 // of all
)

// maxOver is how many files of source code are listed one by one that lie over a limit on the number or size of files.
const maxOver = 10_000

// counter reads skipped files, in order. content is nil for one that is larger than most, which gives its size alone; a file that
// is not there is not visited.
type counter func(paths []string, most int64, visit func(i int, size int64, content []byte)) error

// count fills in the sizes and lines of the skipped source files, and adds those that lie in excluded directories. The
// order of the paths alone decides which are counted, so the same tree gives the same result.
func (l *loader) count(read counter) error {
	var paths []string
	for _, h := range l.hidden {
		paths = append(paths, h.path)
	}
	at := make([]int, len(paths))
	for i, s := range l.skipped {
		if s.By != ByUser && s.Lines == Unknown && s.Why != whyIgnored && (s.Source || s.Why == whyExcluded) {
			paths, at = append(paths, s.Path), append(at, i)
		}
	}
	return read(paths, maxCounted, func(i int, size int64, content []byte) {
		s := Skip{Path: paths[i], Why: whyExcluded, Source: isSource(paths[i], ""), By: ByCodebase, Bytes: size, Lines: Unknown}
		if i < len(l.hidden) {
			s.Why = l.hidden[i].why
		}
		if content != nil {
			text := string(content)
			s.Source, s.Lines = isSource(paths[i], text), countLines(text)
		}
		switch {
		case i >= len(l.hidden):
			old := &l.skipped[at[i]]
			old.Source, old.Bytes, old.Lines = old.Source || s.Source, s.Bytes, s.Lines
		case s.Source:
			l.note(s)
		}
	})
}

// countIn reads skipped files of a work tree.
func countIn(ctx context.Context, root *os.Root) counter {
	return func(paths []string, most int64, visit func(int, int64, []byte)) error {
		left := int64(maxCountedAll)
		for i, p := range paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			st, err := root.Lstat(p)
			if err != nil || !st.Mode().IsRegular() {
				continue
			}
			var content []byte
			if st.Size() <= min(most, left) {
				// One that cannot be read has a size.
				content, _ = bounded.ReadFileIn(root, p, most)
				left -= int64(len(content))
			}
			visit(i, st.Size(), content)
		}
		return nil
	}
}

// countBlobs reads skipped files of a commit.
func countBlobs(ctx context.Context, git gitRepo, blobs map[string]blob) counter {
	return func(paths []string, most int64, visit func(int, int64, []byte)) error {
		var wanted []blob
		var at []int
		left := int64(maxCountedAll)
		for i, p := range paths {
			b, ok := blobs[p]
			switch {
			case !ok || b.mode == "120000" || b.mode == "160000":
			case b.size > min(most, left):
				visit(i, b.size, nil)
			default:
				left -= b.size
				wanted, at = append(wanted, b), append(at, i)
			}
		}
		if len(wanted) == 0 {
			return nil
		}
		return git.readBlobs(ctx, wanted, func(i int, content []byte) { visit(at[i], wanted[i].size, content) })
	}
}
