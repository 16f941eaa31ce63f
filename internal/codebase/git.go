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
	"time"
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

	patience time.Duration // how long git may say nothing
	fetches  bool          // it may speak to other machines
}

// findGit says whether git is on PATH.
func findGit() (string, bool) {
	binary, err := exec.LookPath("git")
	return binary, err == nil
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
	sha, err := g.output(ctx, 256, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	return strings.TrimSpace(sha), err
}

// output is what git prints, up to so many bytes.
func (g gitRepo) output(ctx context.Context, most int64, args ...string) (string, error) {
	var text []byte
	err := g.run(ctx, nil, func(r *bufio.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(r, most))
		return err
	}, args...)
	return string(text), err
}

// workFiles lists the tracked and the untracked, not ignored files below dir.
// Tracked files that no longer stand in the work tree are among them.
func (g gitRepo) workFiles(ctx context.Context) ([]string, error) {
	return g.list(ctx, "--cached", "--others", "--exclude-standard")
}

// trackedFiles lists the tracked files below dir. For that git reads no ignore file.
func (g gitRepo) trackedFiles(ctx context.Context) ([]string, error) { return g.list(ctx, "--cached") }

// ignoredFiles lists the files that are not tracked because an ignore file names them. A directory of nothing else is one
// entry, with a slash at its end.
func (g gitRepo) ignoredFiles(ctx context.Context) ([]string, error) {
	return g.list(ctx, "--others", "--ignored", "--exclude-standard", "--directory")
}

func (g gitRepo) list(ctx context.Context, kinds ...string) ([]string, error) {
	var paths []string
	err := g.records(ctx, func(rec []byte) error {
		paths = append(paths, string(rec))
		return nil
	}, append([]string{"ls-files", "-z"}, kinds...)...)
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
	return g.run(ctx, nil, func(r *bufio.Reader) error {
		for {
			rec, err := r.ReadBytes(0)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err == nil {
				err = record(rec[:len(rec)-1])
			}
			if err != nil {
				return err
			}
		}
	}, args...)
}

// readBlobs hands on the content of each blob, in order, through one git
// process. The bytes are valid until visit returns; nil stands for a blob that
// the object store lacks.
func (g gitRepo) readBlobs(ctx context.Context, blobs []blob, visit func(i int, content []byte)) error {
	return g.run(ctx, func(w io.Writer) {
		buffered := bufio.NewWriter(w)
		for i := range blobs {
			// An error here means that git died, which the reader sees.
			_, _ = buffered.WriteString(blobs[i].sha + "\n")
		}
		_ = buffered.Flush()
	}, func(r *bufio.Reader) error { return readBatch(r, len(blobs), visit) }, "cat-file", "--batch")
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
