package grpo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/google/go-cmp/cmp"
)

// machines are other machines in this process: whatever goes to them and comes back goes through JSON.
type machines struct {
	t     *testing.T
	hosts []*Host
	alter func(w Work, p Performed) (Performed, error) // what comes back. Nil: as it is

	mu      sync.Mutex
	blobs   map[string][]byte
	fetched map[string]int
	works   []Work
}

// newMachines are a slow one and a quick one, each with an environment of its own.
func newMachines(t *testing.T, environment func() env.Environment) *machines {
	m := &machines{t: t, blobs: map[string][]byte{}, fetched: map[string]int{}}
	for _, c := range []HostConfig{{Cores: 1, Concurrency: 1}, {Cores: 2}} {
		e := environment()
		c.Environment = func(_ context.Context, name, data string) (env.Environment, error) {
			if name != e.Name() || data != "" {
				return nil, errors.New("no environment " + name + data)
			}
			return e, nil
		}
		c.Blob = m.blob
		h := NewHost(c)
		t.Cleanup(h.Close)
		m.hosts = append(m.hosts, h)
	}
	return m
}

func (m *machines) keep(_ context.Context, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[hash] = content
	return hash, nil
}

func (m *machines) blob(_ context.Context, hash string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fetched[hash]++
	content, ok := m.blobs[hash]
	if !ok {
		return nil, errors.New("no such content")
	}
	return content, nil
}

func (m *machines) perform(ctx context.Context, w Work) (Performed, error) {
	m.mu.Lock()
	h := m.hosts[len(m.works)%len(m.hosts)]
	m.works = append(m.works, w)
	m.mu.Unlock()
	p, err := Perform(ctx, through(m.t, w), h)
	if err == nil && m.alter != nil {
		p, err = m.alter(w, p)
	}
	return through(m.t, p), err
}

// through is a value that went through JSON.
func through[T any](t *testing.T, v T) (out T) {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Error(err)
	}
	if again, err := json.Marshal(out); err != nil || string(again) != string(data) {
		t.Errorf("%s comes back as %s (%v)", data, again, err)
	}
	return out
}

// train runs a training, on the machines unless there are none.
func (m *machines) train(t *testing.T, o Options, c Config) (Outcome, error) {
	if m != nil {
		if c.Elsewhere == nil {
			c.Elsewhere = &Machines{}
		}
		c.Elsewhere.Perform, c.Elsewhere.Keep = m.perform, m.keep
	}
	c.Policy = tiny(t)
	if c.Out == "" {
		c.Out = filepath.Join(t.TempDir(), "run")
	}
	return Run(t.Context(), o, c)
}

// unlucky has the machine fail some rollouts: those of a task, and others by what they earned.
func unlucky() *letters {
	return &letters{
		fail: func(t env.Task, _ int64) error {
			if strings.HasPrefix(t.ID, env.Train) && strings.HasSuffix(t.ID, "2") {
				return errors.New("the sandbox is gone")
			}
			return nil
		},
		tamper: func(_ env.Task, r *env.Rollout) {
			if few(r.Reward) {
				r.Reward = math.Inf(1)
			}
		},
	}
}

// few are some rollouts, by what they earned.
func few(reward float64) bool { return int(reward*1e4)%7 == 1 }

// TestElsewhere trains on other machines: the weights and the records are those of one machine, however the rollouts are dealt.
func TestElsewhere(t *testing.T) {
	local, err := (*machines)(nil).train(t, short(), Config{Environment: unlucky()})
	if err != nil {
		t.Fatal(err)
	}
	dropped := 0
	for _, s := range local.Steps {
		dropped += s.Dropped
	}
	if dropped < 10 || local.Steps[1].Refilled == 0 {
		t.Fatalf("%d dropped, %d refilled: both are to be tested", dropped, local.Steps[1].Refilled)
	}
	for _, others := range []Machines{{}, {Together: 1, Concurrency: 1}, {Together: 3}} {
		t.Run(fmt.Sprint(others.Together), func(t *testing.T) {
			m := newMachines(t, func() env.Environment { return unlucky() })
			here := &letters{}
			c := Config{Environment: here, Elsewhere: &others}
			played, total := 0, 0
			c.Played = func(done, of int) {
				played++
				if total = of; done > of || done < 1 {
					t.Errorf("%d of %d are done", done, of)
				}
			}
			out, err := m.train(t, short(), c)
			if err != nil {
				t.Fatal(err)
			}
			same(t, local, out)
			if len(here.played) > 0 || played < 6*4*8 || total != 8 {
				t.Errorf("%d rollouts were played here, %d were told of, in the end of %d", len(here.played), played, total)
			}
			// 1 base, and adapters: before the first step and after each of the 6.
			if len(m.blobs) != 1+7 {
				t.Errorf("%d contents were kept", len(m.blobs))
			}
			for hash, n := range m.fetched {
				if n > len(m.hosts) {
					t.Errorf("%.8s was fetched %d times", hash, n)
				}
			}
			for _, w := range m.works {
				if others.Together > 0 && len(w.Policy) > others.Together {
					t.Errorf("a work of %d rollouts", len(w.Policy))
				}
			}
		})
	}
}

