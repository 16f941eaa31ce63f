package trace_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
	"pgregory.net/rapid"
)

func clock() time.Time { return time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC) }

func dispatch(key string) trace.Event {
	return trace.Event{Kind: trace.KindDispatch, Key: key, Dispatch: &trace.Dispatch{Model: "m", Prompt: "p " + key}}
}

// open continues the trace at path.
func open(path string) (*trace.Writer, []trace.Event, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	return trace.Continue(f, clock, nil)
}

func TestOpenAppendsAfterWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.jsonl")
	for round := range 3 {
		w, events, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(events) != round*2 {
			t.Fatalf("round %d: %d events were read", round, len(events))
		}
		for i := range 2 {
			if err := w.AppendDurable(dispatch(fmt.Sprintf("%d.%d", round, i))); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, events, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 6 || events[5].Seq != 6 || events[5].Key != "2.1" || !events[5].At.Equal(clock()) {
		t.Fatalf("got %d events, last %+v", len(events), events[len(events)-1])
	}
}

// A crash can cut the file at any byte. Whatever the cut, the whole lines before it survive and appending continues.
func TestTornTailIsRepairedAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "whole")
	w, _, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b\nc", "d"} {
		if err := w.Append(dispatch(key)); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		cut := rapid.IntRange(0, len(whole)).Draw(t, "cut")
		path := filepath.Join(dir, "cut")
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		w, events, err := open(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if want := bytes.Count(whole[:cut], []byte("\n")); len(events) != want {
			t.Fatalf("cut at %d: %d events, want %d", cut, len(events), want)
		}
		if err := w.Append(dispatch("next")); err != nil {
			t.Fatal(err)
		}
		w.Close()
		_, again, err := open(path)
		if err != nil || len(again) != len(events)+1 || again[len(again)-1].Key != "next" {
			t.Fatalf("cut at %d: after repair %d events, %v", cut, len(again), err)
		}
	})
}

func TestDamageIsRefusedWithItsLine(t *testing.T) {
	line := func(seq int) string {
		return fmt.Sprintf(`{"seq":%d,"at":"2026-11-21T05:00:00Z","kind":"end","end":{"status":"completed","stop_reason":"answer"}}`, seq)
	}
	tests := []struct {
		name, text string
		line       int
		why        string
	}{
		{"not JSON in the middle", line(1) + "\ngarbage\n" + line(3) + "\n", 2, "not an event"},
		{"a line is missing", line(1) + "\n" + line(3) + "\n", 2, "number 3 where 2"},
		{"unknown kind", `{"seq":1,"kind":"nonsense"}` + "\n", 1, "unknown kind"},
		{"kind without content", `{"seq":1,"kind":"cell"}` + "\n", 1, "without its content"},
		{"garbage as a whole last line", line(1) + "\n{\"seq\":2\n", 2, "not an event"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := trace.Read(strings.NewReader(tt.text))
			var damage *trace.CorruptError
			if !errors.As(err, &damage) {
				t.Fatalf("error = %v", err)
			}
			if damage.Line != tt.line || !strings.Contains(damage.Why, tt.why) || damage.Hint() == "" {
				t.Errorf("got line %d: %s", damage.Line, damage.Why)
			}
		})
	}
}

// countingFile counts flushes and fails when told to.
type countingFile struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	syncs atomic.Int64
	fail  atomic.Bool
}

func (f *countingFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail.Load() {
		n, _ := f.buf.Write(p[:len(p)/2])
		return n, errors.New("no space left on device")
	}
	return f.buf.Write(p)
}
func (f *countingFile) Sync() error  { f.syncs.Add(1); time.Sleep(time.Millisecond); return nil }
func (f *countingFile) Close() error { return nil }

func TestConcurrentDurableAppendsShareFlushes(t *testing.T) {
	f := &countingFile{}
	var seen []int64
	w := trace.NewWriter(f, 0, clock, func(e trace.Event) { seen = append(seen, e.Seq) })
	const n = 400
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := w.AppendDurable(dispatch(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	events, _, err := trace.Read(bytes.NewReader(f.buf.Bytes()))
	if err != nil || len(events) != n || len(seen) != n {
		t.Fatalf("%d events read, %d seen, %v", len(events), len(seen), err)
	}
	if got := f.syncs.Load(); got > n/2 {
		t.Errorf("%d flushes for %d concurrent appends: they were not shared", got, n)
	}
}

func TestFullDiskStopsTheTraceAndLosesNothingWritten(t *testing.T) {
	f := &countingFile{}
	w := trace.NewWriter(f, 0, clock, nil)
	if err := w.AppendDurable(dispatch("kept")); err != nil {
		t.Fatal(err)
	}
	f.fail.Store(true)
	if err := w.AppendDurable(dispatch("lost")); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Fatalf("error = %v", err)
	}
	f.fail.Store(false)
	if err := w.Append(dispatch("after")); err == nil {
		t.Fatal("an event was written behind a torn line")
	}
	events, _, err := trace.Read(bytes.NewReader(f.buf.Bytes()))
	if err != nil || len(events) != 1 || events[0].Key != "kept" {
		t.Fatalf("events %v, %v", events, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"seq":1,"kind":"end","end":{"status":"completed"}}` + "\n"))
	f.Add([]byte("{\"seq\":1,\"kind\":\"end\",\"end\":{}}\n\x00\x00\n"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, good, err := trace.Read(bytes.NewReader(data))
		if good < 0 || good > int64(len(data)) {
			t.Fatalf("good offset %d of %d", good, len(data))
		}
		if err != nil {
			return
		}
		again, _, err := trace.Read(bytes.NewReader(data[:good]))
		if err != nil || len(again) != len(events) {
			t.Fatalf("what was good does not read back: %v", err)
		}
	})
}

func BenchmarkAppendDurableParallel(b *testing.B) {
	w, _, err := open(filepath.Join(b.TempDir(), "trace.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	e := dispatch("x")
	e.Dispatch.Prompt = strings.Repeat("x", 8192)
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := w.AppendDurable(e); err != nil {
				b.Fatal(err)
			}
		}
	})
}
