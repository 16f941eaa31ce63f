package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// stuck is a cell whose one long operation in C code can only be killed; it needs what sticky makes.
const (
	sticky = "a = ['x' * 5_000_000 + '0'] * 2_000_000\nb = [('x' * 5_000_000 + '1')[:-1] + '0'] * 2_000_000"
	stuck  = "a == b"
)

func TestHostCalls(t *testing.T) {
	e := open(t, Config{})
	var got []string
	s := session(t, e, SessionConfig{
		Limits: Limits{Wall: 200 * time.Millisecond},
		Host: func(_ context.Context, name string, payload []byte) ([]byte, error) {
			got = append(got, fmt.Sprintf("%s(%q)", name, payload))
			switch name {
			case "double":
				return append(payload, payload...), nil
			case "slow":
				time.Sleep(300 * time.Millisecond)
				return nil, nil
			case "big":
				return bytes.Repeat([]byte("0123456789abcdef"), 1<<19), nil
			}
			return nil, errors.New("no such thing: " + name + "\n\xff")
		},
	})
	r := run(t, s, `import _host
print(_host.call("double", b"\x00\xff\n"))
print(_host.call("slow", b""))
big = _host.call("big", memoryview(b"x"))
print(len(big), big == b"0123456789abcdef" * (1 << 19))
try:
    _host.call("naïve", bytearray(b"y"))
except RuntimeError as e:
    print(repr(str(e)))
`)
	want := "b'\\x00\\xff\\n\\x00\\xff\\n'\nb''\n8388608 True\n" + `'no such thing: naïve\n�'` + "\n"
	if diff := cmp.Diff(want, r.Output); diff != "" || r.Error != nil || r.Stop != "" {
		t.Errorf("stop %q, error %v, output (-want +got):\n%s", r.Stop, r.Error, diff)
	}
	if r.HostWall < 300*time.Millisecond || r.Wall > r.HostWall {
		t.Errorf("wall %v, host %v", r.Wall, r.HostWall)
	}
	if diff := cmp.Diff([]string{`double("\x00\xff\n")`, `slow("")`, `big("x")`, `naïve("y")`}, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// TestSessionsShareAWorker checks that one session continues while another waits for its host.
func TestSessionsShareAWorker(t *testing.T) {
	e := open(t, Config{})
	release := make(chan struct{})
	waiting := session(t, e, SessionConfig{Host: func(context.Context, string, []byte) ([]byte, error) {
		<-release
		return []byte("released"), nil
	}})
	other := session(t, e, SessionConfig{})
	var wg sync.WaitGroup
	wg.Go(func() {
		if r, err := waiting.Run(t.Context(), "import _host\n_host.call('wait', b'')"); err != nil || r.Output != "b'released'\n" {
			t.Errorf("waiting session: %q %v", r.Output, err)
		}
	})
	if r := run(t, other, "sum(range(1000))"); r.Output != "499500\n" {
		t.Errorf("other session: %q", r.Output)
	}
	close(release)
	wg.Wait()
}

func TestPreludeAndSetup(t *testing.T) {
	e := open(t, Config{})
	const prelude = "import json, random\nloaded = random.random()\nshared = [1]\ndef _setup(data):\n    global config\n    config = " +
		"json.loads(data)\n    print('lost')\n"
	for _, name := range []string{"one", "two"} {
		s := session(t, e, SessionConfig{Prelude: prelude, Setup: []byte(`{"name": "` + name + `"}`)})
		if r := run(t, s, "shared.append(2)\nprint(config['name'], shared)"); r.Output != name+" [1, 2]\n" {
			t.Errorf("session %s: %q %v", name, r.Output, r.Error)
		}
	}
	for name, c := range map[string]struct {
		config SessionConfig
		says   string
	}{
		"broken prelude":       {SessionConfig{Prelude: "x = 1\n1/0"}, "File \"<prelude>\", line 2"},
		"prelude calls host":   {SessionConfig{Prelude: "import _host\n_host.call('x', b'')"}, "cannot make host calls"},
		"setup without a hook": {SessionConfig{Setup: []byte("{}")}, "KeyError: '_setup'"},
		"broken setup":         {SessionConfig{Prelude: prelude, Setup: []byte("{")}, "JSONDecodeError"},
		"endless setup":        {SessionConfig{Prelude: "def _setup(d):\n  while True: pass", Setup: []byte("x"), Limits: Limits{Wall: 50 * time.Millisecond}}, "stopped by its wall limit"},
	} {
		s, err := e.NewSession(t.Context(), c.config)
		var known *Error
		if !errors.As(err, &known) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: session %v, error %v; want %q", name, s, err, c.says)
		}
	}
}

// TestKill checks that a cell which can only be killed is undone, that its session and the others in the process are
// as before, and that no host call is made twice.
func TestKill(t *testing.T) {
	e := open(t, Config{})
	var calls atomic.Int32
	host := func(_ context.Context, name string, payload []byte) ([]byte, error) {
		return fmt.Appendf(nil, "%s#%d", payload, calls.Add(1)), nil
	}
	cfg := SessionConfig{Limits: Limits{Wall: 600 * time.Millisecond, Steps: 1 << 40}, Prelude: "import _host, random\ndef ask(x): " +
		"return _host.call('ask', x.encode()).decode()\ndef _setup(d):\n  global first\n  first = ask('setup')", Setup: []byte("x"), Host: host}
	killed, beside, reference := session(t, e, cfg), session(t, e, cfg), session(t, e, SessionConfig{})
	cells := []string{"x = ask('one'); r = random.random()", "n = 0\nwhile True: n += 1", "y = ask('two'); l = [n, first, x, y, r]"}
	var before []string
	for _, s := range []*Session{killed, beside} {
		for _, c := range cells {
			runSoft(t, s, c)
		}
		before = append(before, run(t, s, "l").Output)
	}
	made := calls.Load()
	run(t, reference, "z = 1")
	run(t, killed, sticky)
	for round := range 2 {
		r := run(t, killed, "l.clear()\nx = ask('late')\n"+stuck)
		if r.Stop != trace.CellKilled || r.Error == nil || r.Error.Type != "Killed" {
			t.Fatalf("round %d: stop %q, error %v", round, r.Stop, r.Error)
		}
		made++
		if got := run(t, killed, "[n, first, x, y, r]").Output; got != before[0] {
			t.Errorf("round %d: killed session has %s, had %s", round, got, before[0])
		}
		if got := run(t, beside, "l").Output; got != before[1] {
			t.Errorf("round %d: session beside it has %s, had %s", round, got, before[1])
		}
		if got := run(t, reference, "z").Output; got != "1\n" {
			t.Errorf("round %d: third session has %s", round, got)
		}
	}
	if n := calls.Load(); n != made {
		t.Errorf("%d host calls, want %d: some were repeated or lost", n, made)
	}
	// The random source continues where it was, too.
	a, b := run(t, killed, "random.random()"), run(t, beside, "random.random()")
	if a.Output != b.Output {
		t.Errorf("after the rebuild: %s and %s", a.Output, b.Output)
	}
}

// TestWorkerDies ends the worker process from outside, between cells and in the middle of one.
func TestWorkerDies(t *testing.T) {
	e := open(t, Config{})
	var calls atomic.Int32
	reached, goOn := make(chan struct{}), make(chan struct{})
	s := session(t, e, SessionConfig{Host: func(_ context.Context, name string, _ []byte) ([]byte, error) {
		calls.Add(1)
		if name == "wait" {
			close(reached)
			<-goOn
		}
		return []byte(name), nil
	}})
	run(t, s, "import _host\nx = _host.call('a', b'')")
	s.p.cmd.Process.Kill()
	if r := run(t, s, "x"); r.Output != "b'a'\n" {
		t.Errorf("after a death between cells: %q %v", r.Output, r.Error)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		<-reached
		s.p.cmd.Process.Kill()
		<-s.p.dead
		close(goOn)
	})
	r := run(t, s, "print(_host.call('b', b''))\nprint(_host.call('wait', b''))\nprint(_host.call('c', b''))")
	wg.Wait()
	if r.Output != "b'b'\nb'wait'\nb'c'\n" || r.Error != nil {
		t.Errorf("after a death during a host call: %q %v", r.Output, r.Error)
	}
	if n := calls.Load(); n != 4 {
		t.Errorf("%d host calls, want 4", n)
	}
}

