package sandbox

import (
	"encoding/json"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkTrial is what a worker does for HumanEval's programs, without the process around it: for profiles. HumanEval/75, which takes
// as long as a hundred others, is left out. Beside the whole: tests that are compiled but do not call the program, no tests and no
// judge's code, and no entry point either, where there is no second interpreter. cpu-ms/op is processor time, of all threads.
func BenchmarkTrial(b *testing.B) {
	old := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(old)
	w := bareWorker(b)
	meta, err := json.Marshal(trialRequest{Judge: "j", Suspect: "s"})
	if err != nil {
		b.Fatal(err)
	}
	all := slices.Delete(readHumanEval(b), 75, 76)
	untested := func(p *Program) { p.Judge, p.Tests = "", []Test{{Code: "pass"}} }
	for _, part := range []struct {
		name string
		of   func(p *Program)
	}{
		{"whole", func(*Program) {}},
		{"uncalled", func(p *Program) {
			p.Tests = []Test{{Code: strings.TrimSuffix(p.Tests[0].Code, "check("+p.Entry+")\n")}}
		}},
		{"untested", untested},
		{"one-interpreter", func(p *Program) { untested(p); p.Entry = "missing" }},
	} {
		b.Run(part.name, func(b *testing.B) {
			var bodies [][]byte
			for _, p := range all {
				part.of(&p)
				p.Limits = Limits{Wall: 10 * time.Second}.forProgram()
				body, err := json.Marshal(p)
				if err != nil {
					b.Fatal(err)
				}
				bodies = append(bodies, body)
			}
			n := 0
			began := processorTime(b)
			for b.Loop() {
				w.try(frame{kind: kindTry, meta: meta, blob: bodies[n%len(bodies)]})
				n++
			}
			b.ReportMetric((processorTime(b)-began).Seconds()*1000/float64(n), "cpu-ms/op")
		})
	}
}

// processorTime is what this process has taken so far, all threads and the kernel's work included.
func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
