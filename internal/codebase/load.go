package codebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Options narrow what [Load] reads.
type Options struct {
	// MaxFileBytes is the size above which a file is skipped. Defaults to 1 MiB.
	MaxFileBytes int64
	// MaxTotalBytes is the size of all files above which the rest, in path order,
	// is skipped. Defaults to 200 MiB.
	MaxTotalBytes int64
	// MaxFiles is the number of files above which the rest, in path order, is
	// skipped. Defaults to 200,000.
	MaxFiles int
	// Include holds globs in .gitignore form; when given, only files that match,
	// or lie in a directory that matches, are read. Defaults to all files.
	Include []string
	// Exclude holds globs in .gitignore form of what is not read, beside those in
	// the root's .deeprepoignore. Defaults to none.
	Exclude []string
	// Commit names a commit (a hash, branch or tag) to read from the git object
	// store instead of the work tree. Defaults to the work tree, and to HEAD for a
	// bare repository.
	Commit string
	// Like is another snapshot of the repository: what a commit has in common with it is not read again. Defaults to none.
	Like *Codebase

	gitPatience time.Duration // how long git may say nothing; defaults to the constant of that name
}

const (
	// defaultMaxFileBytes is the size above which a file is skipped where the user says nothing else.
	defaultMaxFileBytes = 1 << 20
	// ignoreName is the codebase's own list of what a review leaves out.
	ignoreName = ".deeprepoignore"
)

func (o Options) withDefaults() Options {
	if o.MaxFileBytes <= 0 {
		o.MaxFileBytes = defaultMaxFileBytes
	}
	if o.MaxTotalBytes <= 0 {
		o.MaxTotalBytes = 200 << 20
	}
	if o.MaxFiles <= 0 {
		o.MaxFiles = 200_000
	}
	if o.gitPatience <= 0 {
		o.gitPatience = gitPatience
	}
	return o
}

// Load takes a snapshot of the repository at path: a directory, a bare git
// repository, or a file:// URL of either.
//
// In a git work tree the files are those that git tracks and those that it does
// not ignore; elsewhere .gitignore files are honoured all the same. Failures that the user can fix are an [*Error].
func Load(ctx context.Context, path string, o Options) (*Codebase, error) {
	return load(ctx, path, o, findGit)
}

func load(ctx context.Context, path string, o Options, lookGit func() (string, bool)) (*Codebase, error) {
	o = o.withDefaults()
	dir, root, git, err := open(path, o, lookGit)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if o.Commit != "" || git.gitDir != "" {
		return loadCommit(ctx, path, dir, git, o)
	}

	l := newLoader(ctx, o)
	l.exclude.prepend(readIgnore(root, ignoreName))
	paths, commit, err := l.find(root, git)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &Error{Path: path, Err: ErrUnreadable, more: reason(err), hint: "check the permissions of the directory"}
	}
	if err := l.readWorkTree(root, dir, paths); err != nil {
		return nil, err
	}
	if err := l.count(countIn(ctx, root)); err != nil {
		return nil, err
	}
	return l.finish(path, dir, commit)
}

// find lists the files of a work tree, through git where it answers, by the own walk where not, and gives HEAD's commit.
func (l *loader) find(root *os.Root, git gitRepo) (paths []string, commit string, err error) {
	ignored := func(p string, repo bool) {
		if repo {
			l.ignored([]string{p})
		} else {
			l.ignoredOutsideGit(root, p)
		}
	}
	walk := func() ([]string, error) { return walkFiles(l.ctx, root, l.effort, l.skip, ignored) }
	if git.binary == "" {
		paths, err = walk()
		return paths, "", err
	}
	paths, err = git.workFiles(l.ctx)
	switch {
	case errors.Is(err, errGitSilent):
		// What git tracks belongs to the codebase, whatever the ignore files say.
		git.patience /= 3
		ignored = func(string, bool) {} // some of it may be tracked
		tracked, trackedErr := git.trackedFiles(l.ctx)
		if trackedErr != nil {
			tracked = nil
			l.warn("%v: deeprepo looked for the files itself and left out what .gitignore names", err)
		} else {
			l.warn("%v: deeprepo looked for the files that git does not track itself", err)
			commit = git.head(l.ctx)
		}
		paths, err = walk()
		paths = append(paths, tracked...)
		slices.Sort(paths)
		return slices.Compact(paths), commit, err
	case err == nil:
		commit = git.head(l.ctx)
		if unlisted, err := git.ignoredFiles(l.ctx); err == nil {
			l.ignored(unlisted)
		} else {
			l.warn("%v: what git ignores is not listed", err)
		}
	}
	if err != nil || len(paths) == 0 {
		// git lists nothing in a directory that it ignores; naming one means including it.
		paths, err = walk()
	}
	return paths, commit, err
}

