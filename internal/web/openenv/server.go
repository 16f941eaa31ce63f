package openenv

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// Server plays episodes of one environment with many clients. It is safe for concurrent use.
type Server struct {
	c     Config
	about env.About
	guard access.Guard
	tasks *taskCache
	next  atomic.Int64 // the task of the next reset that names none
	http  *episodes
	mux   *http.ServeMux

	base context.Context // ends with the server
	end  context.CancelCauseFunc

	mu     sync.Mutex
	active int
	ended  bool
	wg     sync.WaitGroup // connections and episodes
}

// errShutdown is why everything ends when the server does.
var errShutdown = errors.New("the server is shutting down")

// New prepares a server. Close must be called.
func New(c Config) (*Server, error) {
	if c.Environment == nil || c.Sandbox == nil {
		return nil, errors.New("openenv: Config needs Environment and Sandbox")
	}
	s := &Server{c: c.withDefaults(), about: c.Environment.About(),
		guard: access.Guard{Token: c.Token, Hosts: c.Hosts, Open: []string{"/health"}}}
	s.base, s.end = context.WithCancelCause(context.Background())
	s.tasks = newTaskCache(s.base, c.Environment.Task)
	s.http = &episodes{byID: map[string]*httpEpisode{}}
	s.mux = s.routes()
	return s, nil
}

// spare is how many connections may be open beside those of the capacity.
const spare = 256

// Serve answers on l until ctx ends, then tells every client and returns when all episodes are over. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer s.Close()
	return access.Serve(ctx, l, s, access.Limits{Connections: s.c.Capacity + spare, Grace: 5 * time.Second}, s.Close)
}

// Close tells every client that the server is shutting down and returns when all episodes are over. It may be called
// twice.
func (s *Server) Close() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.end(errShutdown)
	s.wg.Wait()
	s.tasks.wg.Wait()
}

// Active is how many clients have a place.
func (s *Server) Active() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// enter takes a place in the capacity; leave gives it back.
func (s *Server) enter() *clientError {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return refuse(codeSession, "%v", errShutdown)
	}
	if s.active >= s.c.Capacity {
		e := refuse(codeCapacity, "server at capacity: %d of %d episodes; try again later", s.active, s.c.Capacity)
		e.Active, e.Most = new(s.active), new(s.c.Capacity)
		return e
	}
	s.active++
	s.wg.Add(1)
	return nil
}

func (s *Server) leave() {
	s.mu.Lock()
	s.active--
	s.mu.Unlock()
	s.wg.Done()
}

// ServeHTTP answers one request. Paths may have the prefix /t/TOKEN.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r, refused := s.guard.Admit(w.Header(), r)
	if refused != nil {
		writeProblem(w, refused.Status, refuse(codeSession, "%s", refused.Message))
		return
	}
	s.mux.ServeHTTP(w, r)
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		access.WriteJSON(w, http.StatusOK, map[string]string{"status": "healthy"})
	})
	mux.HandleFunc("GET /metadata", func(w http.ResponseWriter, _ *http.Request) { access.WriteJSON(w, http.StatusOK, s.metadata()) })
	mux.HandleFunc("GET /schema", func(w http.ResponseWriter, _ *http.Request) { access.WriteJSON(w, http.StatusOK, schemas()) })
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { access.WriteJSON(w, http.StatusOK, s.describe()) })
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) { access.WriteJSON(w, http.StatusOK, s.openAPI()) })
	mux.HandleFunc("GET /state", s.getState)
	mux.HandleFunc("POST /reset", s.postReset)
	mux.HandleFunc("POST /step", s.postStep)
	mux.HandleFunc("POST /mcp", s.postMCP)
	mux.HandleFunc("GET /ws", s.socket)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, http.StatusNotFound, refuse("NOT_FOUND", "there is no %s %s here; the episodes are at /ws", r.Method,
			access.Quoted(r.URL.Path)))
	})
	return mux
}

// problem is an HTTP error in the form of OpenEnv's own server, plus the code of the WebSocket's errors.
type problem struct {
	Detail string       `json:"detail"`
	Code   string       `json:"code"`
	Errors []fieldError `json:"errors,omitempty"`
}

func writeProblem(w http.ResponseWriter, status int, e *clientError) {
	access.WriteJSON(w, status, problem{e.Message, e.Code, e.Errors})
}

// asClientError is an error as the client sees it.
func asClientError(err error) *clientError {
	if own, ok := errors.AsType[*clientError](err); ok {
		return own
	}
	if errors.Is(err, errShutdown) {
		return refuse(codeSession, "%v", errShutdown)
	}
	text := err.Error()
	if advice := hint.Of(err); advice != "" {
		text += " (" + advice + ")"
	}
	return refuse(codeExecution, "%s", text)
}
