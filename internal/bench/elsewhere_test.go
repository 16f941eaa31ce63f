package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// farm is other machines, which keep journals and are reached by bytes alone.
type farm struct {
	t       *testing.T
	there   Env             // of all machines
	meeting *sync.WaitGroup // of those that wait for each other, nil for none
	calls   atomic.Int64
	charged atomic.Int64 // in pico-dollars
	// before sees what a run is allowed to spend, before it is performed; after may lose what came of it.
	before func(w review.Work)
	after  func(w review.Work) error

	mu       sync.Mutex
	journals map[string][]byte
	performed,
	busy, most int // reviews: all, in progress, in progress at once
}

func newFarm(t *testing.T) *farm {
	f := &farm{t: t, journals: map[string][]byte{}, before: func(review.Work) {}, after: func(review.Work) error { return nil }}
	f.there = f.here()
	return f
}

// env is a bench's that has its reviews performed on the farm.
func (f *farm) env(atOnce int) Env {
	e := f.here()
	e.Elsewhere, e.AtOnce = f.perform, atOnce
	return e
}

// here is the Env of one machine. It knows fair/priced, a root that costs what its price says, and at most a dollar a turn.
func (f *farm) here() Env {
	e := newEnv(f.t, &f.calls)
	e.Now = standing
	e.Registry.Register("fair", func(string) (llm.Handle, error) {
		h := priced(&f.calls)
		model := h.Model
		h.Name, h.Model = "fair/priced", llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
			resp, err := model.Complete(ctx, r)
			resp.Cost = new(h.Price.WorstCase(0, int64(r.MaxTokens)))
			f.charged.Add(int64(*resp.Cost))
			return resp, err
		})
		return h, nil
	}, "priced")
	return e
}

// bill is what was charged, in dollars.
func (f *farm) bill() float64 { return money.USD(f.charged.Load()).Float64() }

func standing() time.Time { return time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC) }

func (f *farm) perform(ctx context.Context, w review.Work, code *codebase.Codebase, past []byte) (review.Performed, []byte, error) {
	f.mu.Lock()
	f.performed++
	f.busy++
	f.most = max(f.most, f.busy)
	if own := f.journals[w.Manifest.ID]; len(own) > len(past) {
		past = own
	}
	f.before(w)
	meets := f.meeting != nil && f.performed <= 3
	f.mu.Unlock()
	if meets {
		f.meeting.Done()
		f.meeting.Wait()
	}
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.busy--
	}()
	w, packed := travel(f.t, w), packed(f.t, code)
	code, err := codebase.Unpack(packed)
	if err != nil {
		return review.Performed{}, nil, err
	}
	events, _, err := trace.Read(bytes.NewReader(past))
	if err != nil {
		return review.Performed{}, nil, err
	}
	var file runtest.Journal
	p, err := Perform(ctx, w, code, trace.NewWriter(&file, int64(len(events)), standing, nil), events,
		review.Env{Registry: f.there.Registry, Sandbox: f.there.Sandbox, Syntax: f.there.Syntax, Now: standing})
	journal := slices.Concat(past, file.Bytes())
	f.mu.Lock()
	defer f.mu.Unlock()
	f.journals[w.Manifest.ID] = journal
	if lost := f.after(w); lost != nil {
		return review.Performed{}, nil, lost
	}
	return travel(f.t, p), journal, err
}

func packed(t *testing.T, code *codebase.Codebase) []byte {
	data, err := code.Pack()
	if err != nil {
		t.Error(err)
	}
	return data
}

func travel[T any](t *testing.T, v T) T {
	data, err := json.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Error(err)
	}
	return out
}

// written are the tables of a bench, wherever it lies.
func written(t *testing.T, out string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{ResultName + ".json", ResultName + ".md"} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = strings.ReplaceAll(string(data), out, "OUT")
	}
	return files
}

