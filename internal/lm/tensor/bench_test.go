//go:build unix

package tensor

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

const side = 1024

func squares() (a, b, c []float32) {
	rng := rand.New(rand.NewPCG(5, 6))
	return noise(rng, side*side), noise(rng, side*side), make([]float32, side*side)
}

// gflops runs products and reports their rate by the clock, and by the processor's time, which other work on the machine
// disturbs less.
func gflops(b *testing.B, product func()) {
	before := processorTime(b)
	for b.Loop() {
		product()
	}
	all := 2 * side * side * side * float64(b.N) / 1e9
	b.ReportMetric(all/b.Elapsed().Seconds(), "GF/s")
	b.ReportMetric(all/(processorTime(b)-before).Seconds(), "GF/cpu-s")
}

func processorTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGemm1024 multiplies two matrices of 1024 x 1024 on so many goroutines. python/compare-kernels.sh runs it
// beside OpenBLAS.
func BenchmarkGemm1024(b *testing.B) {
	x, y, c := squares()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			gflops(b, func() {
				var wg sync.WaitGroup
				rows := side / workers
				for from := 0; from < side; from += rows {
					wg.Go(func() { Gemm(false, false, rows, side, side, x[from*side:], side, y, side, c[from*side:], side, false) })
				}
				wg.Wait()
			})
		})
	}
}

// BenchmarkGonum1024 is the same product by gonum, in Go without assembly for it.
func BenchmarkGonum1024(b *testing.B) {
	x, y, c := squares()
	general := func(data []float32) blas32.General {
		return blas32.General{Rows: side, Cols: side, Stride: side, Data: data}
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			gflops(b, func() { blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, general(x), general(y), 0, general(c)) })
		})
	}
}

// BenchmarkWeights is a layer's product as decoding has it: a few rows times weights that are packed once.
func BenchmarkWeights(b *testing.B) {
	const outs, ins = 704, 128
	rng := rand.New(rand.NewPCG(7, 6))
	w := noise(rng, outs*ins)
	packed := Pack(true, outs, ins, w, ins)
	for _, rows := range []int{1, 8, 32, 128} {
		x, y := noise(rng, rows*ins), make([]float32, rows*outs)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				GemmPacked(1, false, rows, x, ins, packed, y, outs, false)
			}
			b.ReportMetric(2*float64(rows*outs*ins)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
		})
	}
}

// BenchmarkGemmFewRows is the product that gives so many conversations their logits, of SmolLM2's vocabulary and width, with
// weights in 32 bits and in eight.
func BenchmarkGemmFewRows(b *testing.B) {
	const outs, ins = 49152, 576
	rng := rand.New(rand.NewPCG(5, 6))
	w := noise(rng, outs*ins)
	for _, rows := range []int{1, 8, 32, 96} {
		x, y := noise(rng, rows*ins), make([]float32, rows*outs)
		for name, packed := range map[string]*Packed{"f32": Pack(true, outs, ins, w, ins), "int8": PackInt8(outs, ins, w)} {
			b.Run(fmt.Sprintf("%d/%s", rows, name), func(b *testing.B) {
				before := processorTime(b)
				for b.Loop() {
					GemmPacked(1, false, rows, x, ins, packed, y, outs, false)
				}
				b.ReportMetric(2*float64(rows*outs*ins)*float64(b.N)/1e9/(processorTime(b)-before).Seconds(), "GF/cpu-s")
			})
		}
	}
}
