package codebase

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// A .gitignore of the codebase hides source code in silence from nobody: in a repository it is listed, outside of one its
// lines are counted, too. What every project ignores is no reason to doubt a review.
func TestIgnoredSourceIsListed(t *testing.T) {
	files := map[string]string{
		".gitignore": "/hidden.py\nlocal/\nnode_modules/\n*.log\n__pycache__/\ntracked.py\nmine.py\n",
		"a.py":       "x = 1\n", "hidden.py": "y = 2\nz = 3\n", "run.log": "log\n", "tracked.py": "t = 1\n", "mine.py": "m = 1\n",
		"local/deep/evil.py": "e = 1\n", "local/notes.txt": "text\n", "local/node_modules/x.js": "x\n", "node_modules/m/index.js": "x\n",
		"__pycache__/a.cpython-312.pyc": "\x00",
	}
	for _, withGit := range []bool{true, false} {
		t.Run(fmt.Sprintf("git %t", withGit), func(t *testing.T) {
			dir := runtest.Tree(t, files)
			want := map[string]Skip{
				"hidden.py":          {Source: true, Bytes: 12, Lines: 2},
				"tracked.py":         {Source: true, Bytes: 6, Lines: 1},
				"local/":             {Bytes: Unknown, Lines: Unknown},
				"local/deep/evil.py": {Source: true, Bytes: 6, Lines: 1},
				"__pycache__/":       {Bytes: Unknown, Lines: Unknown},
			}
			if withGit {
				git(t, dir, "init", "-q")
				git(t, dir, "add", "-f", "tracked.py")
				want = map[string]Skip{"hidden.py": {Source: true, Bytes: Unknown, Lines: Unknown}, "local/": want["local/"],
					"__pycache__/": want["__pycache__/"]}
			}
			c, err := load(t.Context(), dir, Options{Exclude: []string{"mine.py"}}, findGit)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]Skip{}
			for _, s := range c.Skipped() {
				if s.Why == whyIgnored && s.By == ByCodebase {
					got[s.Path] = Skip{Source: s.Source, Bytes: s.Bytes, Lines: s.Lines}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if _, read := c.Text("tracked.py"); read != withGit {
				t.Errorf("what git tracks was read: %t", read)
			}
		})
	}
}

// A large ignored directory is one entry more, and its first files.
func TestALargeIgnoredDirectoryIsNotLookedThrough(t *testing.T) {
	files := map[string]string{".gitignore": "out/\n", "a.py": "x = 1\n"}
	for i := range maxLooked + 10 {
		files[fmt.Sprintf("out/f%05d.txt", i)] = "x\n"
	}
	c, err := load(t.Context(), runtest.Tree(t, files), Options{}, noGit)
	if err != nil {
		t.Fatal(err)
	}
	if all := c.Skipped(); len(all) != 1 || all[0].Path != "out/" || !strings.Contains(all[0].Why, "too much to look at") {
		t.Errorf("%+v", all)
	}
}
