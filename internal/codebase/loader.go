package codebase

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// loader gathers files and skips. Its caps are applied in path order, so the
// same tree gives the same codebase whatever the timing of its readers.
type loader struct {
	ctx      context.Context
	o        Options
	include  ignoreList
	exclude  ignoreList
	loaded   []loadedFile
	skipped  []Skip
	seenSkip map[Skip]bool
	total    int64
	full     string // the reason why no more is read, "" while there is room
	unlisted int    // files that no include glob matched
	overflow int    // files after full was set
	overPath string // the first of them
}

func newLoader(ctx context.Context, o Options, fileRules []ignoreRule) *loader {
	return &loader{
		ctx: ctx, o: o, seenSkip: map[Skip]bool{},
		include: ignoreList{rules: parseIgnore(strings.Join(o.Include, "\n"))},
		exclude: ignoreList{rules: append(fileRules, parseIgnore(strings.Join(o.Exclude, "\n"))...)},
	}
}

// skip records a reason once: a directory's is met again with each of its files.
func (l *loader) skip(path, why string) {
	s := Skip{Path: perByte([]byte(path)), Why: why}
	if !l.seenSkip[s] {
		l.seenSkip[s] = true
		l.skipped = append(l.skipped, s)
	}
}

// wants judges a path before anything is read of it, and records why not.
func (l *loader) wants(p string) bool {
	switch {
	case inVCS(p):
		return false
	case !filepath.IsLocal(filepath.FromSlash(p)):
		l.skip(p, whySpecial+": path leaves the root")
		return false
	case !utf8.ValidString(p):
		l.skip(p, whyName)
		return false
	}
	if dir := vendoredDir(p); dir != "" {
		l.skip(dir, whyVendored)
		return false
	}
	if by := l.exclude.excludedBy(p); by != "" {
		l.skip(by, whyExcluded)
		return false
	}
	if len(l.o.Include) > 0 && l.include.excludedBy(p) == "" {
		l.unlisted++
		return false
	}
	if why := skipByName(p); why != "" {
		l.skip(p, why)
		return false
	}
	return true
}

// readResult is what reading one file came to. Neither why nor file: it is gone.
type readResult struct {
	file loadedFile
	why  string
	ok   bool
}

// add takes the results in path order and applies the caps.
func (l *loader) add(p string, r readResult) {
	switch {
	case r.why != "":
		l.skip(p, r.why)
	case !r.ok:
	case l.full != "":
		l.over(p)
	case len(l.loaded) >= l.o.MaxFiles:
		l.full = fmt.Sprintf("%s of %d", whyCount, l.o.MaxFiles)
		l.over(p)
	case l.total+int64(r.file.Bytes) > l.o.MaxTotalBytes:
		l.full = fmt.Sprintf("%s of %s", whyTotal, size(l.o.MaxTotalBytes))
		l.over(p)
	default:
		l.total += int64(r.file.Bytes)
		l.loaded = append(l.loaded, r.file)
	}
}

func (l *loader) over(p string) {
	if l.overflow == 0 {
		l.overPath = p
	}
	l.overflow++
}

// batch is how many files are read between two looks at the caps, stride how
// many neighbours one reader takes at a time.
const (
	batch  = 1024
	stride = 32
)

// readWorkTree reads paths, which are sorted, in parallel.
func (l *loader) readWorkTree(root *os.Root, dir string, paths []string) error {
	paths = slices.DeleteFunc(paths, func(p string) bool { return !l.wants(p) })
	readers := make([]reader, min(4*runtime.GOMAXPROCS(0), batch/stride))
	for i := range readers {
		readers[i] = reader{root: root, dir: dir, limit: l.o.MaxFileBytes}
		defer readers[i].close()
	}
	results := make([]readResult, min(batch, len(paths)))
	for len(paths) > 0 {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if l.full != "" {
			for _, p := range paths {
				l.over(p)
			}
			return nil
		}
		part := paths[:min(batch, len(paths))]
		var wg sync.WaitGroup
		var taken atomic.Int64
		for w := range readers {
			wg.Go(func() {
				for {
					to := int(taken.Add(stride))
					from := to - stride
					if from >= len(part) {
						return
					}
					for i := from; i < min(to, len(part)); i++ {
						results[i] = readers[w].read(part[i])
					}
				}
			})
		}
		wg.Wait()
		for i, p := range part {
			l.add(p, results[i])
			results[i] = readResult{}
		}
		paths = paths[len(part):]
	}
	return nil
}

// judge decodes a file's content and says whether it is source.
func judge(p string, content []byte) readResult {
	if isBinary(content) {
		return readResult{why: whyBinary}
	}
	text := Decode(content)
	if why := skipByText(languageOf(p, text), text); why != "" {
		return readResult{why: why}
	}
	return readResult{file: describe(p, text, len(content)), ok: true}
}

// readCommit reads the blobs of a commit.
func (l *loader) readCommit(git gitRepo, blobs []blob) error {
	slices.SortFunc(blobs, func(a, b blob) int { return strings.Compare(a.path, b.path) })
	for _, b := range blobs {
		if b.path == ".deeprepoignore" && b.mode != "120000" && b.size >= 0 && b.size <= maxIgnoreFile {
			err := git.readBlobs(l.ctx, []blob{b}, func(_ int, content []byte) {
				l.exclude.rules = append(parseIgnore(string(content)), l.exclude.rules...)
			})
			if err != nil {
				return err
			}
		}
	}
	blobs = slices.DeleteFunc(blobs, func(b blob) bool {
		if !l.wants(b.path) {
			return true
		}
		why := ""
		switch {
		case b.mode == "160000":
			why = whySubmodule
		case b.mode == "120000":
			why = whySymlink + ": not followed"
		case b.size > l.o.MaxFileBytes:
			why = fmt.Sprintf("%s: %s, the limit is %s", whyTooLarge, size(b.size), size(l.o.MaxFileBytes))
		}
		if why != "" {
			l.skip(b.path, why)
		}
		return why != ""
	})
	for len(blobs) > 0 {
		if l.full != "" {
			for _, b := range blobs {
				l.over(b.path)
			}
			return nil
		}
		part := blobs[:min(batch*16, len(blobs))]
		err := git.readBlobs(l.ctx, part, func(i int, content []byte) {
			if content == nil {
				l.skip(part[i].path, whyUnreadable+": not in the object store")
				return
			}
			l.add(part[i].path, judge(part[i].path, content))
		})
		if err != nil {
			return err
		}
		blobs = blobs[len(part):]
	}
	return nil
}

func (l *loader) finish(path, dir, commit string) (*Codebase, error) {
	if l.unlisted > 0 {
		l.skip("", fmt.Sprintf("%s: %d files", whyNotIncluded, l.unlisted))
	}
	if l.overflow > 0 {
		l.skip(l.overPath, fmt.Sprintf("%s: this file and %d after it", l.full, l.overflow-1))
	}
	if len(l.loaded) == 0 {
		return nil, noSource(path, l.skipped)
	}
	return assemble(dir, commit, l.loaded, l.skipped), nil
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
