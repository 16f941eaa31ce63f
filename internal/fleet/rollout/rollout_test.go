package rollout_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/fleet/rollout"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// thinker is a policy that takes its time, and a watch on what an environment takes between a reply and the next question.
type thinker struct {
	think func() time.Duration // 0 where it is nil
	mu    sync.Mutex
	steps []time.Duration
}

// root opens the policy for one rollout.
func (k *thinker) root(*llm.Budget) (llm.Handle, error) {
	h, _ := policy.Handle("honest")
	model, replied := h.Model, time.Time{}
	h.Model = llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if !replied.IsZero() {
			k.mu.Lock()
			k.steps = append(k.steps, time.Since(replied))
			k.mu.Unlock()
		}
		if k.think != nil {
			select {
			case <-time.After(k.think()):
			case <-ctx.Done():
				return llm.Response{}, ctx.Err()
			}
		}
		response, err := model.Complete(ctx, r)
		replied = time.Now()
		return response, err
	})
	return h, nil
}

// machine is how an eval is played on any machine.
func (k *thinker) machine(box *sandbox.Engine) opener {
	return func(ctx context.Context, o eval.Options) (eval.Config, error) {
		e, err := catalog.Open(ctx, o.Environment, catalog.Options{Parser: runtest.OpenParser, Data: o.Data})
		return eval.Config{Environment: e, Root: k.root, Sandbox: box}, err
	}
}

// play plays an eval on a fleet of that many workers, each with a sandbox of its own where box gives one, and returns the
// directory.
func play(t testing.TB, o eval.Options, workers, slots int, k *thinker, box func() *sandbox.Engine) string {
	t.Helper()
	out, err := run(t, o, workers, slots, func() opener { return k.machine(box()) })
	if err != nil || out.Summary.Errors > 0 {
		t.Fatalf("%d errors, %v\n%s", out.Summary.Errors, err, rows(t, out.Dir))
	}
	return out.Dir
}

// opener gives the environment and the models of an eval on one machine.
type opener = func(ctx context.Context, o eval.Options) (eval.Config, error)

// run runs an eval on a fleet of that many workers, each with what open gives it.
func run(t testing.TB, o eval.Options, workers, slots int, open func() opener) (eval.Outcome, error) {
	t.Helper()
	h, err := hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: t.TempDir(), Build: "b", Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	dial := func(role hub.Role) *fleet.Conn {
		c, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), KeyFile: h.KeyFile(role), Build: "b"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for n := range workers {
		player := &rollout.Player{Open: open(), Dir: t.TempDir()}
		all.Go(func() {
			c := dial(hub.RoleWorker)
			defer c.Close()
			if err := c.Work(ctx, fleet.Work{Name: string(rune('a' + n)), Slots: slots,
				Handlers: map[fleet.Kind]fleet.Handler{fleet.KindRollout: player.Handle}}); err != nil {
				t.Error(err)
			}
		})
	}
	c := dial(hub.RoleCoordinator)
	defer c.Close()
	config, err := open()(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	evals := rollout.NewEvals(c, nil)
	config.Elsewhere = evals
	out, err := eval.Run(t.Context(), o, config)
	if err := evals.Close(); err != nil {
		t.Error(err)
	}
	stop()
	all.Wait()
	return out, err
}

var timings = regexp.MustCompile(`"timing":\{.*?"total_ms":[^}]*\}`)

func rows(t testing.TB, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, eval.ResultsName))
	if err != nil {
		t.Fatal(err)
	}
	return timings.ReplaceAll(text, nil)
}

// TestTasksOutOfFilesTravel plays tasks that stand in files of the coordinator's only.
func TestTasksOutOfFilesTravel(t *testing.T) {
	task := runtest.Tree(t, map[string]string{
		"mine/tree/a.py": "def f(x):\n    return eval(x)\n", "mine/tree/b.py": "import a\nprint(a.f('1'))\n",
		"mine/truth.json": `[{"file": "a.py", "line": 2, "end_line": 2, "category": "injection", "cwe": "CWE-95", "severity": "high",
			"description": "eval of what comes in", "cross_file": false}]`,
	})
	k := &thinker{}
	there := eval.Options{Environment: filepath.Join(task, "mine"), Model: "policy/honest", Examples: 1, Rollouts: 2,
		Out: filepath.Join(t.TempDir(), "there")}
	here := there
	here.Out = filepath.Join(t.TempDir(), "here")
	play(t, there, 1, 2, k, func() *sandbox.Engine { return engine })
	config, err := k.machine(engine)(t.Context(), here)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eval.Run(t.Context(), here, config); err != nil {
		t.Fatal(err)
	}
	if got, want := rows(t, there.Out), rows(t, here.Out); !bytes.Equal(got, want) || len(want) == 0 {
		t.Errorf("other rows:\n%s\n%s", got, want)
	}
}

