package openenv_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	runtest.Worker()
	goleak.VerifyTestMain(m)
}

// looper is an environment whose rules fit in a test: the policy says "answer X" and earns X/10.
type looper struct {
	rolls  atomic.Int64 // in progress
	made   atomic.Int64 // tasks
	cut    atomic.Int64 // cells that were stopped in their middle
	inside chan string  // gets messages that hang; may be nil
}

const loopTurns = 4

func (l *looper) Name() string { return "looper" }

func (l *looper) About() env.About {
	return env.About{Summary: "says what it heard", Splits: []string{env.Train, env.Heldout}, RewardName: "loop_reward", MaxTurns: loopTurns,
		MinFiles: 7, MaxFiles: 30, Parts: []env.Weight{{Name: "said", Weight: 1, Formula: "X/10"}}, Metrics: []string{"never", "luck"}}
}

func (l *looper) Size(s env.Selection) int {
	if s.Split == env.Heldout {
		return 2
	}
	return 0
}

func (l *looper) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	l.made.Add(1)
	if s.Language == "cobol" {
		return env.Task{}, fmt.Errorf("no templates for %s", s.Language)
	}
	return env.Task{ID: fmt.Sprintf("loop/%s/%d/%d", s.Split, s.Seed, i), Split: s.Split, Language: "python", Seed: s.Seed}, nil
}

func (l *looper) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	l.rolls.Add(1)
	defer l.rolls.Add(-1)
	if err := a.Trace.Append(trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: a.ID}}); err != nil {
		return env.Rollout{}, err
	}
	h, err := a.Root(nil)
	if err != nil {
		return env.Rollout{}, err
	}
	messages := []llm.Message{{Role: llm.RoleUser, Content: "begin " + t.ID}}
	out := env.Rollout{Stop: env.StopTurns}
	for out.Turns < loopTurns {
		response, err := h.Model.Complete(ctx, llm.Request{System: "you are a loop", Messages: messages})
		if err != nil {
			return env.Rollout{Stop: env.StopInterrupted, Error: err.Error()}, nil
		}
		out.Turns++
		out.Root.Input += response.Usage.InputTokens
		out.Root.Output += response.Usage.OutputTokens
		said := "heard " + response.Text
		switch word, rest, _ := strings.Cut(response.Text, " "); word {
		case "answer":
			var x float64
			if _, err := fmt.Sscan(rest, &x); err != nil {
				return out, err
			}
			out.Reward, out.Stop = x/10, env.StopAnswer
			out.Parts = []env.Part{{Name: "said", Value: x / 10, Weight: 1}}
			out.Metrics = map[string]float64{"luck": float64(a.Seed), "tokens_in": float64(out.Root.Input), "tokens_out": float64(out.Root.Output)}
			return out, nil
		case "hang":
			if l.inside != nil {
				l.inside <- rest
			}
			<-ctx.Done()
			return env.Rollout{Stop: env.StopInterrupted, Error: "interrupted"}, nil
		case "sleep":
			d, _ := time.ParseDuration(rest)
			select {
			case <-time.After(d):
			case <-ctx.Done():
				l.cut.Add(1)
			}
		case "work":
			l.inside <- rest
			w, err := a.Worker("", nil)
			if err != nil {
				return out, err
			}
			if _, err := w.Model.Complete(ctx, llm.Request{}); err != nil {
				said = "no worker answered"
			}
		case "panic":
			panic("the looper broke")
		case "fail":
			return out, fmt.Errorf("the looper's disk is full")
		case "nan":
			out.Reward, out.Stop = math.NaN(), env.StopAnswer
			return out, nil
		case "forget": // as compaction does
			messages = []llm.Message{{Role: llm.RoleUser, Content: "begin " + t.ID + " (folded)"}, {Role: llm.RoleUser, Content: said}}
			continue
		case "big":
			said = strings.Repeat("x", 1<<20)
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, Content: response.Text}, llm.Message{Role: llm.RoleUser, Content: said})
	}
	return out, nil
}

// noSandbox is for environments that run no cells.
type noSandbox struct{}

func (noSandbox) NewSession(context.Context, sandbox.SessionConfig) (*sandbox.Session, error) {
	return nil, fmt.Errorf("no sandbox here")
}

// serve starts a server for a test.
func serve(t testing.TB, c openenv.Config) (*openenv.Server, string) {
	t.Helper()
	if c.Environment == nil {
		c.Environment = &looper{}
	}
	if c.Sandbox == nil {
		c.Sandbox = noSandbox{}
	}
	s, err := openenv.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		h.CloseClientConnections()
		h.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s, access.BaseURL(strings.TrimPrefix(h.URL, "http://"), c.Token)
}

// client is a WebSocket client that speaks as OpenEnv's does.
type client struct {
	t  testing.TB
	ws *websocket.Conn
}

func dial(t testing.TB, base string) *client {
	t.Helper()
	ws, _, err := websocket.Dial(t.Context(), base+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(100 << 20)
	t.Cleanup(func() { ws.CloseNow() })
	return &client{t, ws}
}

// patience is for what hangs; 16 MiB take their time on a busy machine.
const patience = 3 * time.Minute

func (c *client) send(raw string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, []byte(raw)); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// ends wants the server to end the connection with a status.
func (c *client) ends(status websocket.StatusCode) {
	c.t.Helper()
	if _, _, err := c.ws.Read(c.t.Context()); websocket.CloseStatus(err) != status {
		c.t.Errorf("the connection ended with %v, want status %d", err, status)
	}
}

// received is any answer of the server.
type received struct {
	Type string
	Data struct {
		Observation struct {
			Message, System, Stop, Error, Task string
			EpisodeID                          string `json:"episode_id"`
			Transcript                         []llm.Message
			Done                               bool
			Turn                               int
			MaxTurns                           int `json:"max_turns"`
			Parts                              []env.Part
			Metrics                            map[string]float64
		}
		Reward        *float64
		Done          bool
		Message, Code string
		Errors        []struct {
			Loc []string
			Msg string
		}
		Active *int `json:"active_sessions"`
		Most   *int `json:"max_sessions"`
		// of a state
		EpisodeID *string `json:"episode_id"`
		StepCount int     `json:"step_count"`
		Seed      *int64
		Index     *int
		Rollout   int
		Task      string
		Split     string
	}
}

func (c *client) receive() received {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, raw, err := c.ws.Read(ctx)
	if err != nil {
		c.t.Fatalf("receive: %v", err)
	}
	var r received
	if err := json.Unmarshal(raw, &r); err != nil {
		c.t.Fatalf("%v in %.300s", err, raw)
	}
	return r
}

func (c *client) call(raw string) received { c.t.Helper(); c.send(raw); return c.receive() }

func (c *client) step(text string) received {
	c.t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.call(`{"type":"step","data":{"message":` + string(data) + `}}`)
}

// hanging is a client whose step is under way and does not end by itself.
func hanging(t testing.TB) (*looper, *openenv.Server, *client) {
	t.Helper()
	e := &looper{inside: make(chan string, 1)}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	c := dial(t, base)
	c.call(`{"type":"reset"}`)
	c.send(`{"type":"step","data":{"message":"hang on"}}`)
	<-e.inside
	return e, s, c
}

// freed waits until no rollout is under way and every place is free.
func freed(t testing.TB, e *looper, s *openenv.Server, what string) {
	t.Helper()
	eventually(t, what, func() bool { return e.rolls.Load() == 0 && s.Active() == 0 })
}

// eventually waits until something that happens on another goroutine has happened.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("it never happened: %s", what)
}
