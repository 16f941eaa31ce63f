package codebase

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gitRepo runs git in one directory. The repository is hostile: its
// configuration may name programs. So git gets no shell, no hook, no file
// system monitor, no transport (a missing object of a partial clone would
// otherwise be fetched, through a program that the repository names), and no
// GIT_* variable of the caller.
type gitRepo struct {
	binary string
	dir    string // working directory
	gitDir string // given when dir is a bare repository
}

// findGit says whether git is on PATH.
func findGit() (string, bool) {
	binary, err := exec.LookPath("git")
	return binary, err == nil
}

func (g gitRepo) command(ctx context.Context, args ...string) *exec.Cmd {
	full := []string{
		"-c", "core.fsmonitor=", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.alternateRefsCommand=",
		"-c", "safe.directory=*", "--no-pager", "--no-optional-locks", "--literal-pathspecs",
	}
	if g.gitDir != "" {
		full = append(full, "--git-dir="+g.gitDir)
	}
	cmd := exec.CommandContext(ctx, g.binary, append(full, args...)...)
	cmd.Dir = g.dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_") && !strings.HasPrefix(kv, "LANG") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "LC_ALL=C")
	return cmd
}

// head gives the commit of HEAD, or "" in a repository without one.
func (g gitRepo) head(ctx context.Context) string {
	sha, err := g.resolve(ctx, "HEAD")
	if err != nil {
		return ""
	}
	return sha
}

func (g gitRepo) resolve(ctx context.Context, rev string) (string, error) {
	out, err := g.command(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}").Output()
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// workFiles lists the tracked and the untracked, not ignored files below dir.
// Tracked files that no longer stand in the work tree are among them.
func (g gitRepo) workFiles(ctx context.Context) ([]string, error) {
	var paths []string
	err := g.records(ctx, func(rec []byte) error {
		paths = append(paths, string(rec))
		return nil
	}, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	slices.Sort(paths)
	return slices.Compact(paths), err
}

// blob is a file of a commit.
type blob struct {
	path, sha string
	mode      string // "100644", "120000" symlink, "160000" submodule
	size      int64  // -1 for a submodule
}

// commitFiles lists the files of a commit below dir, or those of them that are named.
func (g gitRepo) commitFiles(ctx context.Context, commit string, names ...string) ([]blob, error) {
	var blobs []blob
	args := []string{"ls-tree", "-r", "-z", "-l", commit}
	if len(names) > 0 {
		args = append(append(args, "--"), names...)
	}
	err := g.records(ctx, func(rec []byte) error {
		head, path, ok := bytes.Cut(rec, []byte{'\t'})
		f := strings.Fields(string(head))
		if !ok || len(f) != 4 {
			return fmt.Errorf("unexpected ls-tree record %q", rec)
		}
		size, err := strconv.ParseInt(f[3], 10, 64)
		if err != nil {
			size = -1
		}
		blobs = append(blobs, blob{path: string(path), mode: f[0], sha: f[2], size: size})
		return nil
	}, args...)
	return blobs, err
}

// records runs git and hands on its NUL-ended output records.
func (g gitRepo) records(ctx context.Context, record func([]byte) error, args ...string) error {
	cmd := g.command(ctx, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := bufio.NewReaderSize(out, 256<<10)
	var failed error
	for {
		rec, err := r.ReadBytes(0)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				failed = err
			}
			break
		}
		if failed = record(rec[:len(rec)-1]); failed != nil {
			break
		}
	}
	if failed != nil {
		_ = cmd.Process.Kill()
	}
	if err := cmd.Wait(); err != nil && failed == nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line, _, _ := strings.Cut(stderr.String(), "\n")
		return fmt.Errorf("git %s: %w: %q", args[0], err, line)
	}
	return failed
}

// readBlobs hands on the content of each blob, in order, through one git
// process. The bytes are valid until visit returns; nil stands for a blob that
// the object store lacks.
func (g gitRepo) readBlobs(ctx context.Context, blobs []blob, visit func(i int, content []byte)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := g.command(ctx, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		w := bufio.NewWriter(in)
		for i := range blobs {
			// An error here means that git died, which the reader sees.
			_, _ = w.WriteString(blobs[i].sha + "\n")
		}
		_ = w.Flush()
		_ = in.Close()
	}()
	err = readBatch(bufio.NewReaderSize(out, 256<<10), len(blobs), visit)
	if err != nil {
		cancel()
	}
	<-asked
	if werr := cmd.Wait(); err == nil {
		err = werr
	}
	return err
}

// readBatch parses the output of cat-file --batch.
func readBatch(r *bufio.Reader, n int, visit func(i int, content []byte)) error {
	var buf bytes.Buffer
	for i := range n {
		line, err := r.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
		f := strings.Fields(line)
		if len(f) == 2 && f[1] == "missing" {
			visit(i, nil)
			continue
		}
		if len(f) != 3 {
			return fmt.Errorf("git cat-file said %q", line)
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil || size < 0 {
			return fmt.Errorf("git cat-file said %q", line)
		}
		buf.Reset()
		if _, err := io.CopyN(&buf, r, size); err != nil {
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
		if _, err := r.Discard(1); err != nil {
			return fmt.Errorf("git cat-file ended early: %w", err)
		}
		visit(i, buf.Bytes())
	}
	return nil
}

// isBare says whether dir is itself a git directory: a bare repository, or the
// .git of a work tree.
func isBare(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil || !head.Mode().IsRegular() {
		return false
	}
	for _, sub := range []string{"objects", "refs"} {
		if st, err := os.Stat(filepath.Join(dir, sub)); err != nil || !st.IsDir() {
			return false
		}
	}
	return true
}
