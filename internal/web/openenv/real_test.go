package openenv_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

// real opens the environments and the sandbox that the program has.
func real(t testing.TB, name string) (env.Environment, *sandbox.Engine) {
	t.Helper()
	engine, err := sandbox.Open(context.Background(), sandbox.Config{Workers: runtime.NumCPU()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	e, err := catalog.Open(t.Context(), name, catalog.Options{Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return e, engine
}

func honest(t testing.TB) []string {
	t.Helper()
	all := policy.All()
	i := slices.IndexFunc(all, func(p policy.Policy) bool { return p.Name == "honest" })
	if i < 0 {
		t.Fatal("there is no honest policy")
	}
	return all[i].Replies
}

// TestServedIsPlayed checks that an episode over the wire earns what the same policy earns in the program.
func TestServedIsPlayed(t *testing.T) {
	for _, name := range []string{"orchestration", catalog.V1} {
		e, engine := real(t, name)
		luck := func(seed int64, index, rollout int) int64 { return 100*seed + 10*int64(index) + int64(rollout) }
		_, base := serve(t, openenv.Config{Environment: e, Sandbox: engine, Luck: luck})
		c := dial(t, base)
		for index := range 2 {
			task, err := e.Task(t.Context(), env.Selection{Split: env.Train, Seed: 3}, index)
			if err != nil {
				t.Fatal(err)
			}
			replies, asked := honest(t), 0
			handle := llm.Handle{Name: "script", Price: llm.NotBilled(), Model: llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
				asked++
				free := money.USD(0)
				return llm.Response{Text: replies[asked-1], Finish: llm.FinishStop, Cost: &free,
					Usage: llm.Usage{InputTokens: 100, OutputTokens: 10}}, nil
			})}
			want, err := e.Roll(t.Context(), task, env.Attempt{
				Root:    func(*llm.Budget) (llm.Handle, error) { return handle, nil },
				Sandbox: engine, Trace: trace.NewWriter(devNull{}, 0, time.Now, nil), Seed: luck(3, index, 1),
			})
			if err != nil {
				t.Fatal(err)
			}
			r := c.call(fmt.Sprintf(`{"type":"reset","data":{"seed":3,"index":%d,"rollout":1}}`, index))
			for _, text := range replies {
				if r.Type != "observation" || r.Data.Done {
					break
				}
				r = c.call(`{"type":"step","data":{"message":` + quote(t, text) + `,"usage":{"input_tokens":100,"output_tokens":10}}}`)
			}
			if !r.Data.Done || *r.Data.Reward != want.Reward || want.Reward == 0 || r.Data.Observation.Stop != want.Stop {
				t.Errorf("%s task %d: served %v (%s), played %v (%s)", name, index, r.Data.Reward, r.Data.Observation.Stop, want.Reward, want.Stop)
			}
			for k, v := range want.Metrics {
				if r.Data.Observation.Metrics[k] != v {
					t.Errorf("%s task %d: metric %s is %v, played %v", name, index, k, r.Data.Observation.Metrics[k], v)
				}
			}
		}
	}
}

type devNull struct{}

func (devNull) Write(p []byte) (int, error) { return len(p), nil }
func (devNull) Sync() error                 { return nil }
func (devNull) Close() error                { return nil }

func quote(t testing.TB, s string) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// BenchmarkThousandRollouts plays DEEPREPO_ROLLOUTS (1000) rollouts of the honest policy at the same time, each over
// its own connection: no step is taken before every episode has begun. The policy thinks for DEEPREPO_THINK (20s) on
// average before every reply. It reports how long steps and resets took, and the memory of the program with its clients
// and of the sandbox's processes. With DEEPREPO_URL the server is another process, DEEPREPO_PID.
func BenchmarkThousandRollouts(b *testing.B) {
	n, think := 1000, 20*time.Second
	if v, err := strconv.Atoi(os.Getenv("DEEPREPO_ROLLOUTS")); err == nil {
		n = v
	}
	if v, err := time.ParseDuration(os.Getenv("DEEPREPO_THINK")); err == nil {
		think = v
	}
	base := os.Getenv("DEEPREPO_URL")
	if base == "" {
		e, engine := real(b, "orchestration")
		_, base = serve(b, openenv.Config{Environment: e, Sandbox: engine})
	}
	replies := honest(b)
	for range 2 { // every task is made once, by a trainer's first group
		c := dial(b, base)
		for i := range 16 {
			c.call(fmt.Sprintf(`{"type":"reset","data":{"index":%d,"seed":0}}`, i))
		}
	}
	for b.Loop() {
		var mu sync.Mutex
		var steps, resets []float64
		most := 0.0
		stop := make(chan struct{})
		var watch sync.WaitGroup
		watch.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(200 * time.Millisecond):
					most = max(most, resident(os.Getenv("DEEPREPO_PID")))
				}
			}
		})
		var wg, begun sync.WaitGroup
		begun.Add(n)
		for i := range n {
			wg.Go(func() {
				time.Sleep(time.Duration(rand.Int64N(int64(2*think) + 1))) // they do not begin in the same instant
				c := dial(b, base)
				timed := func(into *[]float64, raw string) received {
					began := time.Now()
					r := c.call(raw)
					mu.Lock()
					defer mu.Unlock()
					*into = append(*into, time.Since(began).Seconds())
					return r
				}
				r := timed(&resets, fmt.Sprintf(`{"type":"reset","data":{"index":%d,"seed":0,"rollout":%d}}`, i%16, i/16))
				begun.Done()
				begun.Wait()
				for _, text := range replies {
					if r.Type != "observation" || r.Data.Done {
						break
					}
					time.Sleep(time.Duration(rand.Int64N(int64(2*think) + 1)))
					r = timed(&steps, `{"type":"step","data":{"message":`+quote(b, text)+`}}`)
				}
				if !r.Data.Done {
					b.Errorf("rollout %d: %+v", i, r)
				}
				c.ws.CloseNow()
			})
		}
		wg.Wait()
		close(stop)
		watch.Wait()
		for _, s := range []struct {
			name   string
			values []float64
		}{{"step", steps}, {"reset", resets}} {
			slices.Sort(s.values)
			b.ReportMetric(1000*s.values[len(s.values)/2], "ms-p50/"+s.name)
			b.ReportMetric(1000*s.values[len(s.values)*99/100], "ms-p99/"+s.name)
			b.ReportMetric(1000*s.values[len(s.values)-1], "ms-max/"+s.name)
		}
		b.ReportMetric(most, "MB-resident")
	}
}

// resident is the unshared memory, in MB, of a process and its children (Linux); "" is this one.
func resident(pid string) float64 {
	if pid == "" {
		pid = strconv.Itoa(os.Getpid())
	}
	total := 0.0
	data, err := os.ReadFile(filepath.Join("/proc", pid, "smaps_rollup"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
			kb, _ := strconv.ParseFloat(f[1], 64)
			total += kb / 1000
		}
	}
	tasks, _ := filepath.Glob(filepath.Join("/proc", pid, "task", "*", "children"))
	for _, t := range tasks {
		children, _ := os.ReadFile(t)
		for _, child := range strings.Fields(string(children)) {
			total += resident(child)
		}
	}
	return total
}
