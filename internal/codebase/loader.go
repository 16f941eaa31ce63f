package codebase

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/language"
)

// loader gathers files and skips. Its caps are applied in path order, so the
// same tree gives the same codebase whatever the timing of its readers.
type loader struct {
	ctx      context.Context
	o        Options
	include  ignoreList
	exclude  ignoreList
	effort   *effort // what is left for all ignore files of the codebase
	loaded   []loadedFile
	skipped  []Skip
	seenSkip map[Skip]bool
	hidden   []hidden // files that the codebase's own ignore files keep from a review
	noted    int      // ignored files and directories that were noted
	looked   int      // entries looked at inside ignored directories
	warned   []string
	total    int64
	full     string // the reason why no more is read, "" while there is room
	unlisted int    // files that no include glob matched
	overflow int    // files after full was set
	overPath string // the first of them
}

func newLoader(ctx context.Context, o Options) *loader {
	l := &loader{ctx: ctx, o: o, seenSkip: map[Skip]bool{}, effort: newEffort()}
	l.include.rules = parseIgnore(strings.Join(o.Include, "\n"))
	l.exclude.rules = parseIgnore(strings.Join(o.Exclude, "\n"))
	for _, list := range []*ignoreList{&l.include, &l.exclude} {
		list.effort = l.effort
		for i := range list.rules {
			list.rules[i].byUser = true
		}
	}
	return l
}

// skip records what is left out: a directory, or a file whose size and lines nobody has looked at.
func (l *loader) skip(path, why, by string) {
	l.note(Skip{Path: path, Why: why, By: by, Source: !strings.HasSuffix(path, "/") && isSource(path, ""), Bytes: Unknown, Lines: Unknown})
}

// note records a Skip once: a directory's is met again with each of its files.
func (l *loader) note(s Skip) {
	s.Path = perByte([]byte(s.Path))
	if !l.seenSkip[s] {
		l.seenSkip[s] = true
		l.skipped = append(l.skipped, s)
	}
}

func (l *loader) warn(format string, args ...any) {
	l.warned = append(l.warned, fmt.Sprintf(format, args...))
}

// wants judges a path before anything is read of it, and records why not.
func (l *loader) wants(p string) bool {
	switch {
	case inVCS(p):
		return false
	case !filepath.IsLocal(filepath.FromSlash(p)):
		l.note(Skip{Path: p, Why: whySpecial + ": path leaves the root", By: ByCodebase, Bytes: Unknown, Lines: Unknown})
		return false
	case !utf8.ValidString(p):
		l.skip(p, whyName, ByCodebase)
		return false
	}
	if dir := vendoredDir(p); dir != "" {
		l.skip(dir, whyVendored, ByProgram)
		return false
	}
	if by, byUser := l.exclude.excludedBy(p); by != "" {
		if byUser {
			l.skip(by, whyExcluded, ByUser)
			return false
		}
		l.skip(by, whyExcluded, ByCodebase)
		if by != p && (path.Ext(p) == "" || isSource(p, "")) {
			l.hidden = append(l.hidden, hidden{p, whyExcluded})
		}
		return false
	}
	if len(l.o.Include) > 0 {
		if by, _ := l.include.excludedBy(p); by == "" {
			l.unlisted++
			return false
		}
	}
	if why := skipByName(p); why != "" {
		l.skip(p, why, ByProgram)
		return false
	}
	return true
}

// readResult is what reading one file came to. Neither skip nor file: it is gone.
type readResult struct {
	file loadedFile
	skip Skip // without a path
	ok   bool
}

// left is the result for a file that is left out because of what it is.
func left(why string, source bool, size int64, lines int) readResult {
	return readResult{skip: Skip{Why: why, Source: source, By: ByCodebase, Bytes: size, Lines: lines}}
}

