package codebase

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Clones and work trees are of one origin, whoever fetched them and how; a part of a repository is not the whole.
func TestOriginOf(t *testing.T) {
	base := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	git := func(dir string, args ...string) {
		t.Helper()
		g := gitRepo{binary: gitBinary(t), dir: dir, patience: gitPatience, fetches: true}
		cmd := g.command(t.Context(), append([]string{"-c", "user.email=a@b", "-c", "user.name=n"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	if err := os.MkdirAll(at("app", "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(at("app"), "init", "-q", "-b", "main")
	for _, text := range []string{"one", "two"} {
		if err := os.WriteFile(at("app", "inner", "a.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git(at("app"), "add", ".")
		git(at("app"), "commit", "-q", "-m", text)
	}
	git(at("app"), "worktree", "add", "-q", "-b", "other", at("tree"))
	git(base, "clone", "-q", "--bare", at("app"), at("bare"))
	git(base, "clone", "-q", at("app"), at("whole"))
	git(base, "clone", "-q", "--depth=1", "file://"+at("app"), at("shallow"))
	if err := Clone(t.Context(), "file://"+at("app"), "", at("ours"), 0); err != nil {
		t.Fatal(err)
	}
	one := OriginOf(t.Context(), at("app"))
	if !isHash(one.First) || one.First == (gitRepo{binary: gitBinary(t), dir: at("app"), patience: gitPatience}).head(t.Context()) {
		t.Errorf("the first commit is %q", one.First)
	}
	for _, dir := range []string{"tree", "bare", "whole", "shallow", "ours"} {
		if diff := cmp.Diff(one, OriginOf(t.Context(), at(dir))); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
	}
	if diff := cmp.Diff(Origin{First: one.First, Below: "inner"}, OriginOf(t.Context(), at("whole", "inner"))); diff != "" {
		t.Error(diff)
	}
	git(at("whole"), "remote", "set-url", "origin", "https://me:secret@Host.Example:8443/x/app.git")
	git(at("shallow"), "remote", "set-url", "origin", "git@host.example:x/app")
	if got := OriginOf(t.Context(), at("whole")).Remote; got != "host.example:8443/x/app" {
		t.Errorf("%q", got)
	}
	if diff := cmp.Diff(Origin{Remote: "host.example/x/app"}, OriginOf(t.Context(), at("shallow"))); diff != "" {
		t.Error(diff) // where a shallow clone's history ends is not where it begins
	}
	git(at("whole"), "remote", "rename", "origin", "upstream")
	if got := OriginOf(t.Context(), at("whole")).Remote; got != "host.example:8443/x/app" {
		t.Errorf("the only remote: %q", got)
	}
	for _, none := range []string{base, at("missing")} {
		if got := OriginOf(t.Context(), none); got != (Origin{}) {
			t.Errorf("%s: %+v", none, got)
		}
	}
}

func TestPlainRemote(t *testing.T) {
	for address, want := range map[string]string{
		"https://host.example/x/app.git": "host.example/x/app", "ssh://git@HOST.example:2222/x/app/": "host.example/x/app",
		"git@host.example:x/app.git": "host.example/x/app", "https://host.example/x/app?token=secret#y": "host.example/x/app",
		"https://host.example/../x//app": "host.example/x/app", "/srv/app.git": "", "../app": "", "file:///srv/app": "", "": "",
		"https://host.example/": "", "https://host.example/a%1b[2Jb": "", "https://host.example/" + strings.Repeat("x", 600): "",
		"https://me:se%ret@host.example/x": "",
	} {
		if got := plainRemote(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// FuzzPlainRemote: an address has no user, is plain, and is its own plain form over https.
func FuzzPlainRemote(f *testing.F) {
	f.Add("https://me:secret@host.example/x/app.git")
	f.Add("git@host:x")
	f.Add("ssh://a@[::1]:22/%40/.git.git")
	f.Fuzz(func(t *testing.T, address string) {
		got := plainRemote(address)
		if strings.ContainsAny(got, "\x00\n\x1b") || strings.HasPrefix(got, "/") || strings.Contains(strings.SplitN(got, "/", 2)[0], "@") {
			t.Errorf("%q: %q", address, got)
		}
		OriginOf(t.Context(), "https://"+address) // never a panic
	})
}
