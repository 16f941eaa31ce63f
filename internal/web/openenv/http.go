package openenv

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/access"
)

// OpenEnv's own server makes a fresh environment for every HTTP request, so that nothing can be played over it. Here a
// reset over HTTP begins an episode that lasts, and a step names it by its episode_id; without one there is no episode.

// episodes are those that are played over HTTP.
type episodes struct {
	mu   sync.Mutex
	byID map[string]*httpEpisode
}

// httpEpisode outlives the requests: a client whose connection broke in the middle of a step asks again with the same
// request_id and gets the answer.
type httpEpisode struct {
	mu      sync.Mutex
	episode *episode
	call    *httpCall // the step in progress, or the last one
	idle    *time.Timer
	cancel  context.CancelCauseFunc
	final   *stateData // once it is over and its memory is free
}

// httpCall is one step.
type httpCall struct {
	requestID string
	done      chan struct{}
	result    result // after done
	err       error  // after done
}

// body reads a request's JSON object.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (map[string]json.RawMessage, bool) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.c.MessageBytes))
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		writeProblem(w, http.StatusRequestEntityTooLarge, refuse(codeValidation, "the body has more than %d bytes", big.Limit))
		return nil, false
	case err != nil:
		return nil, false // the client is gone
	case len(raw) == 0:
		return map[string]json.RawMessage{}, true
	}
	fields, err := object(raw)
	if err != nil {
		writeProblem(w, http.StatusUnprocessableEntity, refuse(codeInvalidJSON, "invalid JSON: %v", err))
		return nil, false
	}
	return fields, true
}

func (s *Server) postReset(w http.ResponseWriter, r *http.Request) {
	fields, ok := s.body(w, r)
	if !ok {
		return
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		writeProblem(w, http.StatusUnprocessableEntity, refuse(codeInvalidJSON, "invalid JSON: %v", err))
		return
	}
	d, bad := parseReset(raw)
	if bad != nil {
		writeProblem(w, http.StatusUnprocessableEntity, bad)
		return
	}
	if d.EpisodeID != nil {
		s.forget(*d.EpisodeID)
	}
	if refused := s.enter(); refused != nil {
		writeProblem(w, http.StatusServiceUnavailable, refused)
		return
	}
	life, cancel := context.WithCancelCause(s.base)
	e, first, err := s.reset(r.Context(), life, d)
	if err != nil {
		cancel(nil)
		s.leave()
		writeProblem(w, statusOf(err), asClientError(err))
		return
	}
	h := &httpEpisode{episode: e, cancel: cancel}
	h.idle = time.AfterFunc(s.c.Idle, func() { cancel(refuse(codeSession, "the client was silent for %v; the episode is over", s.c.Idle)) })
	s.http.mu.Lock()
	old := s.http.byID[e.id]
	s.http.byID[e.id] = h
	s.http.mu.Unlock()
	if old != nil {
		old.cancel(errClosed)
	}
	s.wg.Go(func() { s.free(h, e) })
	access.WriteJSON(w, http.StatusOK, first)
}

// free gives an episode's place back when its rollout is over, and forgets it once its last answer is old.
func (s *Server) free(h *httpEpisode, e *episode) {
	<-e.done
	h.mu.Lock()
	call := h.call
	h.mu.Unlock()
	if call != nil {
		<-call.done
	}
	h.mu.Lock()
	h.final = new(s.state(e))
	h.episode = nil
	h.idle.Stop()
	h.mu.Unlock()
	h.cancel(nil)
	s.leave()
	timer := time.NewTimer(s.c.Idle)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.base.Done():
	}
	s.http.mu.Lock()
	defer s.http.mu.Unlock()
	if s.http.byID[e.id] == h {
		delete(s.http.byID, e.id)
	}
}

// forget ends the episode of that name, if there is one.
func (s *Server) forget(id string) {
	s.http.mu.Lock()
	h := s.http.byID[id]
	delete(s.http.byID, id)
	s.http.mu.Unlock()
	if h != nil {
		h.cancel(errClosed)
	}
}

func (s *Server) find(id string) *httpEpisode {
	s.http.mu.Lock()
	defer s.http.mu.Unlock()
	return s.http.byID[id]
}

