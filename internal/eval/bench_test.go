package eval

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
)

// BenchmarkRollouts is what eval itself costs a rollout: journal, trace, row and statistics around an environment that
// does next to nothing. live-B is what stays in memory for each.
func BenchmarkRollouts(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	o := Options{Environment: "guessing", Model: "policy/guesser", Examples: b.N, Rollouts: 1, Out: b.TempDir() + "/out"}
	b.ResetTimer()
	out, err := Run(b.Context(), o, config(guesser))
	b.StopTimer()
	if err != nil {
		b.Fatal(err)
	}
	out.Summary = runfile.EvalSummary{}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))/float64(b.N), "live-B/op")
	runtime.KeepAlive(out)
}

// BenchmarkReadRows reads rows of 100 KB, as real rollouts leave them.
func BenchmarkReadRows(b *testing.B) {
	r := runfile.EvalRow{Metrics: finite(map[string]float64{"num_turns": 5, "a_reward": 0.5}),
		Completion: []runfile.EvalMessage{{Role: "assistant", Content: strings.Repeat("x = 1\n", 16_000)}}}
	text, err := encodeRow(r)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := savedrow.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSummary summarizes 10,000 rollouts of 2,500 tasks with 25 metrics.
func BenchmarkSummary(b *testing.B) {
	var r Results
	for i := range 10_000 {
		m := map[string]float64{}
		for k := range 25 {
			m[fmt.Sprintf("metric_%02d", k)] = float64(i*k%97) / 97
		}
		r.add(savedrow.Row{Example: i / 4, Rollout: i % 4, Reward: float64(i%89) / 89, Stop: "episode_done", Metrics: m})
	}
	r.settle()
	for b.Loop() {
		summarize(&r)
	}
}
