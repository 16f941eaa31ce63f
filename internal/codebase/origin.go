package codebase

import (
	"context"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// Origin says which repository a directory is of: the same for its clones and its work trees, wherever they lie.
type Origin struct {
	// Remote is the repository's address as host/path, without scheme, user and ".git"; "" where it has none on another machine.
	Remote string
	// First is the commit that its history begins with; "" where that is not known, as in a shallow clone.
	First string
	// Below is the directory's own path in it, "" for all of it.
	Below string
}

// What git is asked for at most about an origin.
const (
	originPatience = 5 * time.Second
	maxRemotes     = 64 << 10 // bytes of its answer
	maxRemote      = 500      // characters of an address
)

const fileScheme = "file://"

// OriginOf looks at a directory, or at an address that [Clone] takes. Without git, and of what is no repository, it gives
// nothing. The repository is hostile, and may claim to be another one.
func OriginOf(ctx context.Context, where string) Origin {
	if IsRemote(where) && !strings.HasPrefix(where, fileScheme) {
		return Origin{Remote: plainRemote(where)}
	}
	o, remote := originOf(ctx, where)
	if o == (Origin{Below: o.Below}) && strings.HasPrefix(remote, fileScheme) { // a shallow clone of one that lies on this machine
		there, _ := originOf(ctx, remote)
		o.Remote, o.First = there.Remote, there.First
	}
	return o
}

// originOf also gives the address of the remote, as it is.
func originOf(ctx context.Context, where string) (o Origin, remote string) {
	_, root, g, err := open(where, Options{gitPatience: originPatience}, findGit)
	if err != nil || g.binary == "" {
		return o, ""
	}
	defer root.Close()
	about, err := g.output(ctx, 2*maxRemote, "rev-parse", "--is-shallow-repository", "--show-prefix")
	if err != nil {
		return o, ""
	}
	shallow, prefix, _ := strings.Cut(about, "\n")
	o.Below = strings.TrimSuffix(strings.TrimRight(prefix, "\n"), "/")
	if remotes, err := g.output(ctx, maxRemotes, "config", "--null", "--get-regexp", `^remote\..*\.url$`); err == nil {
		remote = choose(remotes)
		o.Remote = plainRemote(remote)
	}
	if shallow == "false" {
		first, err := g.output(ctx, 2*maxRemote, "rev-list", "--first-parent", "--max-parents=0", "HEAD")
		if first = strings.TrimSpace(first); err == nil && isHash(first) {
			o.First = first
		}
	}
	return o, remote
}

// choose gives the address of the remote "origin", or that of the only one, out of git's records NAME LF VALUE NUL.
func choose(records string) string {
	all := strings.Split(strings.TrimSuffix(records, "\x00"), "\x00")
	for _, record := range all {
		if name, address, _ := strings.Cut(record, "\n"); name == "remote.origin.url" {
			return address
		}
	}
	if len(all) == 1 {
		_, address, _ := strings.Cut(all[0], "\n")
		return address
	}
	return ""
}

// plainRemote is an address as host/path, the same for https and ssh; "" for one of this machine, or none at all. What could be
// a credential is not in it.
func plainRemote(address string) string {
	var host, where string
	switch u, err := url.Parse(address); {
	case scpAddress.MatchString(address):
		host, where, _ = strings.Cut(address, ":")
		_, host, _ = strings.Cut(host, "@")
	case err == nil && u.Host != "" && u.Scheme != "file":
		if host, where = u.Host, u.Path; u.Scheme == "ssh" { // its port is not that of https
			host = u.Hostname()
		}
	default:
		return ""
	}
	where = strings.TrimSuffix(strings.Trim(path.Clean("/"+filepath.ToSlash(where)), "/"), ".git")
	plain := strings.ToLower(host) + "/" + where
	if where == "" || len(plain) > maxRemote || strings.ContainsFunc(plain, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return ""
	}
	return plain
}