// The tables of a bench on other machines, three runs at once, are those of one machine, byte for byte.
func TestElsewhere(t *testing.T) {
	dir := t.TempDir()
	here, there := filepath.Join(dir, "here"), filepath.Join(dir, "there")
	e := newEnv(t, nil)
	e.Now = standing
	twice := func(out string) Spec {
		s := spec(t, out, honest, random, single, down)
		s.Repeats = 2
		return s
	}
	_, err := Run(t.Context(), twice(here), e)
	f := newFarm(t)
	f.meeting = &sync.WaitGroup{} // never, were they not three at once
	f.meeting.Add(3)
	_, errThere := Run(t.Context(), twice(there), f.env(3))
	var stop, stopThere *rundir.Stopped
	if !errors.As(err, &stop) || !errors.As(errThere, &stopThere) || stop.Done != 12 || stop.Error() != stopThere.Error() ||
		strings.ReplaceAll(stop.Hint(), here, there) != stopThere.Hint() {
		t.Errorf("%v here, %v there", err, errThere)
	}
	if f.performed != 16 || f.most != 3 {
		t.Errorf("%d reviews, %d at once", f.performed, f.most)
	}
	if diff := cmp.Diff(written(t, here), written(t, there)); diff != "" {
		t.Error(diff)
	}
}

