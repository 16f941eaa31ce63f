package codebase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Introduced is the commit that brought a line.
type Introduced struct {
	Commit string
	Date   string // of the author, YYYY-MM-DD, where the author was
}

// Line is a line of a file, from 1.
type Line struct {
	Path   string
	Number int
}

// What Blame asks git for at most.
const (
	blameAtOnce   = 4
	maxBlamed     = 64 << 10 // bytes of a line of git's answer
	maxRangesAsk  = 200      // lines of one file
	maxBlamedFile = 4 << 20  // bytes
)

// Blame says which commits brought lines of the codebase, for those that git can tell of: the codebase has a history, the
// line stands in the commit that was loaded, and the history reaches back far enough (a shallow clone's may not). It never
// fails: when ctx ends, it gives what it knows by then.
//
// It asks about the commit, never about the work tree: that would run the filters that a repository's configuration names.
func (c *Codebase) Blame(ctx context.Context, lines []Line) map[Line]Introduced {
	found := map[Line]Introduced{}
	git, ok := c.git()
	if !ok {
		return found
	}
	byFile := map[string][]int{}
	var paths []string
	for _, l := range lines {
		if byFile[l.Path] == nil {
			paths = append(paths, l.Path)
		}
		if !slices.Contains(byFile[l.Path], l.Number) && len(byFile[l.Path]) < maxRangesAsk {
			byFile[l.Path] = append(byFile[l.Path], l.Number)
		}
	}
	stored, err := Read(ctx, c.root, paths, Options{Commit: c.commit, MaxFileBytes: maxBlamedFile})
	if err != nil {
		return found
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	room := make(chan struct{}, blameAtOnce)
	for _, p := range paths {
		text, ok := c.Text(p)
		then, known := stored.Text(p)
		if !ok || !known {
			continue
		}
		now := map[int]int{} // by line in the commit
		for _, n := range byFile[p] {
			if at := sameLine(text, then, n); at > 0 {
				now[at] = n
			}
		}
		if len(now) == 0 {
			continue
		}
		room <- struct{}{}
		all.Go(func() {
			defer func() { <-room }()
			commits, err := git.blame(ctx, c.commit, p, now)
			if err != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for at, commit := range commits {
				if n, asked := now[at]; asked {
					found[Line{p, n}] = commit
				}
			}
		})
	}
	all.Wait()
	return found
}

// sameLine gives the line of then that line n of now is, as long as all that differs stands behind it or before it; 0 when
// that cannot be told.
func sameLine(now, then string, n int) int {
	a, b := strings.SplitAfter(now, "\n"), strings.SplitAfter(then, "\n")
	if n < 1 || n > len(a) || a[n-1] == "" { // git refuses a line that is not there, and the others with it
		return 0
	}
	if n <= len(b) && slices.Equal(a[:n], b[:n]) {
		return n
	}
	if at := n + len(b) - len(a); at > 0 && slices.Equal(a[n-1:], b[at-1:]) {
		return at
	}
	return 0
}

// blame asks which commits brought lines of one file of a commit.
func (g gitRepo) blame(ctx context.Context, commit, path string, lines map[int]int) (map[int]Introduced, error) {
	args := []string{"blame", "--porcelain", "--no-textconv", "--no-ext-diff"}
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		args = append(args, "-L", fmt.Sprintf("%d,%d", n, n))
	}
	args = append(args, commit, "--", path)
	var answer blameAnswer
	err := g.run(ctx, nil, func(r *bufio.Reader) (err error) {
		answer, err = readBlame(r)
		return err
	}, args...)
	if err != nil || len(answer.boundary) == 0 {
		return answer.lines, err
	}
	// Where the history ends, git cannot tell the first commit from one whose parents were not fetched. The commit itself can.
	var ends []blob
	for sha := range answer.boundary {
		ends = append(ends, blob{sha: sha})
	}
	parents := map[string]bool{}
	err = g.readBlobs(ctx, ends, func(i int, content []byte) {
		_, rest, _ := strings.Cut(string(content), "\n")
		parents[ends[i].sha] = content == nil || strings.HasPrefix(rest, "parent ")
	})
	for n, found := range answer.lines {
		if answer.boundary[found.Commit] && parents[found.Commit] {
			delete(answer.lines, n)
		}
	}
	return answer.lines, err
}

// blameAnswer is what git blame --porcelain said: a commit by line, and at which commits the history ended.
type blameAnswer struct {
	lines    map[int]Introduced
	boundary map[string]bool
}

var errBlame = errors.New("git blame said something else than expected")

// readBlame reads the output of git blame --porcelain: for each line "SHA THEN NOW [COUNT]", what is known of the commit where
// it is named for the first time, and, after a tab, the line.
func readBlame(r *bufio.Reader) (blameAnswer, error) {
	answer := blameAnswer{lines: map[int]Introduced{}, boundary: map[string]bool{}}
	dates := map[string]string{}
	var sha, seconds, zone string
	line := 0
	for {
		text, err := readLine(r)
		if errors.Is(err, io.EOF) {
			return answer, nil
		}
		if err != nil {
			return answer, err
		}
		key, value, _ := strings.Cut(text, " ")
		switch {
		case line == 0:
			fields := strings.Fields(value)
			if !isHash(key) || len(fields) < 2 {
				return answer, errBlame
			}
			if line, err = strconv.Atoi(fields[1]); err != nil || line < 1 {
				return answer, errBlame
			}
			sha, seconds, zone = key, "", ""
		case strings.HasPrefix(text, "\t"):
			if dates[sha] == "" {
				dates[sha] = authorDate(seconds, zone)
			}
			if dates[sha] != "" && strings.Trim(sha, "0") != "" {
				answer.lines[line] = Introduced{Commit: sha, Date: dates[sha]}
			}
			line = 0
		case key == "author-time":
			seconds = value
		case key == "author-tz":
			zone = value
		case text == "boundary":
			answer.boundary[sha] = true
		}
	}
}

// readLine reads a line, of a long one the beginning.
func readLine(r *bufio.Reader) (string, error) {
	part, err := r.ReadSlice('\n')
	text := string(part[:min(len(part), maxBlamed)])
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	if err != nil && (text == "" || !errors.Is(err, io.EOF)) {
		return "", err
	}
	return strings.TrimSuffix(text, "\n"), nil
}

func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// authorDate is the day of a commit where its author was, "" when git names none that there can be.
func authorDate(seconds, zone string) string {
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || s < 0 || s > 1<<36 {
		return ""
	}
	at := time.Unix(s, 0).UTC()
	if there, err := time.Parse("-0700", zone); err == nil {
		at = at.In(there.Location())
	}
	return at.Format(time.DateOnly)
}
