package mcp_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
)

// A codebase is read again when anything has changed that decides what it holds, and only then.
func TestACodebaseIsReadAgainWhenItChanges(t *testing.T) {
	at := func(elements ...string) string { return filepath.Join(elements...) }
	write := func(name, text string) func(*place) error {
		return func(p *place) error { return os.WriteFile(at(p.root, name), []byte(text), 0o644) }
	}
	tests := []struct {
		name   string
		lay    func(testing.TB, *place)
		change func(*place) error
		stays  bool
	}{
		{"nothing", alone, func(*place) error { return nil }, true},
		{"a file", alone, write("pkg/a.py", "b = 20\n"), false},
		{"a file's text of the same size", alone, write("pkg/a.py", "b = 2\n"), false},
		{"a new file", alone, write("pkg/new.py", ""), false},
		{"no file", alone, func(p *place) error { return os.Remove(at(p.root, "pkg/a.py")) }, false},
		{"another name", alone, func(p *place) error { return os.Rename(at(p.root, "pkg/a.py"), at(p.root, "pkg/b.py")) }, false},
		{"an empty place", alone, write("empty/a.py", "x = 1\n"), false},
		{"what is ignored", alone, write(".gitignore", ""), false},
		{"a skipped file", alone, write("pkg/picture.bin", "text"), false},
		{"a list that ignores itself", alone, write("secret/.gitignore", "*.log\n"), false},
		{"a repository that comes around it", alone, func(p *place) error { return git(p.top, "init", "-q") }, false},
		{"nothing, in a directory of a repository", below, func(*place) error { return nil }, true},
		{"a file of the repository outside", below, func(p *place) error { return os.WriteFile(at(p.top, "x"), nil, 0o644) }, true},
		{"what the directory around it ignores", below, func(p *place) error {
			return os.WriteFile(at(p.top, ".gitignore"), []byte("a.py\n"), 0o644)
		}, false},
		{"the index of the repository around it", below, tracked, false},
		{"a list of the repository around it", below, func(p *place) error {
			return os.WriteFile(at(p.top, ".git/info/exclude"), []byte("a.py\n"), 0o644)
		}, false},
		{"nothing, in a linked work tree", linked, func(*place) error { return nil }, true},
		{"the index of a linked work tree", linked, tracked, false},
		{"a list of a linked work tree", linked, func(p *place) error {
			return os.WriteFile(at(p.top, ".git/info/exclude"), []byte("a.py\n"), 0o644)
		}, false},
		{"the user's list", below, func(p *place) error {
			return os.WriteFile(at(p.home, ".config/git/ignore"), []byte("a.py\n"), 0o644)
		}, false},
		{"a list that the user names", below, func(p *place) error {
			return os.WriteFile(at(p.home, "everywhere"), []byte("a.py\n"), 0o644)
		}, false},
		{"what a link of the user's leads to", below, func(p *place) error {
			return os.WriteFile(at(p.home, "dotfiles"), []byte("[core]\n\texcludesFile = ~/other\n"), 0o644)
		}, false},
		{"the repository's configuration", below, func(p *place) error {
			return git(p.top, "config", "core.excludesFile", at(p.home, "other"))
		}, false},
	}
	if runtime.GOOS == "linux" || runtime.GOOS == "darwin" { // others do not tell when a file was changed, but for its own time
		tests = append(tests, struct {
			name   string
			lay    func(testing.TB, *place)
			change func(*place) error
			stays  bool
		}{"a file of the same size and time", alone, func(p *place) error {
			name := at(p.root, "pkg/a.py")
			info, err := os.Stat(name)
			if err != nil {
				return err
			}
			err = os.WriteFile(name, []byte("b = 2\n"), 0o644)
			return errors.Join(err, os.Chtimes(name, time.Time{}, info.ModTime()))
		}, false})
	}
	var places []*place
	for _, test := range tests {
		p := newPlace(t)
		test.lay(t, p)
		places = append(places, p)
	}
	for range 20 { // until this machine is quick enough to read what was written just now
		began := time.Now()
		p := newPlace(t)
		alone(t, p)
		fresh, err := mcp.Fresh(t.Context(), p.root)
		if late := time.Since(began) >= 2*time.Second; err != nil || fresh != nil && !late {
			t.Errorf("what was written just now is trusted: %v", err)
		} else if !late {
			break
		}
	}
	settle()
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := places[i]
			t.Setenv("HOME", p.home)
			t.Setenv("XDG_CONFIG_HOME", "")
			fresh, err := mcp.Fresh(t.Context(), p.root)
			if fresh == nil {
				t.Fatalf("what is old is not trusted: %v", err)
			}
			if err := test.change(p); err != nil {
				t.Fatal(err)
			}
			if fresh() != test.stays {
				t.Errorf("fresh: %v", fresh())
			}
		})
	}
}