// sameSum says whether two amounts are one, added up in another order.
func sameSum(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// priciest is a bench of four runs that cost dollars, and two that cost nothing.
func priciest(t *testing.T, budget float64) Spec {
	s := spec(t, filepath.Join(t.TempDir(), "out"), ConfigSpec{Name: "priced", Root: "fair/priced", Worker: "sim"},
		ConfigSpec{Name: "too", Root: "fair/priced", Worker: "sim", MaxTurns: 19}, script)
	s.Budget = &budget
	return s
}

// Each run begins with an equal share of what is left, and all together never have more than the budget.
func TestElsewhereSharesTheBudget(t *testing.T) {
	const budget = 20.0
	s, f := priciest(t, budget), newFarm(t)
	var caps []float64
	promised, first := money.USD(0), map[string]money.USD{}
	f.before = func(w review.Work) {
		caps = append(caps, w.Manifest.Options.Budget.Float64())
		first[w.Manifest.ID] = *w.Manifest.Options.Budget
		if promised += *w.Manifest.Options.Budget; promised.Float64() > budget {
			t.Errorf("%v are promised of %v", promised, budget)
		}
	}
	f.after = func(w review.Work) error {
		events, _, err := trace.Read(bytes.NewReader(f.journals[w.Manifest.ID]))
		_, most, _ := trace.Cost(events)
		promised += money.USD(most) - first[w.Manifest.ID]
		return err
	}
	got, err := Run(t.Context(), s, f.env(3))
	if slices.Sort(caps); len(caps) != 6 || caps[0] > budget/6+1e-9 || caps[5] <= budget/6 {
		t.Errorf("caps %v", caps)
	}
	if spent := f.bill(); spent > budget || !sameSum(spent, *got.Result.SpentUSD) || spent < 4 {
		t.Errorf("%v were spent of %v, %v by the tables", spent, budget, *got.Result.SpentUSD)
	}
	var stopped *rundir.Stopped
	if err != nil && (!errors.As(err, &stopped) || !stopped.Budget) {
		t.Error(err)
	}
}

// What does not do for all is spent on some; more money goes on with the rest, and nothing is paid for twice.
func TestElsewhereGoesOnWithMoreMoney(t *testing.T) {
	s, f := priciest(t, 3), newFarm(t)
	_, err := Run(t.Context(), s, f.env(3))
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || !stopped.Budget || stopped.Done < 2 || f.bill() > 3 {
		t.Fatalf("%v, %v dollars", err, f.bill())
	}
	less, performed := 1e-6, f.performed
	if _, err := Resume(t.Context(), s.Out, &less, f.env(3)); !errors.As(err, &stopped) || !stopped.Budget || f.performed != performed {
		t.Errorf("%v, %d reviews were begun with nothing", err, f.performed-performed)
	}
	more := 60.0
	got, err := Resume(t.Context(), s.Out, &more, f.env(3))
	if err != nil || !sameSum(*got.Result.SpentUSD, f.bill()) || f.bill() > more {
		t.Errorf("%v, %v dollars, %v by the tables", err, f.bill(), *got.Result.SpentUSD)
	}
}

// The coordinator dies when half of the runs are done, while others go on elsewhere: resumed, it finds their journals, and
// neither pays again nor lets anybody spend what they spent.
func TestElsewhereAfterACrash(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole")
	s, f := priciest(t, 60), newFarm(t)
	wanted := s
	wanted.Out = whole
	if _, err := Run(t.Context(), wanted, f.here()); err != nil {
		t.Fatal(err)
	}
	need := f.charged.Swap(0)
	ctx, die := context.WithCancel(t.Context())
	defer die()
	done := 0
	f.after = func(review.Work) error {
		if done++; done > 3 {
			die()
			return errors.New("nobody listens any more")
		}
		return nil
	}
	_, err := Run(ctx, s, f.env(3))
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || stopped.Done != 3 {
		t.Fatalf("%v", err)
	}
	lost := f.performed - 3
	f.after = func(review.Work) error { return nil }
	got, err := Resume(t.Context(), s.Out, nil, f.env(3))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.charged.Load(); n != need || f.performed != 6+lost || lost == 0 || !sameSum(*got.Result.SpentUSD, f.bill()) {
		t.Errorf("%d pico-dollars, %d without a crash; %d performed, %d lost", n, need, f.performed, lost)
	}
	if diff := cmp.Diff(written(t, whole), written(t, s.Out)); diff != "" {
		t.Error(diff)
	}
}

// What a run that nobody has heard of since was allowed to spend is promised to no other, now or when the bench is resumed.
func TestElsewhereKeepsWhatMayBeSpent(t *testing.T) {
	const budget = 12.0
	s, f := priciest(t, budget), newFarm(t)
	s.Configs = []ConfigSpec{s.Configs[2], s.Configs[0], s.Configs[1]} // what costs nothing comes first, and leaves its share
	allowed := map[string]float64{}
	f.before = func(w review.Work) {
		allowed[w.Manifest.ID] = max(allowed[w.Manifest.ID], w.Manifest.Options.Budget.Float64())
	}
	f.after = func(w review.Work) error {
		if w.Manifest.Options.Root != "fair/priced" {
			delete(allowed, w.Manifest.ID)
			return nil
		}
		return errors.New("lost")
	}
	play := func() error { _, err := Run(t.Context(), s, f.env(2)); return err }
	for range 3 {
		var stopped *rundir.Stopped
		if err := play(); !errors.As(err, &stopped) || stopped.Done != 2 {
			t.Fatal(err)
		}
		all := 0.0
		for _, most := range allowed {
			all += most
		}
		if len(allowed) != 4 || all > budget+1e-9 {
			t.Errorf("%v may be spent of %v: %v", all, budget, allowed)
		}
		if kept := promised(t, s.Out); !sameSum(kept, all) {
			t.Errorf("%v are kept for what may be spent elsewhere, %v should be", kept, all)
		}
		play = func() error { _, err := Resume(t.Context(), s.Out, nil, f.env(2)); return err }
	}
	if f.bill() > budget {
		t.Errorf("%v dollars", f.bill())
	}
}

// promised is what a bench that is resumed keeps for its runs, before any of them begins.
func promised(t *testing.T, out string) float64 {
	t.Helper()
	m, err := readManifest(out)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := rundir.Open(out, kind)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var runs []*Review
	for _, j := range jobs(m) {
		run := &Review{job: j}
		run.Dir = j.dir
		if _, err := os.Stat(filepath.Join(out, j.dir, review.ReportName+".json")); err == nil {
			run.State = StateDone
		}
		runs = append(runs, run)
	}
	divided, err := shares(dir, m, runs, true)
	if err != nil {
		t.Fatal(err)
	}
	return divided.Promised().Float64()
}

// What comes with work is a stranger's.
func TestPerformRefusesAnotherSim(t *testing.T) {
	e := newEnv(t, nil)
	code := codebase.FromMap(map[string]string{"a.py": "x = 1\n"})
	w := trace.NewWriter(trace.Discard, 0, time.Now, nil)
	m := review.Manifest{Codebase: code.Hash(), Options: review.Options{Root: "policy/honest", Worker: "sim/3-1"}}
	for extra, want := range map[string]string{`{"name": 3}`: "simulated worker", `{"name": "0-0"}`: `no model is called "sim/3-1"`,
		"": `no provider is called "sim"`} {
		_, err := Perform(t.Context(), review.Work{Manifest: m, Extra: json.RawMessage(extra)}, code, w, nil,
			review.Env{Registry: e.Registry, Sandbox: e.Sandbox})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", extra, err)
		}
	}
}
