package runcode_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
)

// BenchmarkCalls has 200 clients at once call /run_code over HTTP, as verl's do: each waits for its answer and calls
// again. A call's time is what its client waits.
//
//	go test ./internal/web/runcode -run '^$' -bench Calls -benchtime 2000x
func BenchmarkCalls(b *testing.B) {
	e, err := sandbox.Open(b.Context(), sandbox.Config{Workers: runtime.NumCPU()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	benchCalls(b, runcode.Config{Executor: e}, 200,
		"for _ in range(int(input())):\n    a, b = map(int, input().split())\n    print(a + b)", "2\n1 2\n3 4\n", "3\n7\n")
}

// BenchmarkNumpy has 1,000 clients at once, or as many as there are calls, run a program that imports numpy in native jails.
//
//	go test ./internal/web/runcode -run '^$' -bench Numpy -benchtime 1000x
func BenchmarkNumpy(b *testing.B) {
	box, err := native.Open(b.Context(), native.Config{})
	if err != nil {
		b.Skip("programs cannot be jailed here: ", err)
	}
	b.Cleanup(func() { box.Close() })
	code := "import numpy\nprint(numpy.arange(10).sum())"
	for range 2 * runtime.NumCPU() { // every lane has its numpy
		if j, err := box.Exec(b.Context(), sandbox.Program{Code: code}); err != nil || j.Verdict != sandbox.Passed {
			b.Skip("no numpy for this machine's Python: ", err, j.Error)
		}
	}
	benchCalls(b, runcode.Config{Executor: box, RealTime: true}, 1000, code, "", "45\n")
}

// benchCalls has so many clients call at once until there were b.N calls.
func benchCalls(b *testing.B, c runcode.Config, clients int, code, stdin, stdout string) {
	_, base := serve(b, c)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	q, err := json.Marshal(map[string]any{"code": code, "stdin": stdin, "language": "python", "compile_timeout": 60, "run_timeout": 60})
	if err != nil {
		b.Fatal(err)
	}
	want := fmt.Sprintf(`"stdout":%q`, stdout)
	times := make([]time.Duration, b.N)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for range clients {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					return
				}
				began := time.Now()
				response, err := client.Post(base+"/run_code", "application/json", bytes.NewReader(q))
				if err != nil {
					b.Error(err)
					return
				}
				answer, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || response.StatusCode != 200 || !strings.Contains(string(answer), want) {
					b.Errorf("%v %s %s", err, response.Status, answer)
					return
				}
				times[i] = time.Since(began)
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	slices.Sort(times)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
	for _, percent := range []int{50, 95, 99} {
		b.ReportMetric(float64(times[b.N*percent/100].Milliseconds()), fmt.Sprintf("p%d-ms", percent))
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkBatch has one client send 100 programs with tests at a time.
//
//	go test ./internal/web/runcode -run '^$' -bench Batch -benchtime 10x
func BenchmarkBatch(b *testing.B) {
	e, err := sandbox.Open(b.Context(), sandbox.Config{Workers: runtime.NumCPU()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	_, base := serve(b, runcode.Config{Executor: e})
	one := `{"code":"def add(a, b):\n    return a + b","language":"python","entry":"add",` +
		`"tests":["assert add(1, 2) == 3\nassert add('a', 'b') == 'ab'"]}`
	q := fmt.Sprintf(`{"programs":[%s%s]}`, strings.Repeat(one+",", 99), one)
	b.ResetTimer()
	for range b.N {
		response, err := http.Post(base+"/run_batch", "application/json", strings.NewReader(q))
		if err != nil || response.StatusCode != 200 {
			b.Fatalf("%v %v", response, err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "programs/s")
	b.ReportMetric(0, "ns/op")
}
