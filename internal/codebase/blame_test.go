package codebase

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// blamed makes a repository whose file was changed three times and gives it with its commits.
func blamed(t *testing.T) (dir string, commits []string) {
	dir = runtest.Tree(t, map[string]string{"sub/a.py": "one\n", "b.py": "b\n"})
	git(t, dir, "init", "-q")
	for _, text := range []string{"one\n", "one\ntwo\n", "one\ntwo\nthree\n"} {
		runtest.WriteFile(t, filepath.Join(dir, "sub", "a.py"), text)
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-qm", "c")
		commits = append(commits, git(t, dir, "rev-parse", "HEAD"))
	}
	return dir, commits
}

func loaded(t *testing.T, dir string, o Options) *Codebase {
	t.Helper()
	c, err := Load(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func blameOf(c *Codebase, path string, lines ...int) map[int]string {
	var ask []Line
	for _, n := range lines {
		ask = append(ask, Line{path, n})
	}
	got := map[int]string{}
	for l, found := range c.Blame(context.Background(), ask) {
		got[l.Number] = found.Commit
	}
	return got
}

func TestBlame(t *testing.T) {
	dir, c := blamed(t)
	all := map[int]string{1: c[0], 2: c[1], 3: c[2]}
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, dir, "clone", "-q", "--bare", dir, bare)
	for name, tt := range map[string]struct {
		path, file string
		o          Options
		want       map[int]string
	}{
		"work tree":       {dir, "sub/a.py", Options{}, all},
		"directory in it": {filepath.Join(dir, "sub"), "a.py", Options{}, all},
		"commit":          {dir, "sub/a.py", Options{Commit: "HEAD~1"}, map[int]string{1: c[0], 2: c[1]}},
		"bare":            {bare, "sub/a.py", Options{}, all},
		"no such file":    {dir, "none.py", Options{}, map[int]string{}},
		"no git":          {runtest.Tree(t, map[string]string{"a.py": "x\n"}), "a.py", Options{}, map[int]string{}},
	} {
		if diff := cmp.Diff(tt.want, blameOf(loaded(t, tt.path, tt.o), tt.file, 1, 2, 3, 99)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	day := loaded(t, dir, Options{}).Blame(context.Background(), []Line{{"b.py", 1}})[Line{"b.py", 1}].Date
	if want := git(t, dir, "log", "-1", "--format=%ad", "--date=short", c[0]); day != want {
		t.Errorf("date %q, want %q", day, want)
	}
}

// A line of a changed file is found where only what stands before it or behind it has changed.
func TestBlameOfAChangedFile(t *testing.T) {
	dir, c := blamed(t)
	file := filepath.Join(dir, "sub", "a.py")
	for text, want := range map[string]map[int]string{
		"one\ntwo\nthree\nfour\n":  {1: c[0], 2: c[1], 3: c[2]},
		"zero\none\ntwo\nthree\n":  {2: c[0], 3: c[1], 4: c[2]},
		"one\nother\ntwo\nthree\n": {1: c[0], 3: c[1], 4: c[2]},
		"all\nother\n":             {},
	} {
		runtest.WriteFile(t, file, text)
		if diff := cmp.Diff(want, blameOf(loaded(t, dir, Options{}), "sub/a.py", 1, 2, 3, 4)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// In a shallow clone the oldest commit seems to have brought all that is older.
func TestBlameOfAShallowClone(t *testing.T) {
	dir, c := blamed(t)
	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, dir, "clone", "-q", "--depth", "2", "file://"+filepath.ToSlash(dir), shallow)
	if diff := cmp.Diff(map[int]string{3: c[2]}, blameOf(loaded(t, shallow, Options{}), "sub/a.py", 1, 2, 3)); diff != "" {
		t.Error(diff)
	}
}

// Nothing that a repository's configuration names is run.
func TestBlameRunsNothing(t *testing.T) {
	dir, c := blamed(t)
	mark := filepath.Join(t.TempDir(), "ran")
	run := "touch " + mark
	for key, value := range map[string]string{"filter.x.clean": run, "filter.x.smudge": run, "diff.x.textconv": run, "diff.x.command": run,
		"core.fsmonitor": run, "core.pager": run, "core.editor": run, "alias.blame": "!" + run} {
		git(t, dir, "config", key, value)
	}
	runtest.WriteFile(t, filepath.Join(dir, ".git", "info", "attributes"), "* filter=x diff=x\n")
	if diff := cmp.Diff(map[int]string{2: c[1]}, blameOf(loaded(t, dir, Options{}), "sub/a.py", 2)); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestBlameEndsWithItsContext(t *testing.T) {
	dir, _ := blamed(t)
	c := loaded(t, dir, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := c.Blame(ctx, []Line{{"b.py", 1}}); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

const sha1a, sha1b = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

func TestReadBlame(t *testing.T) {
	head := "author-time 1700000000\nauthor-tz +1300\n"
	for name, tt := range map[string]struct {
		text string
		want map[int]Introduced
		bad  bool
	}{
		"a commit named once": {sha1a + " 1 1 1\n" + head + "filename x\n\tcode\n" + sha1a + " 2 7 1\n\tauthor-time 1\n",
			map[int]Introduced{1: {sha1a, "2023-11-15"}, 7: {sha1a, "2023-11-15"}}, false},
		"not committed":   {strings.Repeat("0", 40) + " 1 1 1\n" + head + "\tcode\n", map[int]Introduced{}, false},
		"no date":         {sha1a + " 1 1 1\n\tcode\n", map[int]Introduced{}, false},
		"a long line":     {sha1a + " 1 1 1\n" + head + "\t" + strings.Repeat("x", 1<<20) + "\n" + sha1b + " 1 2\n\tx\n", map[int]Introduced{1: {sha1a, "2023-11-15"}}, false},
		"no hash":         {"--help 1 1\n\tx\n", map[int]Introduced{}, true},
		"no line":         {sha1a + " 1 x\n\tx\n", map[int]Introduced{}, true},
		"no line at all":  {sha1a + "\n\tx\n", map[int]Introduced{}, true},
		"a date too late": {sha1a + " 1 1\nauthor-time 99999999999999\n\tx\n", map[int]Introduced{}, false},
	} {
		got, err := readBlame(bufio.NewReader(strings.NewReader(tt.text)))
		if diff := cmp.Diff(tt.want, got.lines); diff != "" || (err != nil) != tt.bad {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

func FuzzReadBlame(f *testing.F) {
	f.Add(sha1a + " 1 1 1\nauthor-time 1700000000\nauthor-tz +0100\nboundary\n\tcode\n")
	f.Add(sha1a + " 1 1\nauthor-time -1\nauthor-tz x\n\t\n" + sha1b + " 9 9\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := readBlame(bufio.NewReaderSize(strings.NewReader(text), 16))
		for n, found := range got.lines {
			if _, err := time.Parse(time.DateOnly, found.Date); n < 1 || !isHash(found.Commit) || err != nil {
				t.Errorf("line %d: %+v", n, found)
			}
		}
	})
}

func FuzzSameLine(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n", 3)
	f.Fuzz(func(t *testing.T, now, then string, n int) {
		if n < 1 {
			return
		}
		if at := sameLine(now, then, n); at > 0 && now != then &&
			strings.Split(now, "\n")[n-1] != strings.Split(then, "\n")[at-1] {
			t.Errorf("line %d is %d", n, at)
		}
	})
}