func TestCancel(t *testing.T) {
	e := open(t, Config{})
	s := session(t, e, SessionConfig{Host: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	run(t, s, "import _host\nn = 0")
	run(t, s, sticky)
	for _, c := range []struct{ name, cell string }{
		{"loop", "while True: n += 1"},
		{"C code", stuck},
		{"host call", "_host.call('x', b'')"},
		{"swallowed", "while True:\n  try: _host.call('x', b'')\n  except Exception: pass"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		began := time.Now()
		r, err := s.Run(ctx, c.cell)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: result %+v, error %v", c.name, r, err)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("%s: returned after %v", c.name, d)
		}
		cancel()
		if r := run(t, s, "n >= 0"); r.Output != "True\n" {
			t.Errorf("%s: afterwards %q %v", c.name, r.Output, r.Error)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Run(done, "n = -5"); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	if _, err := e.NewSession(done, SessionConfig{}); !errors.Is(err, context.Canceled) {
		t.Errorf("new session with an ended context: %v", err)
	}
}

func TestClose(t *testing.T) {
	e := open(t, Config{})
	inHost := make(chan struct{})
	s := session(t, e, SessionConfig{Host: func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		close(inHost)
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := s.Run(t.Context(), "import _host\n_host.call('x', b'')")
		var known *Error
		if !errors.As(err, &known) || !errors.Is(err, errSessionClosed) {
			t.Errorf("closed while running: %v", err)
		}
	})
	<-inHost
	if _, err := s.Run(t.Context(), "1"); !errors.Is(err, ErrBusy) {
		t.Errorf("second cell at once: %v", err)
	}
	s.Close()
	wg.Wait()
	if _, err := s.Run(t.Context(), "1"); !errors.Is(err, errSessionClosed) {
		t.Errorf("run after close: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
	left := session(t, e, SessionConfig{})
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := left.Run(t.Context(), "1"); !errors.Is(err, errClosed) {
		t.Errorf("run after the engine is closed: %v", err)
	}
	if _, err := e.NewSession(t.Context(), SessionConfig{}); !errors.Is(err, errClosed) {
		t.Errorf("new session after the engine is closed: %v", err)
	}
}

// TestDeterminism runs the same cells in two processes and compares everything.
func TestDeterminism(t *testing.T) {
	cells := []string{
		"import random, time, os, uuid, secrets, tempfile, datetime\nprint(random.random(), time.time(), time.monotonic(), os.urandom(4).hex(), uuid.uuid4(), secrets.token_hex(4), datetime.datetime.now())",
		"print(hash('x'), id(object()), {str(i) for i in range(50)}, object())",
		"class A: pass\nprint(A(), sorted([A() for _ in range(3)], key=id))\nx = sum(i * i for i in range(12345))\n1/0",
		"time.sleep(1.5)\nprint(time.time(), random.sample(range(1000), 5), list({1.5, 'a', None, (1,)}))",
		"while True: x += 1",
		"x, time.perf_counter_ns()",
	}
	var first []Result
	for i := range 2 {
		e := open(t, Config{})
		s := session(t, e, SessionConfig{Prelude: "import random\nseed = random.random()", Limits: Limits{Steps: 3_000_000}})
		var got []Result
		for _, c := range cells {
			r := run(t, s, c)
			r.Wall = 0
			got = append(got, r)
		}
		if i == 0 {
			first = got
		} else if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("the second process differs:\n%s", diff)
		}
	}
	if !strings.Contains(first[0].Output, "1767225600.") {
		t.Errorf("the clock does not start in 2026: %s", first[0].Output)
	}
}

// TestConcurrent runs many sessions at once over two workers, with kills among them.
func TestConcurrent(t *testing.T) {
	e := open(t, Config{Workers: 2})
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			s, err := e.NewSession(t.Context(), SessionConfig{Limits: Limits{Wall: 400 * time.Millisecond, Steps: 1 << 40},
				Prelude: "import _host", Host: echo})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if i%6 == 0 {
				if _, err := s.Run(t.Context(), sticky); err != nil {
					t.Error(err)
				}
			}
			for n := range 5 {
				if i%6 == 0 && n == 2 {
					if r, err := s.Run(t.Context(), stuck); err != nil || r.Stop != trace.CellKilled && r.Stop != trace.CellWall {
						t.Errorf("session %d: %q %v", i, r.Stop, err)
					}
					continue
				}
				r, err := s.Run(t.Context(), fmt.Sprintf("k = globals().get('k', 0) + 1\nprint(_host.call('echo', b'%d-%d'), k)", i, n))
				want := fmt.Sprintf("b'%d-%d' %d\n", i, n, n+1)
				if i%6 == 0 && n > 2 {
					want = fmt.Sprintf("b'%d-%d' %d\n", i, n, n)
				}
				if err != nil || r.Output != want {
					t.Errorf("session %d cell %d: %q, want %q; stop %q, %v, %v", i, n, r.Output, want, r.Stop, r.Error, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestSkippedCellsAreCounted(t *testing.T) {
	s := session(t, open(t, Config{}), SessionConfig{})
	run(t, s, "def f(): 1/0")
	s.Skip()
	r := run(t, s, "f()")
	if r.Error == nil || !strings.Contains(r.Error.Traceback, `"<cell 3>", line 1`) || !strings.Contains(r.Error.Traceback, `"<cell 1>"`) {
		t.Errorf("after a skipped cell: %+v", r.Error)
	}
}