// BenchmarkThinking plays rollouts whose policy thinks for four to six seconds on four workers: of forty slots each, and of as
// many as there are rollouts. What counts is how long a reply waits for the environment's next question. -benchtime 1000x plays
// a thousand.
func BenchmarkThinking(b *testing.B) {
	const workers = 4
	for name, slots := range map[string]int{"forty": 40, "all": 0} {
		b.Run(name, func(b *testing.B) {
			k := &thinker{think: func() time.Duration { return 4*time.Second + rand.N(2*time.Second) }}
			o := eval.Options{Environment: "orchestration", Model: "policy/honest", Examples: (b.N + 4) / 5, Rollouts: 5, Concurrency: b.N + 5,
				Out: filepath.Join(b.TempDir(), "eval")}
			play(b, o, workers, cmp.Or(slots, b.N/workers+1), k, func() *sandbox.Engine {
				box, err := sandbox.Open(b.Context(), sandbox.Config{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { _ = box.Close() })
				return box
			})
			slices.Sort(k.steps)
			at := func(share float64) float64 {
				return float64(k.steps[int(share*float64(len(k.steps)-1))].Milliseconds())
			}
			b.ReportMetric(at(0.5), "ms/step-p50")
			b.ReportMetric(at(0.99), "ms/step-p99")
			b.ReportMetric(float64(len(k.steps)), "steps")
		})
	}
}

// broken is an environment of a machine that breaks behind each rollout.
type broken struct{ env.Environment }

func (b broken) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	if _, err := b.Environment.Roll(ctx, t, a); err != nil {
		return env.Rollout{}, err
	}
	return env.Rollout{}, errors.New("the machine broke")
}

// TestWhatNobodyFinishedIsBilled: what was paid for rollouts that no machine could finish is on the bill, also when they are
// played again.
func TestWhatNobodyFinishedIsBilled(t *testing.T) {
	var paid atomic.Int64
	price := llm.Price{Output: 1_000_000}
	k := &thinker{}
	open := func(ctx context.Context, o eval.Options) (eval.Config, error) {
		c, err := k.machine(engine)(ctx, o)
		c.Environment = broken{c.Environment}
		c.Root = func(pool *llm.Budget) (llm.Handle, error) {
			h, err := k.root(nil)
			policy := h.Model
			h.Price, h.Model = &price, llm.Stack(llm.Handle{Name: h.Name, Price: &price, Model: llm.Func(
				func(ctx context.Context, r llm.Request) (llm.Response, error) {
					paid.Add(10)
					response, err := policy.Complete(ctx, r)
					response.Cost = new(money.USD(10))
					return response, err
				})}, llm.StackConfig{Budget: pool})
			return h, err
		}
		return c, err
	}
	budget := money.Dollar
	o := eval.Options{Environment: "orchestration", Model: "policy/honest", Examples: 1, Rollouts: 1, Budget: &budget,
		Out: filepath.Join(t.TempDir(), "eval")}
	out, _ := run(t, o, 1, 1, func() opener { return open })
	if u := out.Summary.Usage; out.Summary.Errors != 1 || paid.Load() == 0 || *u.AtMost != money.USD(paid.Load()) {
		t.Errorf("%d were paid; %+v", paid.Load(), u)
	}
}

// A worker takes a codebase by its name, and writes it nowhere else.
func TestSnapshotsStayInTheirDirectory(t *testing.T) {
	for _, name := range []string{"../a", "a/b", "..", "", "."} {
		if err := rollout.PlaceBlob(t.Context(), t.TempDir(), name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
}
