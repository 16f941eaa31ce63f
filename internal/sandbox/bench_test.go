package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
)

const benchPrelude = "import _host, json, re\ndef ask(x): return _host.call('echo', x)\ndef _setup(d):\n    global context\n    " +
	"context = json.loads(d)\n"

// BenchmarkOpenSession is a session from the image of its prelude, with a small setup.
func BenchmarkOpenSession(b *testing.B) {
	e := open(b, Config{})
	cfg := SessionConfig{Prelude: benchPrelude, Setup: []byte(`{"files": ["a.py", "b.py"]}`)}
	session(b, e, cfg)
	for b.Loop() {
		s, err := e.NewSession(b.Context(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkCell is the overhead of a cell that does next to nothing.
func BenchmarkCell(b *testing.B) {
	s := session(b, open(b, Config{}), SessionConfig{})
	for b.Loop() {
		run(b, s, "x = 1")
	}
}

// BenchmarkHostCall is the round trip of a host call, through both processes.
func BenchmarkHostCall(b *testing.B) {
	for _, size := range []int{0, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			reply := bytes.Repeat([]byte("x"), size)
			s := session(b, open(b, Config{}), SessionConfig{Host: func(context.Context, string, []byte) ([]byte, error) { return reply, nil }})
			run(b, s, "import _host")
			b.SetBytes(int64(size))
			b.ResetTimer()
			// One cell makes all calls.
			if r := run(b, s, fmt.Sprintf("for i in range(%d): _host.call('x', b'')", b.N)); r.Error != nil {
				b.Fatal(r.Error.Traceback)
			}
		})
	}
}

// BenchmarkBlobs hands 50 MB to a session in 1 MB replies, decoded and kept.
func BenchmarkBlobs(b *testing.B) {
	reply := bytes.Repeat([]byte("line of source code\n"), 50_000)
	e := open(b, Config{})
	b.SetBytes(50 * int64(len(reply)))
	for b.Loop() {
		s := session(b, e, SessionConfig{Host: func(context.Context, string, []byte) ([]byte, error) { return reply, nil }})
		if r := run(b, s, "import _host\nfiles = [_host.call('x', b'').decode() for _ in range(50)]"); r.Error != nil {
			b.Fatal(r.Error.Traceback)
		}
		s.Close()
	}
}

// BenchmarkStart is a new engine with a full cache.
func BenchmarkStart(b *testing.B) {
	open(b, Config{})
	for b.Loop() {
		e, err := Open(b.Context(), Config{})
		if err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}

// BenchmarkFirstStart is a new engine with an empty cache.
func BenchmarkFirstStart(b *testing.B) {
	for b.Loop() {
		dir, err := os.MkdirTemp(b.TempDir(), "")
		if err != nil {
			b.Fatal(err)
		}
		e, err := Open(b.Context(), Config{CacheDir: dir})
		if err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}
