package codebase

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
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
		if err := Clone(t.Context(), "file://"+repo, ref, dir, 0); err != nil {
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
		if err := Clone(t.Context(), c[0], c[1], dir, 0); err == nil {
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

// TestCloneIsBounded breaks a clone off that is too large, while it grows and not only at its end.
func TestCloneIsBounded(t *testing.T) {
	repo := t.TempDir()
	g := gitRepo{binary: gitBinary(t), dir: repo, patience: gitPatience}
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.email=a@b", "-c", "user.name=n", "-c", "core.compression=0"}, args...)
		if out, err := g.command(t.Context(), args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	noise := rand.NewChaCha8([32]byte{})
	for i := range 12 {
		text := make([]byte, 1<<20)
		_, _ = noise.Read(text) // it does not compress
		if err := os.WriteFile(filepath.Join(repo, fmt.Sprint(i)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("add", ".")
	git("commit", "-q", "-m", "much")
	dir := filepath.Join(t.TempDir(), "clone")
	err := Clone(t.Context(), "file://"+repo, "", dir, 4<<20)
	if err == nil || !strings.Contains(err.Error(), "it takes more than 4194304 bytes") ||
		!strings.Contains(hint.Of(err), "--max-clone-bytes") {
		t.Errorf("%v; hint %q", err, hint.Of(err))
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it left a directory")
	}
	if err := Clone(t.Context(), "file://"+repo, "", dir, 0); err != nil {
		t.Error(err)
	}

	grows := t.TempDir()
	f, err := os.Create(filepath.Join(grows, "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, fits := within(t.Context(), grows, 10)
	if _, err := f.WriteString("ten bytes."); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * cloneLooksEvery)
	if ctx.Err() != nil {
		t.Error("what fits was broken off")
	}
	if _, err := f.WriteString("!"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(10 * time.Second):
		t.Error("what grew was not broken off")
	}
	if fits() {
		t.Error("it does not fit")
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
