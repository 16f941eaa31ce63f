package codebase

import (
	"os"
	"path/filepath"
	"testing"
)

// TestClone fetches a branch, a tag and a commit of a repository whose hooks and filters would leave a mark, as would one that
// the user has set.
func TestClone(t *testing.T) {
	repo := t.TempDir()
	mark := filepath.Join(t.TempDir(), "mark")
	g := gitRepo{binary: gitBinary(t), dir: repo, patience: gitPatience}
	git := func(args ...string) {
		t.Helper()
		cmd := g.command(t.Context(), append([]string{"-c", "user.email=a@b", "-c", "user.name=n"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(repo, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o755); err != nil { // #nosec G306 -- a hook is a program
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("a.txt", "one")
	write(".gitattributes", "*.txt filter=evil\n")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	git("tag", "v1")
	first := g.head(t.Context())
	write("a.txt", "two")
	git("commit", "-q", "-a", "-m", "two")
	git("config", "filter.evil.smudge", "touch "+mark)
	write(".git/hooks/post-checkout", "#!/bin/sh\ntouch "+mark+"\n")
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[filter \"evil\"]\n\tsmudge = touch "+mark+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{"": "two", "main": "two", "v1": "one", first: "one", first[:8]: "one"} {
		dir := filepath.Join(t.TempDir(), "clone")
		if err := Clone(t.Context(), "file://"+repo, ref, dir); err != nil {
			t.Errorf("%q: %v", ref, err)
			continue
		}
		code, err := Load(t.Context(), dir, Options{})
		if err != nil {
			t.Errorf("%q: %v", ref, err)
			continue
		}
		if text, _ := code.Text("a.txt"); text != want {
			t.Errorf("%q: %q", ref, text)
		}
	}
	for _, c := range [][2]string{{"file://" + repo, "none"}, {"file://" + repo + "/none", ""}, {"--upload-pack=touch " + mark, ""},
		{"ext::touch " + mark, ""}, {"file://" + repo, "--upload-pack=x"}} {
		dir := filepath.Join(t.TempDir(), "clone")
		if err := Clone(t.Context(), c[0], c[1], dir); err == nil {
			t.Errorf("%q %q was cloned", c[0], c[1])
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%q %q left a directory", c[0], c[1])
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program ran that the repository or its address names")
	}
}

func gitBinary(t *testing.T) string {
	t.Helper()
	binary, ok := findGit()
	if !ok {
		t.Fatal("git is needed")
	}
	return binary
}