// add takes the results in path order and applies the caps.
func (l *loader) add(p string, r readResult) {
	switch {
	case r.skip.Why != "":
		r.skip.Path = p
		l.note(r.skip)
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
	if l.overflow++; l.overflow <= maxOver && isSource(p, "") {
		l.skip(p, l.full, ByCodebase)
	}
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
		readers[i] = reader{root: root, dir: dir, o: l.o}
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
	if isBinary(content, isSource(p, "")) {
		return left(whyBinary, isSource(p, ""), int64(len(content)), bytes.Count(content, []byte("\n")))
	}
	text := strings.ReplaceAll(Decode(content), "\x00", "\uFFFD")
	lang := languageOf(p, text)
	why := skipByText(lang, text)
	if why == "" {
		why = vendoredCopy(p, lang, text)
	}
	if why != "" {
		return left(why, language.Source(lang), int64(len(content)), countLines(text))
	}
	return readResult{file: describe(p, text, len(content)), ok: true}
}

// tooLarge is the result for a file over the limit.
func tooLarge(o Options, p string, n int64) readResult {
	r := left(fmt.Sprintf("%s: %s, the limit is %s", whyTooLarge, size(n), size(o.MaxFileBytes)), isSource(p, ""), n, Unknown)
	if n <= defaultMaxFileBytes { // the user chose a lower limit
		r.skip.By = ByUser
	}
	return r
}

// readCommit reads the blobs of a commit.
func (l *loader) readCommit(git gitRepo, blobs []blob) error {
	slices.SortFunc(blobs, func(a, b blob) int { return strings.Compare(a.path, b.path) })
	for _, b := range blobs {
		if b.path == ignoreName && b.mode != "120000" && b.size >= 0 && b.size <= maxIgnoreFile {
			err := git.readBlobs(l.ctx, []blob{b}, func(_ int, content []byte) { l.exclude.prepend(parseIgnore(string(content))) })
			if err != nil {
				return err
			}
		}
	}
	blobs = slices.DeleteFunc(blobs, func(b blob) bool {
		if !l.wants(b.path) {
			return true
		}
		var r readResult
		switch {
		case b.size <= l.o.MaxFileBytes && l.known(b, &r):
		case b.mode == "160000":
			r = left(whySubmodule, false, Unknown, Unknown)
		case b.mode == "120000":
			r = left(whySymlink+": not followed", false, Unknown, Unknown)
		case b.size > l.o.MaxFileBytes:
			r = tooLarge(l.o, b.path, b.size)
		default:
			return false
		}
		l.add(b.path, r)
		return true
	})
	for len(blobs) > 0 && l.full == "" {
		part := blobs[:min(batch*16, len(blobs))]
		err := git.readBlobs(l.ctx, part, func(i int, content []byte) {
			if content == nil {
				l.add(part[i].path, left(whyUnreadable+": not in the object store", isSource(part[i].path, ""), part[i].size, Unknown))
				return
			}
			l.add(part[i].path, judge(part[i].path, content))
		})
		if err != nil {
			return err
		}
		blobs = blobs[len(part):]
	}
	for _, b := range blobs {
		l.over(b.path)
	}
	return nil
}

// known takes a file of a commit from the snapshot that is like it, where its blob is that file's text.
func (l *loader) known(b blob, r *readResult) bool {
	if l.o.Like == nil || !strings.HasPrefix(b.mode, "100") {
		return false
	}
	i, ok := l.o.Like.index[b.path]
	if !ok || int64(len(l.o.Like.texts[i])) != b.size {
		return false
	}
	text := l.o.Like.texts[i]
	h := sha1.New() // #nosec G401 -- git's name of a content
	fmt.Fprintf(h, "blob %d\x00%s", b.size, text)
	if hex.EncodeToString(h.Sum(nil)) != b.sha {
		return false
	}
	*r = readResult{file: loadedFile{File: l.o.Like.files[i], text: text, chars: utf8.RuneCountInString(text)}, ok: true}
	return true
}

func (l *loader) finish(path, dir, commit string) (*Codebase, error) {
	if l.unlisted > 0 {
		l.skip("", fmt.Sprintf("%s: %d files", whyNotIncluded, l.unlisted), ByUser)
	}
	if l.overflow > 0 {
		l.note(Skip{Path: l.overPath, Why: fmt.Sprintf("%s: this file and %d after it", l.full, l.overflow-1), By: ByCodebase,
			Bytes: Unknown, Lines: Unknown})
	}
	if l.effort.spent() {
		l.warn("the ignore files of this codebase are too much work: files that they name may have been read")
	}
	if len(l.loaded) == 0 {
		return nil, noSource(path, l.skipped)
	}
	return l.assemble(dir, commit), nil
}

func (l *loader) assemble(dir, commit string) *Codebase {
	c := assemble(dir, commit, l.loaded, l.skipped)
	c.warned = l.warned
	return c
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
