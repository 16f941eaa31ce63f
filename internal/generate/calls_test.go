package generate_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// mortal is a provider that keeps its own book. When its call number killAt comes in, the process dies: what lies in the run's
// directory is copied as it is, and later calls never happened.
type mortal struct {
	mu      sync.Mutex
	killAt  int
	calls   int
	charged money.USD
	die     func()
}

// price is that of a token of output: a call costs at most 15, and 10 when all goes well.
var price = llm.Price{Output: 1_000_000}

func (m *mortal) Complete(context.Context, llm.Request) (llm.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if m.calls > m.killAt {
		return llm.Response{}, &llm.Error{Kind: llm.KindConnection}
	}
	m.charged += 10
	if m.calls == m.killAt {
		m.die()
	}
	return llm.Response{Text: "def f(): pass", Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 1, OutputTokens: 10}}, nil
}

// execution runs what is missing in the directory, with a cap, and dies at that call; it returns the directory that is left.
func execution(t *testing.T, m *mortal, path string, limit money.USD) (left string, least, most money.USD, err error) {
	t.Helper()
	left = t.TempDir()
	died := false
	m.calls, m.die = 0, func() {
		died = true
		if err := os.CopyFS(left, os.DirFS(path)); err != nil {
			t.Error(err)
		}
	}
	d := openDir(t, path)
	defer d.Close()
	j, err := generate.OpenJournal(d, "samples.jsonl", true, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	pool := llm.NewBudget(limit)
	if err := j.Charge(pool); err != nil {
		return path, 0, 0, err
	}
	h := llm.Handle{Name: "test/mortal", Price: &price}
	h.Model = llm.WithBudget(llm.WithPrice(m, &price), pool, llm.BudgetConfig{Price: &price})
	s := sampler(t, generate.Config{Model: h, MaxTokens: 15, Concurrency: 4})
	_, err = s.Into(j).Run(t.Context(), many(40), j.Has, j.Add)
	if !died {
		left = path
	}
	low, high := j.Cost()
	return left, *low, *high, err
}

// TestTheCapHoldsOverKills: what was billed over all executions never exceeds the cap, however often the process dies with
// calls in flight; and it lies between what the journal says that it cost at least and at most.
func TestTheCapHoldsOverKills(t *testing.T) {
	const limit = 400
	m, dir := &mortal{}, t.TempDir()
	for kills := 0; ; kills++ {
		if kills == 200 {
			t.Fatalf("%s were charged, and there is no end", m.charged)
		}
		m.killAt = 1 + kills%3
		left, _, _, err := execution(t, m, dir, limit)
		if m.charged > limit {
			t.Fatalf("%d were charged after %d kills, and the cap is %d", m.charged, kills+1, limit)
		}
		if left == dir { // nobody died: there is no money for as many calls
			halt, ok := errors.AsType[*generate.Halt](err)
			if !ok || !halt.Budget || kills < 3 {
				t.Fatalf("after %d kills: %v", kills, err)
			}
			break
		}
		dir = left
	}
	m.killAt = 1000
	before := m.charged
	_, least, most, err := execution(t, m, dir, money.USD(10_000))
	if err != nil || m.charged == before {
		t.Fatalf("with more money: %v", err)
	}
	if least > m.charged || most < m.charged || least == most {
		t.Errorf("%d were charged, and the bill is %d to %d", m.charged, least, most)
	}
}

// TestCostIsExactWhenAllIsSettled, also when an execution is stopped and continued.
func TestCostIsExactWhenAllIsSettled(t *testing.T) {
	m, dir := &mortal{killAt: 1000}, t.TempDir()
	_, least, most, err := execution(t, m, dir, 200) // the last calls do not fit in
	if halt, ok := errors.AsType[*generate.Halt](err); !ok || !halt.Budget {
		t.Fatal(err)
	}
	if least != m.charged || most != m.charged {
		t.Errorf("%d were charged, and the bill is %d to %d", m.charged, least, most)
	}
	if _, _, _, err := execution(t, m, dir, m.charged-1); err == nil {
		t.Error("a cap below what was spent is taken")
	}
	if _, least, most, err = execution(t, m, dir, 1000); err != nil || least != 400 || most != 400 {
		t.Errorf("the bill is %d to %d, %v", least, most, err)
	}
}

// TestSamplesOfOlderVersionsCount: where there is no journal of calls, or it lost its end, samples cost what they say.
func TestSamplesOfOlderVersionsCount(t *testing.T) {
	m, dir := &mortal{killAt: 1000}, t.TempDir()
	if _, _, _, err := execution(t, m, dir, 1000); err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "calls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(calls, []byte("\n"))
	for name, text := range map[string][]byte{"none": nil, "a torn one": bytes.Join(append(lines[:1:1], []byte(`{"seq":2,"ki`)), nil)} {
		if err := os.WriteFile(filepath.Join(dir, "calls.jsonl"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, least, most, err := execution(t, m, dir, 1000); err != nil || least != 400 || most != 400 {
				t.Errorf("%s: the bill is %d to %d, %v", name, least, most, err)
			}
		}
		if _, _, _, err := execution(t, m, dir, 399); err == nil {
			t.Errorf("%s: a cap below what was spent is taken", name)
		}
	}
}

// TestSpentByAnotherAccount: where a summary of an older version says that more was spent, that counts, once.
func TestSpentByAnotherAccount(t *testing.T) {
	d := openDir(t, t.TempDir())
	defer d.Close()
	for range 2 {
		j, err := generate.OpenJournal(d, "samples.jsonl", true, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(j.Spent(300), j.Spent(200)); err != nil {
			t.Fatal(err)
		}
		if least, most := j.Cost(); *least != 0 || *most != 300 || j.Charge(llm.NewBudget(299)) == nil || j.Charge(llm.NewBudget(300)) != nil {
			t.Errorf("the bill is %d to %d", *least, *most)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
