//go:build unix

package codebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// stuckGit is a program that says nothing, with a child that does the same. Both write their numbers into a file.
func stuckGit(t *testing.T) (look func() (string, bool), numbers string) {
	t.Helper()
	dir := t.TempDir()
	numbers = filepath.Join(dir, "numbers")
	script := "#!/bin/sh\nsleep 600 &\necho $! $$ >> " + numbers + "\nwait\n"
	name := filepath.Join(dir, "git")
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return func() (string, bool) { return name, true }, numbers
}

// allEnd waits until no process of those in the file lives.
func allEnd(t *testing.T, numbers string, own bool) {
	t.Helper()
	text, err := os.ReadFile(numbers)
	if err != nil {
		t.Fatal("git was never started:", err)
	}
	for i, word := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		if own && i%2 == 0 {
			t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
			continue // the child of a git that the kernel ended is nobody's
		}
		for until := time.Now().Add(10 * time.Second); living(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("process %d of git's lives on", pid)
			}
		}
	}
}

// living reports a process that is there and no zombie.
func living(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestSilentGitIsReplaced(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"a.py": "x\n", ".gitignore": "b.py\n", "b.py": "x\n"})
	look, numbers := stuckGit(t)
	c, err := load(t.Context(), dir, Options{gitPatience: 200 * time.Millisecond}, look)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".gitignore", "a.py"}, c.Paths()); diff != "" {
		t.Error(diff)
	}
	if w := strings.Join(c.Warnings(), "\n"); !strings.Contains(w, "git did not answer in time") {
		t.Errorf("warnings %q", w)
	}
	allEnd(t, numbers, false)

	_, err = load(t.Context(), dir, Options{gitPatience: 200 * time.Millisecond, Commit: "HEAD"}, look)
	var e *Error
	if !errors.Is(err, ErrGit) || !errors.As(err, &e) || e.Hint() == "" {
		t.Errorf("a commit: %v", err)
	}
}

func TestGitEndsWithTheContext(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"a.py": "x\n"})
	look, numbers := stuckGit(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		awaitFile(numbers)
		cancel()
	}()
	if _, err := load(ctx, dir, Options{}, look); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	allEnd(t, numbers, false)
}

func awaitFile(name string) {
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		if text, err := os.ReadFile(name); err == nil && strings.HasSuffix(string(text), "\n") {
			return
		}
	}
}

// TestGitEndsWithItsParent kills a program that waits for git, which is this test itself in another process.
func TestGitEndsWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends children with their parent")
	}
	const variable = "CODEBASE_TEST_GIT"
	if name := os.Getenv(variable); name != "" {
		_, _ = load(context.Background(), filepath.Dir(name), Options{}, func() (string, bool) { return name, true })
		os.Exit(0)
	}
	look, numbers := stuckGit(t)
	name, _ := look()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(self, "-test.run=^TestGitEndsWithItsParent$")
	parent.Env = append(os.Environ(), variable+"="+name)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	awaitFile(numbers)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // it was killed
	allEnd(t, numbers, true)
}

// TestPipesInPlaceOfFiles puts a named pipe where git and the loader look for files. Nobody ever writes into it.
func TestPipesInPlaceOfFiles(t *testing.T) {
	for _, name := range []string{".git/config", ".git/info/exclude", ".git/index", ".gitignore", ".gitattributes", ".deeprepoignore",
		"b.py"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := runtest.Tree(t, map[string]string{"a.py": "x\n", "b.py": "x\n"})
			git(t, dir, "init", "-q")
			git(t, dir, "add", ".")
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(at, 0o644); err != nil {
				t.Skip("no named pipes here:", err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			c, err := load(ctx, dir, Options{gitPatience: 300 * time.Millisecond}, findGit)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := c.Text("a.py"); !ok {
				t.Errorf("paths %q", c.Paths())
			}
		})
	}
}

// TestTrackedFilesOutliveAnIgnorePattern has a pattern that keeps older versions of git busy for ever, and one that hides code.
func TestTrackedFilesOutliveAnIgnorePattern(t *testing.T) {
	name := strings.Repeat("a", 80) + "c"
	dir := runtest.Tree(t, map[string]string{"evil.py": "x\n", name: "x\n"})
	git(t, dir, "init", "-q")
	git(t, dir, "add", "evil.py")
	ignore := "evil.py\n" + strings.Repeat("a*", 40) + "b\n"
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(ignore), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := load(t.Context(), dir, Options{gitPatience: 500 * time.Millisecond}, findGit)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".gitignore", name, "evil.py"}, c.Paths()); diff != "" {
		t.Error(diff)
	}
}
