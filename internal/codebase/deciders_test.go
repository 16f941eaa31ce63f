package codebase

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

// What decides about a directory's files lies around it, in git's own directory and in the user's; of a linked work tree in two
// of git's.
func TestDeciders(t *testing.T) {
	home, err := filepath.EvalSymlinks(runtest.Tree(t, map[string]string{
		"mine": "[include]\n\tpath = more\n", "more": "[core]\n\texcludesFile = ~/never\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	if err := os.Symlink(filepath.Join(home, "mine"), filepath.Join(home, ".gitconfig")); err != nil {
		t.Fatal(err)
	}
	top, err := filepath.EvalSymlinks(runtest.Tree(t, map[string]string{"repo/pkg/in/a.py": "x\n"}))
	if err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(top, "repo")
	git(t, repo, "init", "-q")
	git(t, repo, "add", ".")
	git(t, repo, "commit", "-qm", "all")
	git(t, repo, "worktree", "add", "-q", filepath.Join(top, "linked"))
	for dir, want := range map[string][]string{
		"repo/pkg/in": {"repo/.git/index", "repo/.git/HEAD", "repo/.git/info/exclude", "repo/.git/config", "repo/.gitignore",
			"repo/pkg/.gitignore", "repo/pkg/in/.gitignore", "repo/pkg/.git", "repo/pkg/in/.git"},
		"linked": {"repo/.git/worktrees/linked/index", "repo/.git/info/exclude", "repo/.git/config", "linked/.git", "linked/.gitignore"},
	} {
		got, err := Deciders(t.Context(), filepath.Join(top, dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range want {
			if !slices.Contains(got, filepath.Join(top, name)) {
				t.Errorf("%s: %s is not among %s", dir, name, strings.Join(got, "\n"))
			}
		}
		for _, name := range []string{".gitconfig", "mine", "more", "never", ".config/git/ignore"} {
			if !slices.Contains(got, filepath.Join(home, name)) {
				t.Errorf("%s: the user's %s is not among %s", dir, name, strings.Join(got, "\n"))
			}
		}
		if slices.Contains(got, filepath.Join(top, "repo/.git")) {
			t.Errorf("%s: git's directory, which changes with all that is done", dir)
		}
	}
	outside, err := Deciders(t.Context(), top)
	for _, at := range []string{top, filepath.Dir(top)} {
		if err != nil || !slices.Contains(outside, filepath.Join(at, ".git")) {
			t.Errorf("of no repository: %v, %s", err, outside)
		}
	}
}
