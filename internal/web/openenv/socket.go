package openenv

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
)

const (
	queued   = 8 // messages that a client may send ahead
	patience = 8 // a message this many times over the limit is read to its end, so that it can be refused
	farewell = 5 * time.Second
)

// Reasons why a connection ends.
var (
	errClosed  = errors.New("the client closed the episode")
	errGone    = errors.New("the client is gone")
	errTooFast = errors.New("the client sent too many messages ahead of their answers")
)

// connection is one client.
type connection struct {
	s       *Server
	ws      *websocket.Conn
	in      chan incoming
	ctx     context.Context
	cancel  context.CancelCauseFunc
	episode *episode // nil before the first reset
}

// incoming is a message, or why it is none.
type incoming struct {
	message message
	err     *clientError
}

// answer is what goes back.
type answer struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

// socket serves one client over a WebSocket.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // admit looked at the origin
	if err != nil {
		return // Accept has answered
	}
	cut := func() { _ = ws.CloseNow() } // the message was sent, or cannot be
	defer cut()
	k := &connection{s: s, ws: ws, in: make(chan incoming, queued)}
	k.ctx, k.cancel = context.WithCancelCause(s.base)
	defer k.cancel(nil)
	if refused := s.enter(); refused != nil {
		if k.write(answer{typeError, refused}) == nil {
			ws.Close(websocket.StatusTryAgainLater, "capacity reached")
		}
		return
	}
	defer s.leave()
	defer k.drop()
	ws.SetReadLimit(patience * s.c.MessageBytes)
	// Reading has its own context: when it ends, the socket breaks, and the client must first be told.
	reading, stopReading := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cut()
	defer stopReading()
	wg.Go(func() { k.read(reading) })
	wg.Go(func() { k.ping(reading) })
	k.loop()
	k.goodbye()
}

// loop answers messages one after the other until the connection is to end.
func (k *connection) loop() {
	idle := time.NewTimer(k.s.c.Idle)
	defer idle.Stop()
	for {
		select {
		case m := <-k.in:
			reply := k.answer(m)
			if k.ctx.Err() != nil {
				return // no one waits for it, or the client gets another message
			}
			if err := k.write(reply); err != nil {
				k.cancel(errGone)
				return
			}
			idle.Reset(k.s.c.Idle)
		case <-idle.C:
			k.cancel(refuse(codeSession, "the client was silent for %v; the episode is over", k.s.c.Idle))
			return
		case <-k.ctx.Done():
			return
		}
	}
}

// goodbye tells the client why the connection ends.
func (k *connection) goodbye() {
	cause := context.Cause(k.ctx)
	var idle *clientError
	switch {
	case errors.Is(cause, errClosed):
		k.ws.Close(websocket.StatusNormalClosure, "")
	case errors.Is(cause, errTooFast):
		if k.write(answer{typeError, refuse(codeSession, "%v", errTooFast)}) == nil {
			k.ws.Close(websocket.StatusPolicyViolation, errTooFast.Error())
		}
	case errors.As(cause, &idle):
		if k.write(answer{typeError, idle}) == nil {
			k.ws.Close(websocket.StatusGoingAway, "idle")
		}
	case errors.Is(cause, errShutdown):
		if k.write(answer{typeError, refuse(codeSession, "%v", errShutdown)}) == nil {
			k.ws.Close(websocket.StatusGoingAway, errShutdown.Error())
		}
	}
}

// drop ends the episode and waits until nothing is left of it.
func (k *connection) drop() {
	if k.episode != nil {
		k.episode.stop()
		k.episode = nil
	}
}

// read takes messages in for as long as there is a client. It also keeps pings and the client's close going while a
// step takes its time.
func (k *connection) read(ctx context.Context) {
	for {
		m, err := k.next(ctx)
		if err != nil {
			k.cancel(errGone)
			return
		}
		if m.err == nil && m.message.Type == typeClose {
			k.cancel(errClosed) // at once, even in the middle of a step
			continue            // the handshake of closing is read here
		}
		select {
		case k.in <- m:
		default:
			k.cancel(errTooFast)
		}
	}
}

