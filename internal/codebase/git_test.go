package codebase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// history makes a repository of two commits and gives it with their hashes.
func history(t *testing.T) (dir, first, second string) {
	dir = runtest.Tree(t, map[string]string{
		"main.go": "package main\n", "sub/a.py": "x = 1\n", "-dash.py": "d = 1\n", "quote\"\n.py": "q = 1\n",
		"vendor/v.go": "package v\n", "logo.png": "\x00", ".deeprepoignore": "notes/\n", "notes/n.md": "# n\n", "caf\xe9.py": "",
	})
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "first")
	first = git(t, dir, "rev-parse", "HEAD")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main // two\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.py")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "second")
	return dir, first, git(t, dir, "rev-parse", "HEAD")
}

func TestLoadCommit(t *testing.T) {
	dir, first, second := history(t)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package dirty\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "-bare.git")
	git(t, dir, "clone", "-q", "--bare", dir, bare)
	all := []string{"-dash.py", ".deeprepoignore", "main.go", "quote\"\n.py", "sub/a.py"}
	for _, tc := range []struct {
		name, path string
		o          Options
		commit     string
		main       string
		paths      []string
	}{
		{"work tree", dir, Options{}, second, "package dirty\n", all},
		{"hash", dir, Options{Commit: first}, first, "package main\n", all},
		{"relative", dir, Options{Commit: "HEAD~1"}, first, "package main\n", all},
		{"head", dir, Options{Commit: "HEAD"}, second, "package main // two\n", all},
		{"bare", bare, Options{}, second, "package main // two\n", all},
		{"bare and commit", bare, Options{Commit: first}, first, "package main\n", all},
		{"file URL", "file://" + filepath.ToSlash(bare), Options{}, second, "package main // two\n", all},
		{"dot git", filepath.Join(dir, ".git"), Options{}, second, "package main // two\n", all},
		{"subdirectory", filepath.Join(dir, "sub"), Options{Commit: first}, first, "", []string{"a.py"}},
		{"subdirectory of the work tree", filepath.Join(dir, "sub"), Options{}, second, "", []string{"a.py"}},
		{"include", dir, Options{Commit: first, Include: []string{"*.py"}, Exclude: []string{"sub"}}, first, "", []string{"-dash.py", "quote\"\n.py"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := Load(context.Background(), tc.path, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			if c.Commit() != tc.commit {
				t.Errorf("commit %s, want %s", c.Commit(), tc.commit)
			}
			if text, _ := c.Text("main.go"); text != tc.main {
				t.Errorf("main.go is %q, want %q", text, tc.main)
			}
			if diff := cmp.Diff(tc.paths, c.Paths()); diff != "" {
				t.Error(diff)
			}
		})
	}
	c, err := Load(context.Background(), bare, Options{MaxFileBytes: 19})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"link.py": "symlink: not followed", "vendor/": "vendored", "logo.png": "binary", "notes/": "excluded",
		"caf\uFFFD.py": "file name is not valid UTF-8", "main.go": "too large: 20 bytes, the limit is 19 bytes",
	}
	if diff := cmp.Diff(want, skips(c)); diff != "" {
		t.Error(diff)
	}
}

func TestCommitErrors(t *testing.T) {
	dir, _, _ := history(t)
	plain := runtest.Tree(t, map[string]string{"a.py": "x\n"})
	for _, tc := range []struct {
		path, commit string
		look         func() (string, bool)
		want         error
	}{
		{dir, "nope", findGit, ErrCommit},
		{dir, "--output=x", findGit, ErrCommit},
		{dir, "HEAD:main.go", findGit, ErrCommit},
		{plain, "HEAD", findGit, ErrCommit},
		{dir, "HEAD", noGit, ErrGit},
	} {
		_, err := load(context.Background(), tc.path, Options{Commit: tc.commit}, tc.look)
		var e *Error
		if !errors.Is(err, tc.want) || !errors.As(err, &e) || e.Hint() == "" {
			t.Errorf("%s: %v", tc.commit, err)
		}
	}
}

