package sandbox

import (
	"context"
	"testing"
	"time"
)

// open starts an engine whose cache is shared by all tests of one run.
func open(t testing.TB, c Config) *Engine {
	t.Helper()
	e, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func session(t testing.TB, e *Engine, c SessionConfig) *Session {
	t.Helper()
	s, err := e.NewSession(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func run(t testing.TB, s *Session, cell string) Result {
	t.Helper()
	r, err := s.Run(t.Context(), cell)
	if err != nil {
		t.Fatalf("cell %q: %v", cell, err)
	}
	return r
}

func TestSmoke(t *testing.T) {
	t0 := time.Now()
	e := open(t, Config{OnCompile: func() { t.Log("compiling") }})
	t.Log("open", time.Since(t0))
	t0 = time.Now()
	s := session(t, e, SessionConfig{Prelude: "import _host\ndef ask(x): return _host.call('ask', x.encode()).decode()\ndef _setup(b):\n  global D\n  D=b", Setup: []byte("{}"),
		Limits: Limits{Wall: 500 * time.Millisecond},
		Host: func(ctx context.Context, name string, p []byte) ([]byte, error) {
			time.Sleep(700 * time.Millisecond)
			return append([]byte(name+":"), p...), nil
		}})
	t.Log("session", time.Since(t0))
	for _, c := range []string{"x = 1\nprint('hi')\nx+1", "print(ask('q'), D)", "1/0", "while True: pass", "x", "def f(:", "x=[];x.sort()\nimport hashlib\n'a'*10**8 in 'b'*3\nL=[str(i) for i in range(1000)]*500\nwhile 1: L.index('zz') if 'zz' in L else 0", "x", "z=5\nimport os; os.abort()", "x", "z",
		"L=list(range(400000))\nM=list(L)\nfor _ in range(1000000):\n  L==M", "import sys; sys.exit(3)", "s='a'*(10**8)\nn=0\nfor i in range(100): n+=s.count('b')"} {
		t0 := time.Now()
		r := run(t, s, c)
		t.Logf("%q -> %v\n%q total %d err %+v stop %q steps %d wall %v host %v mem %d", c, time.Since(t0), r.Output, r.OutputTotal, r.Error, r.Stop, r.Steps, r.Wall, r.HostWall, r.MemoryBytes)
	}
	t0 = time.Now()
	for range 20 {
		s, _ := e.NewSession(t.Context(), SessionConfig{})
		s.Close()
	}
	t.Log("20 sessions", time.Since(t0))
}