func (s *Server) postStep(w http.ResponseWriter, r *http.Request) {
	fields, ok := s.body(w, r)
	if !ok {
		return
	}
	var request struct {
		EpisodeID string   `json:"episode_id"`
		RequestID string   `json:"request_id"`
		Timeout   *float64 `json:"timeout_s"`
	}
	for name, into := range map[string]any{"episode_id": &request.EpisodeID, "request_id": &request.RequestID, "timeout_s": &request.Timeout} {
		if raw, ok := fields[name]; ok && json.Unmarshal(raw, into) != nil {
			writeProblem(w, http.StatusUnprocessableEntity, invalid(name, "has the wrong type"))
			return
		}
	}
	if request.Timeout != nil && *request.Timeout < 0 {
		writeProblem(w, http.StatusUnprocessableEntity, invalid("timeout_s", "%v is negative", *request.Timeout))
		return
	}
	for name := range fields {
		if name != "episode_id" && name != "request_id" && name != "timeout_s" && name != "action" {
			writeProblem(w, http.StatusUnprocessableEntity, invalid(access.Quoted(name),
				"there is no such field; known are action, episode_id, request_id and timeout_s"))
			return
		}
	}
	action, bad := parseAction(fields["action"])
	if bad != nil {
		writeProblem(w, http.StatusUnprocessableEntity, bad)
		return
	}
	if request.EpisodeID == "" {
		writeProblem(w, http.StatusConflict, refuse(codeExecution,
			"a step over HTTP names its episode: add the episode_id that POST /reset gave; "+
				"over the WebSocket at /ws the connection is the episode"))
		return
	}
	h := s.find(request.EpisodeID)
	if h == nil {
		writeProblem(w, http.StatusNotFound, refuse(codeExecution, "there is no episode %s: POST /reset begins one",
			access.Quoted(request.EpisodeID)))
		return
	}
	call, bad := s.call(h, request.RequestID, action)
	if bad != nil {
		writeProblem(w, http.StatusConflict, bad)
		return
	}
	var late <-chan time.Time
	if request.Timeout != nil && *request.Timeout > 0 && *request.Timeout < 1e6 {
		timer := time.NewTimer(time.Duration(*request.Timeout * float64(time.Second)))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-call.done:
	case <-late:
		writeProblem(w, http.StatusGatewayTimeout, refuse(codeExecution, "the step is not done after %v s and goes on; "+
			"ask again with the same request_id for its answer", *request.Timeout))
		return
	case <-r.Context().Done():
		return
	}
	if call.err != nil {
		writeProblem(w, statusOf(call.err), asClientError(call.err))
		return
	}
	access.WriteJSON(w, http.StatusOK, call.result)
}

// call begins a step, or finds the one with that request_id.
func (s *Server) call(h *httpEpisode, requestID string, action reply) (*httpCall, *clientError) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.call; c != nil {
		if requestID != "" && c.requestID == requestID {
			return c, nil
		}
		select {
		case <-c.done:
		default:
			return nil, refuse(codeExecution, "a step of this episode is under way; repeat its request_id to wait for it")
		}
	}
	if h.episode == nil || h.episode.over {
		return nil, refuse(codeExecution, "the episode is over: POST /reset begins another")
	}
	h.idle.Stop()
	c := &httpCall{requestID: requestID, done: make(chan struct{})}
	e := h.episode
	h.call = c
	s.wg.Go(func() {
		defer close(c.done)
		a, err := e.step(s.base, action)
		if err != nil {
			c.err = err
			return
		}
		c.result = s.outcome(e, a, false)
		h.idle.Reset(s.c.Idle)
	})
	return c, nil
}

func (s *Server) getState(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("episode_id")
	if id == "" {
		access.WriteJSON(w, http.StatusOK, s.state(nil))
		return
	}
	h := s.find(id)
	if h == nil {
		writeProblem(w, http.StatusNotFound, refuse(codeExecution, "there is no episode %s", access.Quoted(id)))
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.final != nil {
		access.WriteJSON(w, http.StatusOK, h.final)
		return
	}
	if h.call != nil {
		select {
		case <-h.call.done:
		default:
			writeProblem(w, http.StatusConflict, refuse(codeExecution, "a step of this episode is under way"))
			return
		}
	}
	access.WriteJSON(w, http.StatusOK, s.state(h.episode))
}

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	switch e := asClientError(err); {
	case e.Code == codeValidation, e.Code == codeInvalidJSON:
		return http.StatusUnprocessableEntity
	case e.Code == codeSession:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
