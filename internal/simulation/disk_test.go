package simulation_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// disk is a trace's file on a disk that has so much room left. What does not fit is written in part, as disks do.
type disk struct {
	mu   sync.Mutex
	room int
	data []byte
	full bool
	size *os.File // as long as data, for the provider's book
}

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(len(p), d.room-len(d.data))
	d.data = append(d.data, p[:n]...)
	if n < len(p) {
		d.full = true
		return n, syscall.ENOSPC
	}
	return n, d.size.Truncate(int64(len(d.data)))
}

func (d *disk) Sync() error  { return nil }
func (d *disk) Close() error { return d.size.Close() }

// TestSimulationOfAFullDisk: when the journal cannot be written the run ends with that error and asks nobody any more; with room
// again it goes on from what was written, and pays for nothing twice that is there.
func TestSimulationOfAFullDisk(t *testing.T) {
	count := uint64(60)
	if testing.Short() {
		count = 10
	}
	for seed := range count {
		for _, w := range fillDisk(t, seed) {
			t.Errorf("seed %d: %s", seed, w)
		}
	}
}

func fillDisk(t *testing.T, seed uint64) (wrong []string) {
	s := world(seed)
	s.hostile, s.files = false, map[string]string{}
	for i := range 5 {
		s.files[fmt.Sprintf("mod%d.py", i)] = fmt.Sprintf("a_%d = 1\nb_%d = 2  # BUG\nc_%d = 3\n", i, i, i)
	}
	s.cells, s.faults, s.sticky, s.options.Strategy = readAndAnswer(), []fault{none}, true, review.StrategyRLM
	code := codebase.FromMap(s.files)
	preset, err := rlm.BuiltinPreset("code")
	if err != nil {
		t.Fatal(err)
	}
	run := func(room int, past []trace.Event, data []byte) (*disk, *provider, rlm.Result, error) {
		name := filepath.Join(t.TempDir(), "size")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		d := &disk{room: room, data: data, size: f}
		service := &provider{s: s, code: code, trace: name, asked: map[string]int{}}
		registry := llm.NewRegistry(nil)
		registry.RegisterProvider("paid", service)
		w := trace.NewWriter(d, int64(len(past)), time.Now, nil)
		res, err := rlm.Run(t.Context(), rlm.Config{Codebase: code, Sandbox: engine, Trace: w, Past: past, Preset: preset, MaxTurns: 5,
			Concurrency: s.options.Concurrency,
			Models:      llm.NewOpener(llm.OpenerConfig{Registry: registry, Root: "paid/root", Worker: "paid/worker", Retry: retry})})
		return d, service, res, errors.Join(err, w.Close())
	}
	whole, _, want, err := run(1<<30, nil, nil)
	if err != nil || want.Status != trace.StatusCompleted {
		return []string{fmt.Sprintf("with room: %s, %v", want.Status, err)}
	}
	room := 1 + dice(seed, "room").IntN(len(whole.data)-1)
	d, service, _, err := run(room, nil, nil)
	if !errors.Is(err, syscall.ENOSPC) {
		wrong = append(wrong, fmt.Sprintf("a full disk is the error %v", err))
	}
	past, good, err := trace.Read(bytes.NewReader(d.data))
	if err != nil {
		return append(wrong, fmt.Sprintf("the journal is damaged: %v", err))
	}
	written := map[string]bool{}
	for _, e := range past {
		if e.Kind == trace.KindReserve {
			continue
		}
		written[e.Hash], written["root"+e.Key] = true, true
	}
	unwritten := 0
	for _, c := range service.book {
		if !written[c.hash] && !written["root"+c.hash] {
			unwritten++
		}
	}
	if unwritten > s.options.Concurrency {
		wrong = append(wrong, fmt.Sprintf("%d replies were paid for that are not in the journal, with %d at a time", unwritten,
			s.options.Concurrency))
	}
	_, again, got, err := run(1<<30, past, bytes.Clone(d.data[:good]))
	if err != nil || got.Status != trace.StatusCompleted || len(got.Findings) != len(want.Findings) {
		wrong = append(wrong, fmt.Sprintf("with room again: %s, %d findings, %v", got.Status, len(got.Findings), err))
	}
	for _, c := range again.book {
		if written[c.hash] || written["root"+c.hash] {
			wrong = append(wrong, fmt.Sprintf("%s %s was asked again", c.role, c.hash))
		}
	}
	return wrong
}

// readAndAnswer is a script that reads everything and answers.
func readAndAnswer() []string {
	return []string{
		"```python\nr = llm_batch(['=== FILE: ' + p + ' ===\\n' + codebase[p] for p in codebase])\n```",
		"```python\nset_answer('# Report\\n' + str(len(findings())))\n```",
	}
}