// TestMachineFails has another machine fail single rollouts, as this one did in the run that it is compared with.
func TestMachineFails(t *testing.T) {
	local, err := (*machines)(nil).train(t, short(), Config{Environment: &letters{tamper: func(_ env.Task, r *env.Rollout) {
		if few(r.Reward) {
			r.Reward = math.NaN()
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	m := newMachines(t, func() env.Environment { return &letters{} })
	failed := 0
	m.alter = func(_ Work, p Performed) (Performed, error) {
		if few(p.Rollouts[0].Reward) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if failed++; failed%2 == 0 {
				p.Rollouts[0].Segments[0].Tokens[0] = 1 << 20
				return p, nil
			}
			return Performed{}, errors.New("the machine is gone")
		}
		return p, nil
	}
	out, err := m.train(t, short(), Config{Environment: &letters{}, Elsewhere: &Machines{Together: 1}})
	if err != nil || failed < 10 {
		t.Fatal(failed, err)
	}
	same(t, local, out)

	m.alter = func(w Work, p Performed) (Performed, error) {
		if w.Task == 2 && w.Selection.Split == env.Train {
			return Performed{}, errors.New("the machine is gone")
		}
		return p, nil
	}
	if out, err = m.train(t, short(), Config{Environment: &letters{}}); err != nil || out.Steps[1].Dropped != 8 {
		t.Errorf("a whole group failed: %d dropped, %v", out.Steps[1].Dropped, err)
	}

	m.alter = func(Work, Performed) (Performed, error) {
		return Performed{}, hint.New("the machine is gone", "start it again")
	}
	_, err = m.train(t, short(), Config{Environment: &letters{}})
	if err == nil || err.Error() != "step 0: 8 of 8 rollouts failed: the machine is gone" || hint.Of(err) != "start it again" {
		t.Errorf("all rollouts failed: %v, %q", err, hint.Of(err))
	}
	m.alter = func(w Work, _ Performed) (Performed, error) {
		return Performed{Failures: make([]Failure, len(w.Policy))}, nil
	}
	if _, err = m.train(t, short(), Config{Environment: &letters{}}); !errors.As(err, new(Failure)) {
		t.Errorf("failures of the machine's: %v", err)
	}
}

// TestAtOnce has as many rollouts be in progress elsewhere as there may be.
func TestAtOnce(t *testing.T) {
	m := newMachines(t, func() env.Environment { return &letters{} })
	var mu sync.Mutex
	now, most := 0, map[string]int{} // rollouts in progress, and the most of each split
	count := func(w Work, n int) {
		mu.Lock()
		defer mu.Unlock()
		now += n
		most[w.Selection.Split] = max(most[w.Selection.Split], now)
	}
	o := short()
	o.Steps = 1
	c := Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")}
	c.Elsewhere = &Machines{Together: 2, Concurrency: 7, Keep: m.keep, Perform: func(ctx context.Context, w Work) (Performed, error) {
		count(w, len(w.Policy))
		defer count(w, -len(w.Policy))
		time.Sleep(20 * time.Millisecond) // the others come
		return m.perform(ctx, w)
	}}
	if _, err := Run(t.Context(), o, c); err != nil {
		t.Fatal(err)
	}
	if most[env.Train] != 6 || most[env.Heldout] != 7 {
		t.Errorf("rollouts that were in progress at once: %v", most)
	}
}

// unmakeable is an environment one of whose tasks cannot be made.
type unmakeable struct{ *letters }

func (u unmakeable) Task(ctx context.Context, s env.Selection, i int) (env.Task, error) {
	if s.Split == env.Train && i == 7 {
		return env.Task{}, errors.New("no such template")
	}
	return u.letters.Task(ctx, s, i)
}

func TestUnmade(t *testing.T) {
	for _, m := range []*machines{nil, newMachines(t, func() env.Environment { return unmakeable{&letters{}} })} {
		out, err := m.train(t, short(), Config{Environment: unmakeable{&letters{}}})
		if err == nil || err.Error() != "make task 7: no such template" || len(out.Steps) != 2 {
			t.Errorf("%d steps, %v", len(out.Steps), err)
		}
	}
}

// TestContinuedHere interrupts a training whose rollouts are played elsewhere, and ends it on this machine.
func TestContinuedHere(t *testing.T) {
	whole, err := (*machines)(nil).train(t, short(), Config{Environment: &letters{}})
	if err != nil {
		t.Fatal(err)
	}
	m := newMachines(t, func() env.Environment { return &letters{} })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")}
	c.Elsewhere = &Machines{Keep: m.keep, Perform: func(ctx context.Context, w Work) (Performed, error) {
		if w.Task == 11 && w.Selection.Split == env.Train {
			cancel()
		}
		return m.perform(ctx, w)
	}}
	if _, err := Run(ctx, short(), c); !errors.As(err, new(*rundir.Stopped)) {
		t.Fatal(err)
	}
	out, err := (*machines)(nil).train(t, short(), Config{Environment: &letters{}, Out: c.Out})
	if err != nil {
		t.Fatal(err)
	}
	same(t, whole, out)
}

// TestPerformedAlone compares rollouts that were played together with the same ones on another machine, one after the other.
func TestPerformedAlone(t *testing.T) {
	m := newMachines(t, func() env.Environment { return &letters{} })
	w := m.adapters(1)[0]
	for i := range uint64(40) {
		w.Policy = append(w.Policy, i)
	}
	together, err := Perform(t.Context(), w, m.hosts[1])
	if err != nil || len(together.Rollouts) != len(w.Policy) {
		t.Fatal(len(together.Rollouts), err)
	}
	for i, seed := range w.Policy {
		one := w
		one.Policy = []uint64{seed}
		alone, err := Perform(t.Context(), one, m.hosts[0])
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(together.Rollouts[i:i+1], through(t, alone).Rollouts); d != "" {
			t.Errorf("rollout %d: %s", i, d)
		}
	}
	if cmp.Equal(together.Rollouts[0], together.Rollouts[1]) {
		t.Error("two seeds say the same")
	}
}
