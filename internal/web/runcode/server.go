package runcode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/access"
)

// Server runs programs for many clients. It is safe for concurrent use.
type Server struct {
	c     Config
	guard access.Guard
	queue *queue
	mux   *http.ServeMux

	base context.Context // of what runs; ends a grace after the queue is closed
	end  context.CancelCauseFunc
}

// New prepares a server. Close must be called.
func New(c Config) (*Server, error) {
	if c.Executor == nil {
		return nil, errors.New("runcode: Config needs an Executor")
	}
	c = c.withDefaults()
	s := &Server{c: c, guard: access.Guard{Token: c.Token, Hosts: c.Hosts, Open: []string{"/v1/ping", "/health"}},
		queue: newQueue(c.Workers, c.Queue, c.HeldBytes)}
	s.base, s.end = context.WithCancelCause(context.Background())
	s.mux = s.routes()
	return s, nil
}

// spare is how many connections may be open beside those whose programs run or wait.
const spare = 256

// Serve answers on l until ctx ends, then refuses what waits, gives what runs its grace, and returns. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	defer s.Close()
	// Clients that still send their request, or do not read their answer, are cut off a moment after what runs.
	limits := access.Limits{Connections: s.c.Workers + s.c.Queue + spare, Grace: s.c.Grace + time.Second}
	return access.Serve(ctx, l, s, limits, s.stop)
}

// stop refuses all requests; running programs have their grace.
func (s *Server) stop() {
	s.queue.close()
	time.AfterFunc(s.c.Grace, func() { s.end(errShutdown) })
}

// Close refuses all requests and returns when those that ran are answered. It may be called twice.
func (s *Server) Close() {
	s.stop()
	s.queue.wg.Wait()
	s.end(errShutdown)
}

// ServeHTTP answers one request. Paths may have the prefix /t/TOKEN.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r, refused := s.guard.Admit(w.Header(), r)
	if refused != nil {
		writeDetail(w, refused.Status, refused.Message)
		return
	}
	s.mux.ServeHTTP(w, r)
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/ping", func(w http.ResponseWriter, _ *http.Request) { access.WriteJSON(w, http.StatusOK, "pong") })
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		access.WriteJSON(w, http.StatusOK, map[string]string{"status": "healthy"})
	})
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { access.WriteJSON(w, http.StatusOK, s.describe()) })
	mux.HandleFunc("POST /run_code", s.postRunCode)
	mux.HandleFunc("POST /run_batch", s.postRunBatch)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeDetail(w, http.StatusNotFound, fmt.Sprintf("there is no %s %s here; POST /run_code runs a program, POST /run_batch many",
			r.Method, access.Quoted(r.URL.Path)))
	})
	return mux
}

// description is the answer to /about.
type description struct {
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Languages   []string `json:"languages"`
	Workers     int      `json:"workers"`
	Places      int      `json:"places"`
	Taken       int      `json:"taken"`
	Running     int      `json:"running"`
	BodyBytes   int64    `json:"max_body_bytes"`
	RunTime     float64  `json:"max_run_timeout"`
	MemoryBytes int64    `json:"max_memory_bytes"`
	StepsSecond int      `json:"steps_per_second_of_run_timeout"`
	BatchSize   int      `json:"max_batch"`
}

func (s *Server) describe() description {
	taken, running, places := s.queue.load()
	return description{Name: "deeprepo code serve", Version: s.c.Version, Languages: append([]string{"python"}, s.c.Languages...),
		Workers: s.c.Workers,
		Places:  places, Taken: taken,
		Running: running, BodyBytes: s.c.BodyBytes, RunTime: s.c.RunTime.Seconds(), MemoryBytes: s.c.MemoryBytes, StepsSecond: stepsSecond,
		BatchSize: s.maxBatch()}
}

func (s *Server) postRunCode(w http.ResponseWriter, r *http.Request) {
	raw, leave, ok := s.body(w, r)
	if !ok {
		return
	}
	defer leave()
	q, err := parseRequest(raw, false)
	if err != nil {
		writeDetail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	wait := s.c.Wait
	if wait <= 0 {
		wait = seconds(q.CompileTimeout, s.c.RunTime) + 8*time.Second
	}
	ctx, cancel := s.joined(r.Context())
	defer cancel()
	a, err := s.run(ctx, q, wait)
	if err != nil {
		s.refuse(w, err)
		return
	}
	s.write(w, a)
}

// run judges one program when its turn comes. An error means that nothing was found out about it.
func (s *Server) run(ctx context.Context, q *request, wait time.Duration) (answer, error) {
	language, no := q.language(s.c)
	if no != "" {
		return unable(no), nil
	}
	free, err := s.queue.slot(ctx, wait)
	if err != nil {
		return answer{}, err
	}
	defer free()
	p, f := q.program(s.c, language)
	j, err := s.c.Executor.Exec(ctx, p)
	switch {
	case ctx.Err() != nil:
		return answer{}, context.Cause(ctx)
	case err != nil:
		s.c.Log.Error("a program could not be run", "error", err)
		return unable(err.Error()), nil
	}
	return q.answer(s.c, p, f, j), nil
}

// joined ends with its client, and with the server.
func (s *Server) joined(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.base, func() { cancel(context.Cause(s.base)) })
	return ctx, func() { stop(); cancel(nil) }
}

// body takes a place in the queue and reads a request. leave gives the place back.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (raw []byte, leave func(), ok bool) {
	size := r.ContentLength
	if size > s.c.BodyBytes {
		writeDetail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has %d bytes; at most %d are taken", size, s.c.BodyBytes))
		return nil, nil, false
	}
	if size < 0 {
		size = s.c.BodyBytes
	}
	if err := s.queue.enter(size); err != nil {
		s.refuse(w, err)
		return nil, nil, false
	}
	defer func() {
		if !ok {
			s.queue.leave(size)
		}
	}()
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(s.c.BodyWait)) // recorders in tests have none
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.c.BodyBytes))
	_ = control.SetReadDeadline(time.Time{})
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		writeDetail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has more than %d bytes", big.Limit))
	case err != nil:
		w.Header().Set("Connection", "close")
		writeDetail(w, http.StatusRequestTimeout, "the request did not arrive in time, or not whole")
	default:
		return raw, func() { s.queue.leave(size) }, true
	}
	return nil, nil, false
}

// refuse tells a client that its request was not run, and when to come back.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	status := http.StatusServiceUnavailable
	switch {
	case errors.Is(err, errLate):
		status = http.StatusGatewayTimeout
	case errors.Is(err, errFull), errors.Is(err, errHeavy):
	case errors.Is(err, errShutdown):
		w.Header().Set("Connection", "close")
		writeDetail(w, status, err.Error())
		return
	default: // the client is gone
		return
	}
	after := s.queue.retryAfter()
	w.Header().Set("Retry-After", strconv.Itoa(after))
	writeDetail(w, status, fmt.Sprintf("%v; come back in %d s", err, after))
}

// write answers a request; a client that does not read is cut off in the end.
func (s *Server) write(w http.ResponseWriter, v any) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.c.BodyWait))
	access.WriteJSON(w, http.StatusOK, v)
}

// writeDetail is an error in the form of SandboxFusion's server.
func writeDetail(w http.ResponseWriter, status int, detail string) {
	access.WriteJSON(w, status, map[string]string{"detail": detail})
}
