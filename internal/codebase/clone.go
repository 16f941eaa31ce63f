package codebase

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// Bounds of a clone. Its size is that of its files, looked at again and again.
const (
	clonePatience   = 30 * time.Minute
	MaxCloneBytes   = 2 << 30 // where no other limit is given
	cloneLooksEvery = 50 * time.Millisecond
)

// goodRef are names of commits, branches and tags: nothing that git could take for an option or a range.
var goodRef = regexp.MustCompile(`^[0-9A-Za-z_][0-9A-Za-z_./+-]*$`)

// maybeHash is a commit's hash, or the beginning of one, for which no server is asked.
var maybeHash = regexp.MustCompile(`^[0-9a-f]{4,64}$`)

// remoteSchemes are how repositories are reached; git knows others that run programs.
var remoteSchemes = []string{"https", "ssh", "git", "file"}

// CheckRef refuses what cannot name a commit, branch or tag; "" names none.
func CheckRef(ref string) error {
	if ref != "" && (!goodRef.MatchString(ref) || strings.Contains(ref, "..")) {
		return hint.New(fmt.Sprintf("%q is no commit, branch or tag", ref), "a hash, or a name as git branch and git tag print it")
	}
	return nil
}

// CheckRemote refuses what is no address of a repository that Clone fetches, or no name in it; ref may be "".
func CheckRemote(address, ref string) error {
	if err := CheckRef(ref); err != nil {
		return err
	}
	fault := hint.New(fmt.Sprintf("%q is no address of a repository", address), "https://, ssh://, git://, file:// or git@HOST:PATH")
	if scpAddress.MatchString(address) {
		host, path, _ := strings.Cut(address, ":")
		_, machine, _ := strings.Cut(host, "@")
		if optionLike(host, machine, path) || path == "" {
			return fault
		}
		return nil
	}
	u, err := url.Parse(address)
	if err != nil { // not quoted: there may be a password in it
		return hint.New("an address cannot be read", hint.Of(fault))
	}
	switch {
	case !slices.Contains(remoteSchemes, u.Scheme), (u.Scheme == "file") != (u.Host == ""), optionLike(u.Host, u.User.Username()):
		if holdsSecret(u) {
			return hint.New("an address with credentials is no address of a repository", hint.Of(fault))
		}
		return fault
	case holdsSecret(u):
		return hint.New("an address holds credentials", "git's credential helpers keep them; https://HOST/PATH without them")
	}
	return nil
}

// optionLike reports a part of an address that a program behind git could take for an option.
func optionLike(parts ...string) bool {
	return slices.ContainsFunc(parts, func(s string) bool { return strings.HasPrefix(s, "-") })
}

// holdsSecret says whether an address names more than a user of ssh: a user of https may be a token.
func holdsSecret(u *url.URL) bool {
	_, password := u.User.Password()
	return password || u.User != nil && u.Scheme == "https"
}

// IsRemote reports whether a text is meant as the address of a repository and not as a path. HELPER::ADDRESS, for which git
// runs a program, is meant as one and refused by CheckRemote.
func IsRemote(text string) bool {
	return strings.Contains(text, "://") || strings.Contains(text, "::") || scpAddress.MatchString(text)
}

// Clone fetches one commit of a repository into dir, which must not exist yet: ref is a commit, a branch or a tag, and defaults
// to the repository's own choice. The clone is bare, and that commit its HEAD: nothing is checked out, so that no hook, filter,
// link or submodule acts, also none of the user's own settings. Nobody is asked for a password. A clone that takes more than most
// bytes is broken off; 0 stands for MaxCloneBytes.
func Clone(ctx context.Context, address, ref, dir string, most int64) error {
	if err := CheckRemote(address, ref); err != nil {
		return err
	}
	binary, ok := findGit()
	if !ok {
		return hint.New("git is not there to clone "+address, "install git, or name a directory")
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	most = cmp.Or(most, MaxCloneBytes)
	ctx, cancel := context.WithTimeout(ctx, clonePatience)
	defer cancel()
	ctx, fits := within(ctx, dir, most)
	g := gitRepo{binary: binary, dir: dir, patience: clonePatience, fetches: true}
	quiet := func(r *bufio.Reader) error { _, err := io.Copy(io.Discard, r); return err }
	what := ref
	if what == "" {
		what = "HEAD"
	}
	err := g.run(ctx, nil, quiet, "init", "-q", "--bare", "--template=")
	if err == nil {
		g.gitDir = "." // not one that dir lies in
		err = g.run(ctx, nil, quiet, "fetch", "-q", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", address, what)
		if what = "FETCH_HEAD"; err != nil && ctx.Err() == nil && maybeHash.MatchString(ref) { // some servers give out no single commits
			whole := g.run(ctx, nil, quiet, "fetch", "-q", "--no-recurse-submodules", "--", address, "+refs/*:refs/remotes/it/*")
			if whole == nil {
				what, err = ref, nil
			}
		}
	}
	if err == nil {
		err = g.point(ctx, what)
	}
	if !fits() {
		err = hint.New(fmt.Sprintf("clone %s: it takes more than %d bytes", address, most),
			"--max-clone-bytes allows more; or clone it yourself and name its directory")
	} else if err != nil {
		err = hint.Wrap(fmt.Errorf("clone %s: %w", address, err), "does git clone fetch it from here, and does it have that commit?")
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// within ends the context that it returns when a directory grows beyond so many bytes. fits must be called when nobody writes
// to it any more, and says whether it never did.
func within(ctx context.Context, dir string, most int64) (watched context.Context, fits func() bool) {
	ctx, stop := context.WithCancel(ctx)
	grew := make(chan bool, 1)
	go func() {
		for ctx.Err() == nil && sizeOf(dir) <= most {
			select {
			case <-ctx.Done():
			case <-time.After(cloneLooksEvery):
			}
		}
		grew <- sizeOf(dir) > most
		stop()
	}()
	return ctx, func() bool { stop(); return !<-grew }
}

// sizeOf is how many bytes the files below a directory have.
func sizeOf(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if about, err := e.Info(); err == nil { // else it is gone again
				sum += about.Size()
			}
		}
		return nil
	})
	return sum
}

// point makes a revision HEAD.
func (g gitRepo) point(ctx context.Context, rev string) error {
	sha, err := g.resolve(ctx, rev)
	if err != nil {
		return err
	}
	return g.run(ctx, nil, func(*bufio.Reader) error { return nil }, "update-ref", "--no-deref", "HEAD", sha)
}
