package codebase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// clonePatience is how long a clone may take.
const clonePatience = 30 * time.Minute

// goodRef are names of commits, branches and tags: nothing that git could take for an option or a range.
var goodRef = regexp.MustCompile(`^[0-9A-Za-z_][0-9A-Za-z_./+-]*$`)

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
	if scpAddress.MatchString(address) {
		return nil
	}
	u, err := url.Parse(address)
	good := err == nil && slices.Contains(remoteSchemes, u.Scheme) && !strings.HasPrefix(u.Host, "-")
	switch {
	case !good || u.Scheme != "file" && u.Host == "":
		return hint.New(fmt.Sprintf("%q is no address of a repository", address), "https://, ssh://, git://, file:// or git@HOST:PATH")
	case u.User != nil && u.Scheme == "https":
		return hint.New("an address holds credentials", "git's credential helpers keep them; https://HOST/PATH without them")
	}
	return nil
}

// IsRemote reports whether a text is meant as the address of a repository and not as a path.
func IsRemote(text string) bool { return strings.Contains(text, "://") || scpAddress.MatchString(text) }

// Clone fetches one commit of a repository into dir, which must not exist yet: ref is a commit, a branch or a tag, and defaults
// to the repository's own choice. Neither hooks nor submodules of it are run or fetched, and nobody is asked for a password.
func Clone(ctx context.Context, address, ref, dir string) error {
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
	ctx, cancel := context.WithTimeout(ctx, clonePatience)
	defer cancel()
	g := gitRepo{binary: binary, dir: dir, patience: clonePatience, fetches: true}
	quiet := func(r *bufio.Reader) error { _, err := io.Copy(io.Discard, r); return err }
	what := ref
	if what == "" {
		what = "HEAD"
	}
	err := g.run(ctx, nil, quiet, "init", "-q")
	if err == nil {
		err = g.run(ctx, nil, quiet, "fetch", "-q", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", address, what)
		if err != nil && ctx.Err() == nil && isHash(ref) { // some servers give out no single commits
			whole := g.run(ctx, nil, quiet, "fetch", "-q", "--no-recurse-submodules", "--", address, "+refs/*:refs/remotes/it/*")
			if whole == nil {
				err = g.run(ctx, nil, quiet, "checkout", "-q", "--detach", what, "--")
			}
		} else if err == nil {
			err = g.run(ctx, nil, quiet, "checkout", "-q", "--detach", "FETCH_HEAD", "--")
		}
	}
	if err != nil {
		err = hint.Wrap(fmt.Errorf("clone %s: %w", address, err), "does git clone fetch it from here, and does it have that commit?")
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}