// place is where a codebase lies: its root, the directory or repository around it, and its user's home.
type place struct{ root, top, home string }

func newPlace(t testing.TB) *place {
	home := runtest.Tree(t, map[string]string{
		"dotfiles": "[core]\n\texcludesFile = ~/everywhere\n", "everywhere": "*.bak\n", ".config/git/ignore": "*.tmp\n",
	})
	if err := os.Symlink(filepath.Join(home, "dotfiles"), filepath.Join(home, ".gitconfig")); err != nil {
		t.Fatal(err)
	}
	return &place{home: home}
}

// alone is a codebase in no repository.
func alone(t testing.TB, p *place) {
	p.top = runtest.Tree(t, map[string]string{"code/pkg/a.py": "a = 1\n", "code/pkg/picture.bin": "\x00\x01", "code/.gitignore": "out/\n",
		"code/out/x.py": "y = 1\n", "code/secret/.gitignore": "*\n", "code/secret/x.py": "z = 1\n"})
	p.root = filepath.Join(p.top, "code")
	if err := os.Mkdir(filepath.Join(p.root, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// below is a codebase in a directory of a repository.
func below(t testing.TB, p *place) {
	p.top = runtest.Tree(t, map[string]string{".gitignore": "*.log\n", "sub/a.py": "a = 1\n", "sub/b.log": "b = 1\n"})
	p.root = filepath.Join(p.top, "sub")
	if err := errors.Join(git(p.top, "init", "-q"), git(p.top, "add", "."), git(p.top, "commit", "-qm", "all")); err != nil {
		t.Fatal(err)
	}
}

// linked is a codebase in a work tree beside its repository.
func linked(t testing.TB, p *place) {
	below(t, p)
	p.root = filepath.Join(t.TempDir(), "linked")
	err := git(p.top, "worktree", "add", "-q", p.root)
	if err = errors.Join(err, os.Mkdir(filepath.Join(p.root, "empty"), 0o755)); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(p.root, "b.log"), "b = 1\n")
}

// tracked has git track a file that it ignores, which changes nothing but its index.
func tracked(p *place) error { return git(p.root, "add", "-f", "b.log") }

func git(dir string, args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %v: %w: %s", args, err, out)
	}
	return nil
}

// settle waits until all that is written can be told from its next version.
func settle() { time.Sleep(mcp.Settled + 100*time.Millisecond) }

// BenchmarkGraphOfALargeCodebase asks for callers in 3,000 files of 10 KB.
func BenchmarkGraphOfALargeCodebase(b *testing.B) {
	files := map[string]string{}
	for i := range 3000 {
		text := fmt.Sprintf("import m%d\n\n", (i+1)%3000)
		for n := range 120 {
			text += fmt.Sprintf("def f%d_%d(x):\n    y = x + %d\n    return m%d.f%d_%d(y)\n\n", i, n, n, (i+1)%3000, (i+1)%3000, n)
		}
		files[fmt.Sprintf("pkg%02d/m%d.py", i%50, i)] = text
	}
	dir := runtest.Tree(b, files)
	settle()
	c := config(b, dir)
	c.GraphDir = b.TempDir()
	s := client(b, c, nil)
	args := map[string]any{"path": ".", "query": "callers", "name": "f7_7"}
	ask(b, s, "graph", args)
	for b.Loop() {
		ask(b, s, "graph", args)
	}
}
