package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/termtext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsAsked names the question for a client's roots in protocols where a result asks it.
const rootsAsked = "roots"

// asksInResults is the first protocol in which a server asks its client by a result, not by a request of its own.
const asksInResults = "2026-07-28"

// asker is a request of a client that may have roots.
type asker interface {
	ClientCapabilities() *sdk.ClientCapabilities
	ProtocolVersion() string
	GetSession() sdk.Session
}

// allowed are the directories that what a request is about must lie in: the server's roots, narrowed by the client's where it
// has any. ask says that the client must be asked first, by a result; answers are its to such questions.
//
//nolint:staticcheck // the newest protocol deprecates roots; clients of today have them
func (s *Server) allowed(ctx context.Context, req asker, answers sdk.InputResponseMap) (roots []string, ask bool, err error) {
	if can := req.ClientCapabilities(); can == nil || can.RootsV2 == nil {
		return s.roots, false, nil
	}
	session, _ := req.GetSession().(*sdk.ServerSession)
	if req.ProtocolVersion() >= asksInResults {
		given, ok := answers[rootsAsked].(*sdk.ListRootsResult)
		if !ok {
			return nil, true, nil
		}
		roots = narrowed(s.roots, given.Roots)
		s.said.keep(session, roots, s.mcp.Sessions())
		return roots, false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	given, err := session.ListRoots(ctx, nil)
	if err != nil {
		return nil, false, hint.Wrap(fmt.Errorf("the client has roots but does not list them: %w", err),
			"mend the client, or have it declare no roots")
	}
	return narrowed(s.roots, given.Roots), false, nil
}

// asked are the questions that a result asks for a client's roots.
func asked() sdk.InputRequestMap {
	return sdk.InputRequestMap{rootsAsked: &sdk.ListRootsParams{}} //nolint:staticcheck // deprecated, see allowed
}

// saidRoots are the roots that clients gave last: the newest protocol has requests in whose result no client can be asked.
type saidRoots struct {
	mu sync.Mutex
	of map[*sdk.ServerSession][]string
}

// keep notes what a session's client has left of the server's roots, and forgets those that do not live.
func (r *saidRoots) keep(session *sdk.ServerSession, roots []string, living iter.Seq[*sdk.ServerSession]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := map[*sdk.ServerSession][]string{}
	for one := range living {
		if known, ok := r.of[one]; ok {
			kept[one] = known
		}
		if one == session {
			kept[one] = roots
		}
	}
	r.of = kept
}

// last are the roots that keep noted, none where the client was not asked yet.
func (r *saidRoots) last(session sdk.Session) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, _ := session.(*sdk.ServerSession)
	return r.of[one]
}

// narrowed is what lies both in a server's and in a client's roots. A client that names none narrows nothing; one that names
// only what is not here has nothing left.
//
//nolint:staticcheck // see allowed
func narrowed(server []string, client []*sdk.Root) []string {
	if len(client) == 0 {
		return server
	}
	var both []string
	for _, c := range client {
		dir, err := rootDir(c.URI)
		if err != nil {
			continue
		}
		for _, own := range server {
			if within(own, dir) {
				both = append(both, dir)
			} else if within(dir, own) {
				both = append(both, own)
			}
		}
	}
	return both
}

// rootDir is the directory that the URI of a client's root names, links resolved.
func rootDir(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	if u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || !strings.HasPrefix(u.Path, "/") || strings.ContainsRune(u.Path, 0) {
		return "", fmt.Errorf("%q is no directory of this machine", uri)
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return realDir(filepath.FromSlash(path))
}

// within says whether a path is a directory or lies below it; both are absolute, links resolved.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// resolve gives the real path that a client means: relative ones are of the first root.
func resolve(roots []string, path string) (string, error) {
	const none = "the client's roots leave nothing of the server's"
	switch {
	case path == "":
		return "", hint.New("no path is given", `"." is the first root`)
	case strings.Contains(path, "://"):
		return "", hint.New(quoted(path)+" is an address, not a path", "clone it below a root first")
	case len(roots) == 0:
		return "", hint.New(none, "start deeprepo mcp with the directories that the client works in")
	}
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(roots[0], path)
	}
	real, err := filepath.EvalSymlinks(full)
	if err == nil {
		for _, root := range roots {
			if within(root, real) {
				return real, nil
			}
		}
	} else if lexical := filepath.Clean(full); errors.Is(err, fs.ErrNotExist) && inAny(roots, lexical) {
		return "", hint.New("there is no "+quoted(path), "paths are of the server's machine; relative ones of "+quoted(roots[0]))
	}
	// Whether something stands outside the roots is nobody's business.
	return "", hint.New(quoted(path)+" is outside the roots", "allowed: "+termtext.Inline(strings.Join(roots, ", ")))
}

func inAny(roots []string, path string) bool {
	for _, root := range roots {
		if within(root, path) {
			return true
		}
	}
	return false
}

func quoted(s string) string { return fmt.Sprintf("%q", termtext.CutWith(s, 200, "...")) }

// resolveFile is resolve for a regular file.
func resolveFile(roots []string, path string) (string, error) {
	real, err := resolve(roots, path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return "", hint.New(quoted(path)+" is not a file", "give a regular file")
	}
	return real, nil
}

// termName is a client's name for itself, short and harmless.
func termName(s string) string { return termtext.Left(termtext.Inline(s), 60) }
