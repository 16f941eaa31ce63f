package sandbox

import (
	"sync/atomic"
	"testing"
)

// BenchmarkExec is one small program with its tests, in two worker processes.
func BenchmarkExec(b *testing.B) {
	e := open(b, Config{Workers: 2})
	p := Program{Code: "def f(xs):\n    return sorted(xs)\n", Entry: "f", Tests: []Test{{Name: "t", Code: "assert f([3, 1, 2]) == [1, 2, 3]"}}}
	judged(b, e, p)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if j, err := e.Exec(b.Context(), p); err != nil || j.Verdict != Passed {
				b.Error(j.Verdict, j.Error, err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}

// BenchmarkHumanEval is the 164 canonical solutions in turn, in two worker processes, and as many programs that are wrong.
func BenchmarkHumanEval(b *testing.B) {
	e := open(b, Config{Workers: 2})
	for _, want := range []Verdict{Passed, Failed} {
		b.Run(string(want), func(b *testing.B) {
			all := readHumanEval(b)
			for i := range all {
				if want == Failed {
					all[i].Code = all[i].Judge + "    return None\n"
				}
			}
			judged(b, e, all[0])
			var next atomic.Int64
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					p := all[int(next.Add(1))%len(all)]
					if j, err := e.Exec(b.Context(), p); err != nil || j.Verdict != want {
						b.Error(p.Tests[0].Name, j.Verdict, j.Error, err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
		})
	}
}
