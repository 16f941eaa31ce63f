package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// Server serves the page and the runs below some directories. It is safe for concurrent use.
type Server struct {
	c        Config
	guard    access.Guard
	writer   access.Guard    // of those who may decide about findings
	deciding sync.Mutex      // one decision at a time
	assets   map[string]body // by path
	runs     *runs
	slots    chan struct{} // one for each document in the making
	live     *live
	fleet    *board // nil: none is shown

	base context.Context // ends with the server
	end  context.CancelFunc
	wg   sync.WaitGroup // documents in the making
}

// New prepares a server. Close must be called.
func New(c Config) (*Server, error) {
	if len(c.Dirs) == 0 {
		return nil, errors.New("ui: Config needs Dirs")
	}
	c = c.withDefaults()
	s := &Server{c: c, guard: access.Guard{Token: c.Token, Hosts: c.Hosts, Cookie: "deeprepo"},
		writer: access.Guard{Token: c.TriageToken, Cookie: "deeprepo-triage"}, slots: make(chan struct{}, c.Concurrency)}
	s.assets = map[string]body{"/": newBody("text/html; charset=utf-8", page.Index())}
	for name, kind := range map[string]string{page.ScriptName: "text/javascript; charset=utf-8", page.StyleName: "text/css; charset=utf-8"} {
		data, err := fs.ReadFile(page.Assets(), name)
		if err != nil {
			return nil, fmt.Errorf("ui: %w", err)
		}
		s.assets["/"+name] = newBody(kind, data)
	}
	s.runs = newRuns(c.Dirs, c.Runs, c.Open)
	s.base, s.end = context.WithCancel(context.Background())
	if c.Fleet != nil {
		s.fleet = &board{url: c.FleetURL, ask: c.Fleet, base: s.base, now: time.Now}
	}
	s.live = newLive(s.base, c.Poll, c.Listeners)
	return s, nil
}

// Serve answers on l until ctx ends, then lets what is being answered end, for a few seconds, and returns. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	// Clients that listen would listen for ever; those that have not read their answer by then are cut off.
	limits := access.Limits{Connections: s.c.Connections, ReadTimeout: 30 * time.Second, Grace: 3 * time.Second}
	return access.Serve(ctx, l, s, limits, s.end)
}

// Close ends what listens, waits for the documents in the making and lets go of the runs. It may be called twice.
func (s *Server) Close() {
	s.end()
	s.live.wg.Wait()
	s.wg.Wait()
	s.runs.close()
}

// policy is what a browser may do with an answer: run the bundle, show what it makes, ask this server.
var policy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "connect-src 'self'",
	"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache, private")
	deciding := s.writer.Token != "" && r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/triage")
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !deciding {
		h.Set("Allow", "GET, HEAD")
		s.problem(w, r, Problem{http.StatusMethodNotAllowed, "only GET and HEAD are answered: nothing can be changed here", ""})
		return
	}
	admitted, refused := s.guard.Enter(w, r)
	switch {
	case refused != nil:
		hint := ""
		if refused.Status == http.StatusUnauthorized {
			hint = "open the URL that deeprepo ui printed when it started: it is another one each time"
		}
		s.problem(w, r, Problem{refused.Status, refused.Message, hint})
		return
	case admitted == nil:
		return // on its way to the page
	}
	r = admitted
	if given, ok := strings.CutPrefix(r.URL.Path, "/w/"); ok && !deciding {
		s.grant(w, r, given)
		return
	}
	// No mux: it would send paths that are not clean on to others, and nothing here has two names.
	if asset, ok := s.assets[r.URL.Path]; ok {
		asset.serve(w, r)
		return
	}
	path, ok := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, "/"), "/api/")
	if !ok || !fs.ValidPath(path) {
		s.problem(w, r, Problem{http.StatusNotFound, "there is nothing at this address", "the page is at /"})
		return
	}
	if deciding {
		s.decide(w, r, path)
		return
	}
	s.api(w, r, path)
}

// api answers what is below /api/.
func (s *Server) api(w http.ResponseWriter, r *http.Request, path string) {
	switch id, resource, deeper := strings.Cut(strings.TrimPrefix(path, "runs/"), "/"); {
	case path == "runs":
		s.document(w, r, func(ctx context.Context) (any, error) { return s.list(ctx) })
	case path == "fleet":
		s.document(w, r, func(ctx context.Context) (any, error) { return s.fleet.document(ctx) })
	case path == "live":
		s.listen(w, r, "", s.listVersion)
	case !strings.HasPrefix(path, "runs/"):
		s.problem(w, r, Problem{http.StatusNotFound, "the API has nothing of this name", "it has runs, live and fleet"})
	case deeper && resource == "live":
		if _, err := s.runs.find(r.Context(), id); err != nil {
			s.problem(w, r, asProblem(err))
			return
		}
		s.listen(w, r, id, func(ctx context.Context) string { return s.runVersion(ctx, id) })
	default:
		s.document(w, r, func(ctx context.Context) (any, error) {
			if document, ok, err := s.across(ctx, id, resource); ok {
				return document, err
			}
			if resource == "triage" {
				return s.decisions(ctx, id, s.writer.Granted(r, triageHeader))
			}
			run, release, err := s.runs.use(ctx, id)
			if err != nil {
				return nil, err
			}
			defer release()
			return run.Get(resource)
		})
	}
}