func loadCommit(ctx context.Context, path, dir string, git gitRepo, o Options) (*Codebase, error) {
	commit, err := git.commit(ctx, path, o.Commit)
	if err != nil {
		return nil, err
	}
	blobs, err := git.commitFiles(ctx, commit)
	if err != nil {
		return nil, gitFailed(ctx, path, err)
	}
	named := make(map[string]blob, len(blobs))
	for _, b := range blobs {
		named[b.path] = b
	}
	l := newLoader(ctx, o)
	if err = l.readCommit(git, blobs); err == nil {
		err = l.count(countBlobs(ctx, git, named))
	}
	if err != nil {
		return nil, gitFailed(ctx, path, err)
	}
	return l.finish(path, dir, commit)
}

// commit resolves the commit asked for, HEAD where none was.
func (g gitRepo) commit(ctx context.Context, path, rev string) (string, error) {
	if rev == "" {
		rev = "HEAD"
	}
	commit, err := g.resolve(ctx, rev)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, errGitSilent) {
			return "", gitFailed(ctx, path, err)
		}
		return "", &Error{Path: path, Err: ErrCommit, more: fmt.Sprintf("%q", rev),
			hint: "the commit must be in this repository's object store: look with `git log`, get it with `git fetch`"}
	}
	return commit, nil
}

// gitFailed is the error of a git that did not do what it was asked.
func gitFailed(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, errGitSilent) {
		return &Error{Path: path, Err: ErrGit, more: err.Error(),
			hint: "a named pipe in the .git directory can be the cause; look there, or give a checked-out directory without --commit"}
	}
	return &Error{Path: path, Err: ErrGit, more: err.Error(), hint: "check the repository with `git fsck`"}
}

// scpAddress is user@host:path, as git and scp write it.
var scpAddress = regexp.MustCompile(`^[\w.-]+@[\w.-]+:`)

// locate turns what the user gave into the absolute path of a directory.
func locate(path string) (string, error) {
	local := path
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		u, err := url.Parse(path)
		if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" {
			return "", &Error{Path: path, Err: ErrNotFound, more: "not a local file URL",
				hint: "write file:///absolute/path, or give the directory itself"}
		}
		local = filepath.FromSlash(u.Path)
		if st, err := os.Stat(local); err != nil || !st.IsDir() {
			// git takes the rest as it is, percent signs included.
			if st, err := os.Stat(rest); err == nil && st.IsDir() {
				local = rest
			}
		}
	}
	abs, err := filepath.Abs(local)
	if err != nil {
		return "", &Error{Path: path, Err: ErrNotFound, more: reason(err), hint: "give an absolute path"}
	}
	st, err := os.Stat(abs)
	switch {
	case err == nil && st.IsDir():
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		return abs, nil
	case err == nil:
		return "", &Error{Path: path, Err: ErrNotDirectory, hint: "give the directory that holds it; to read this file alone add --include " +
			includeGlob(abs)}
	case strings.Contains(path, "://") && !strings.HasPrefix(path, "file://"), scpAddress.MatchString(path):
		return "", &Error{Path: path, Err: ErrRemote, hint: "clone it first: git clone URL DIR, then give DIR"}
	case errors.Is(err, fs.ErrPermission):
		return "", &Error{Path: path, Err: ErrUnreadable, more: reason(err), hint: "check the permissions of the path"}
	default:
		return "", &Error{Path: path, Err: ErrNotFound, hint: "check the spelling; PATH is the directory of a repository"}
	}
}

// includeGlob writes the base name of a file so that it is taken literally.
func includeGlob(abs string) string {
	base := filepath.Base(abs)
	escaped := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(base)
	return fmt.Sprintf("%q", "/"+escaped)
}

// reason gives the cause of a file system error without its path, which may
// hold anything.
func reason(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