func (k *connection) next(ctx context.Context) (incoming, error) {
	kind, r, err := k.ws.Reader(ctx)
	if err != nil {
		return incoming{}, err
	}
	limit := k.s.c.MessageBytes
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return incoming{}, err
	}
	if int64(len(raw)) > limit {
		more, err := io.Copy(io.Discard, r)
		if err != nil {
			return incoming{}, err
		}
		return incoming{err: refuse(codeValidation, "the message has %d bytes; at most %d are taken. The episode goes on: send a shorter one",
			int64(len(raw))+more, limit)}, nil
	}
	if kind != websocket.MessageText {
		return incoming{err: refuse(codeInvalidJSON, "invalid JSON: messages are text frames, not binary ones")}, nil
	}
	m, bad := parseMessage(raw)
	return incoming{m, bad}, nil
}

// ping keeps proxies from closing an idle connection, and finds clients that are gone. A client that is
// slow to answer is not gone: its event loop may be busy with a model.
func (k *connection) ping(ctx context.Context) {
	tick := time.NewTicker(k.s.c.Ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.ctx.Done():
			return
		case <-tick.C:
		}
		waiting, cancel := context.WithTimeout(ctx, k.s.c.Idle)
		err := k.ws.Ping(waiting)
		cancel()
		if err != nil {
			k.cancel(errGone)
			return
		}
	}
}

// write sends an answer. Once the connection is to end, the client has only a moment left to read it.
func (k *connection) write(a answer) error {
	data, err := jsonfile.Line(a)
	if err != nil { // a reward that is not a number: the client must not wait for ever
		k.s.c.Log.Error("an answer cannot be encoded", "error", err)
		if data, err = jsonfile.Line(answer{typeError, refuse(codeExecution, "the answer cannot be encoded: %v", err)}); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), k.s.c.WriteWait)
	defer cancel()
	stop := context.AfterFunc(k.ctx, func() {
		select {
		case <-ctx.Done():
		case <-time.After(farewell):
			cancel()
		}
	})
	defer stop()
	return k.ws.Write(ctx, websocket.MessageText, data)
}

// answer obeys one message.
func (k *connection) answer(in incoming) answer {
	if in.err != nil {
		return answer{typeError, in.err}
	}
	switch in.message.Type {
	case typeReset:
		d, bad := parseReset(in.message.Data)
		if bad != nil {
			return answer{typeError, bad}
		}
		k.drop()
		e, r, err := k.s.reset(k.ctx, k.ctx, d)
		if err != nil {
			return answer{typeError, asClientError(err)}
		}
		k.episode = e
		return answer{typeObservation, r}
	case typeStep:
		action, bad := parseAction(in.message.Data)
		switch {
		case bad != nil:
			return answer{typeError, bad}
		case k.episode == nil:
			return answer{typeError, refuse(codeExecution, "there is no episode: send a reset first")}
		case k.episode.over:
			return answer{typeError, refuse(codeExecution, "the episode is over: send a reset to begin another")}
		}
		a, err := k.episode.step(k.ctx, action)
		if err != nil {
			return answer{typeError, asClientError(err)}
		}
		return answer{typeObservation, k.s.outcome(k.episode, a, false)}
	case typeMCP:
		return answer{typeMCP, rpc(in.message.Data)}
	}
	return answer{typeState, k.s.state(k.episode)}
}

// reset begins an episode that lasts no longer than life, and waits for its first observation.
func (s *Server) reset(ctx, life context.Context, d resetData) (*episode, result, error) {
	e, err := s.choose(ctx, d)
	if err != nil {
		return nil, result{}, err
	}
	if err := s.start(life, e); err != nil {
		return nil, result{}, err
	}
	a, err := e.wait(ctx)
	if err != nil {
		e.stop()
		return nil, result{}, err
	}
	return e, s.outcome(e, a, true), nil
}

// outcome is the result of a reset or a step.
func (s *Server) outcome(e *episode, a *ask, afterReset bool) result {
	if a == nil {
		return e.ended(s.about)
	}
	return e.asked(a, afterReset)
}