// TestHostileRepository loads a repository whose configuration names programs.
func TestHostileRepository(t *testing.T) {
	dir, first, _ := history(t)
	ran := filepath.Join(t.TempDir(), "ran")
	script, text := filepath.Join(t.TempDir(), "evil.sh"), []byte("#!/bin/sh\necho \"$0 $*\" >> "+ran+"\n")
	if err := os.WriteFile(script, text, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "pre-auto-gc", "reference-transaction", "post-checkout"} {
		if err := os.WriteFile(filepath.Join(dir, ".git", "hooks", hook), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, kv := range [][2]string{
		{"core.fsmonitor", script}, {"core.pager", script}, {"core.sshCommand", script}, {"core.editor", script}, {"core.askPass", script},
		{"core.alternateRefsCommand", script}, {"credential.helper", "!" + script}, {"filter.x.clean", script}, {"filter.x.smudge", script},
		{"diff.external", script}, {"alias.ls-files", "!" + script}, {"core.gitProxy", script}, {"uploadpack.packObjectsHook", script},
		{"extensions.partialClone", "origin"}, {"remote.origin.promisor", "true"}, {"remote.origin.url", "ext::" + script + " %S"}, {"protocol.ext.allow", "always"},
		{"core.repositoryFormatVersion", "1"},
	} {
		git(t, dir, "config", kv[0], kv[1])
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte("* filter=x diff=x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	check := func(what string) {
		t.Helper()
		if b, err := os.ReadFile(ran); err == nil {
			t.Fatalf("%s ran the repository's program: %s", what, b)
		}
	}
	if _, err := Load(context.Background(), dir, Options{}); err != nil {
		t.Error(err)
	}
	check("loading the work tree")
	if _, err := Load(context.Background(), dir, Options{Commit: first}); err != nil {
		t.Error(err)
	}
	check("loading a commit")

	// An object that the store lacks would be fetched through the remote.
	blob := git(t, dir, "rev-parse", first+":main.go")
	if err := os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	c, err := Load(context.Background(), dir, Options{Commit: first})
	check("loading a commit with a missing object")
	switch {
	case err != nil && !errors.Is(err, ErrGit):
		t.Error(err)
	case err == nil && skips(c)["main.go"] == "":
		t.Error("the missing file is not reported")
	}
}

// TestWorkTreeElsewhere loads a repository that claims another work tree.
func TestWorkTreeElsewhere(t *testing.T) {
	dir, _, _ := history(t)
	outside := runtest.Tree(t, map[string]string{"secret.txt": "s\n"})
	git(t, dir, "config", "core.worktree", outside)
	c, err := Load(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Text("secret.txt"); ok || c.Stats().Files == 0 {
		t.Errorf("paths %q", c.Paths())
	}
}

func TestSubmoduleAndDeleted(t *testing.T) {
	inner, _, _ := history(t)
	dir := runtest.Tree(t, map[string]string{"a.py": "x\n", "gone.py": "y\n", "new.py": "z\n"})
	git(t, dir, "init", "-q")
	git(t, dir, "submodule", "--quiet", "add", inner, "mod")
	git(t, dir, "add", "a.py", "gone.py")
	git(t, dir, "commit", "-qm", "x")
	if err := os.Remove(filepath.Join(dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "clone", "-q", inner, "nested")
	c, err := Load(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".gitmodules", "a.py", "new.py"}, c.Paths()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"mod": whySubmodule, "nested/": whySubmodule}, skips(c)); diff != "" {
		t.Error(diff)
	}
	c, err = Load(context.Background(), dir, Options{Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if got := skips(c)["mod"]; got != whySubmodule {
		t.Errorf("mod: %q", got)
	}
}

// TestIgnoredDirectory loads a directory that its repository ignores.
func TestIgnoredDirectory(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{".gitignore": "out/\n", "out/a.py": "x\n"})
	git(t, dir, "init", "-q")
	c, err := Load(context.Background(), filepath.Join(dir, "out"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.py"}, c.Paths()); diff != "" {
		t.Error(diff)
	}
}

func FuzzReadBatch(f *testing.F) {
	f.Add("0123 blob 3\nabc\n4567 missing\n")
	f.Add("0123 blob 99999999999\nabc\n")
	f.Add("0123 blob -1\n\n")
	f.Fuzz(func(t *testing.T, out string) {
		n := 0
		err := readBatch(bufio.NewReader(strings.NewReader(out)), 3, func(i int, content []byte) {
			if i != n || len(content) > len(out) {
				t.Fatal(fmt.Sprint(i, n, len(content)))
			}
			n++
		})
		if err == nil && n != 3 {
			t.Fatalf("%d visits", n)
		}
	})
}
