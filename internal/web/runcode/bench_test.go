package runcode_test

import (
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
	"github.com/deeprepo/deeprepo/internal/web/runcode"
)

// BenchmarkCalls has 200 clients at once call /run_code over HTTP, as verl's do: each waits for its answer and calls
// again. A call's time is what its client waits.
//
//	go test ./internal/web/runcode -run '^$' -bench Calls -benchtime 2000x
func BenchmarkCalls(b *testing.B) {
	base, client := benchServer(b)
	q := `{"code":"for _ in range(int(input())):\n    a, b = map(int, input().split())\n    print(a + b)","stdin":"2\n1 2\n3 4\n",` +
		`"language":"python","compile_timeout":60}`
	times := make([]time.Duration, b.N)
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for range 200 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					return
				}
				began := time.Now()
				response, err := client.Post(base+"/run_code", "application/json", strings.NewReader(q))
				if err != nil || response.StatusCode != 200 {
					b.Errorf("%v %v", response, err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				times[i] = time.Since(began)
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	slices.Sort(times)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
	b.ReportMetric(float64(times[b.N/2].Milliseconds()), "p50-ms")
	b.ReportMetric(float64(times[b.N*95/100].Milliseconds()), "p95-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkBatch has one client send 100 programs with tests at a time.
//
//	go test ./internal/web/runcode -run '^$' -bench Batch -benchtime 10x
func BenchmarkBatch(b *testing.B) {
	base, client := benchServer(b)
	one := `{"code":"def add(a, b):\n    return a + b","language":"python","entry":"add",` +
		`"tests":["assert add(1, 2) == 3\nassert add('a', 'b') == 'ab'"]}`
	q := fmt.Sprintf(`{"programs":[%s%s]}`, strings.Repeat(one+",", 99), one)
	b.ResetTimer()
	for range b.N {
		response, err := client.Post(base+"/run_batch", "application/json", strings.NewReader(q))
		if err != nil || response.StatusCode != 200 {
			b.Fatalf("%v %v", response, err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "programs/s")
	b.ReportMetric(0, "ns/op")
}

func benchServer(b *testing.B) (string, *http.Client) {
	e, err := sandbox.Open(b.Context(), sandbox.Config{Workers: runtime.NumCPU()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { e.Close() })
	_, base := serve(b, runcode.Config{Executor: e})
	return base, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
}
