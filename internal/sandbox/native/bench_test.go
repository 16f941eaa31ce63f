package native_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// BenchmarkHumanEval is HumanEval's references and as many programs that are wrong, in turn, in two lanes; as
// python/compare-harnesses.sh judges them. For the processor time of all processes:
//
//	perf stat -e task-clock:u,task-clock:k go test ./internal/sandbox/native -run '^$' -bench HumanEval -benchtime 984x
func BenchmarkHumanEval(b *testing.B) {
	set, err := dataset.Open(b.Context(), "humaneval",
		dataset.Options{Data: filepath.Join("..", "..", "..", "..", "shared", "data", "humaneval", "HumanEval.jsonl.gz")})
	if err != nil {
		b.Skip("no HumanEval data here: ", err)
	}
	box(b).Close()
	box, err := native.Open(b.Context(), native.Config{Workers: 2})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	var next atomic.Int64
	b.SetParallelism(1)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := int(next.Add(1))
			task := set.Tasks[i/2%len(set.Tasks)]
			code, want := task.Canonical, sandbox.Passed
			if i%2 == 1 {
				code, want = task.Whole("    return None\n"), sandbox.Failed
			}
			if j, err := box.Exec(b.Context(), task.Program(code)); err != nil || j.Verdict != want {
				b.Error(task.ID, j.Verdict, j.Error, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}
