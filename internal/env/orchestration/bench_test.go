package orchestration_test

import (
	"context"
	"runtime"
	"sort"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

func roll(b testing.TB, e env.Environment, t env.Task, name string) env.Rollout {
	h, ok := policy.Handle(name)
	if !ok {
		b.Fatal(name)
	}
	r, err := e.Roll(context.Background(), t, env.Attempt{
		Root:    func(*llm.Budget) (llm.Handle, error) { return h, nil },
		Sandbox: engine, Trace: trace.NewWriter(trace.Discard, 0, time.Now, nil),
	})
	if err != nil {
		b.Error(err)
	}
	return r
}

// BenchmarkRollout is one rollout on a task of seven files: of a script that thinks little (a batch over a third of the
// files, guesses, an answer), and of the honest one, whose own Python takes most of the time.
func BenchmarkRollout(b *testing.B) {
	e := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	t, err := e.Task(context.Background(), env.Selection{Files: 7, Language: "python"}, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"random", "honest"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				roll(b, e, t, name)
			}
		})
	}
}

// BenchmarkThousandRollouts plays 1,000 rollouts at once and says how long the slowest took and what they needed.
func BenchmarkThousandRollouts(b *testing.B) {
	e := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	t, err := e.Task(context.Background(), env.Selection{Files: 7, Language: "python"}, 0)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		const n = 1000
		took := make([]float64, n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				start := time.Now()
				roll(b, e, t, "honest")
				took[i] = time.Since(start).Seconds()
			})
		}
		wg.Wait()
		sort.Float64s(took)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(took[n/2], "s/median")
		b.ReportMetric(took[n-1], "s/slowest")
		b.ReportMetric(float64(m.Sys)/(1<<20), "MB/parent")
	}
}

// BenchmarkTask1000 grows a codebase of 1,000 files and plants into it.
func BenchmarkTask1000(b *testing.B) {
	for _, language := range []string{"python", "typescript", "go", "java"} {
		b.Run(language, func(b *testing.B) {
			e, seed := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser}), int64(0)
			for b.Loop() {
				seed++
				if _, err := e.Task(context.Background(), env.Selection{Files: 1000, Language: language, Seed: seed}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
