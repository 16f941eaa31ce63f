package tensor

import "os"

// isa is a set of instructions that the kernels were written for.
type isa uint8

const (
	portable isa = iota
	avx512
	avx2
	neon
)

func (i isa) String() string {
	switch i {
	case avx512:
		return "avx512"
	case avx2:
		return "avx2"
	case neon:
		return "neon"
	}
	return "portable"
}

// KernelVar is the environment variable that forces a set of kernels by its name, for tests and for bug reports. A name
// that the processor cannot run is ignored.
const KernelVar = "DEEPREPO_KERNEL"

// active is the set in use. Only tests change it after start.
var active = choose(os.Getenv(KernelVar), supported())

// choose is the wanted set where it is among those supported (fastest first), and the fastest otherwise.
func choose(want string, supported []isa) isa {
	for _, i := range supported {
		if i.String() == want {
			return i
		}
	}
	return supported[0]
}

// tiling is how a set of kernels cuts a product: tiles of at most rows[0] rows and of cols columns. A tile of another
// height than one of rows is computed at the next one above.
type tiling struct {
	cols int
	rows [4]int // descending; zeros where there are fewer
}

// height is the smallest tile height that holds h rows.
func (t tiling) height(h int) int {
	for i := len(t.rows) - 1; i > 0; i-- {
		if t.rows[i] >= h {
			return t.rows[i]
		}
	}
	return t.rows[0]
}

// tiles is tile for any number of rows: as many tiles as it takes, below each other.
func (i isa) tiles(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	for _, h := range i.tiling().rows {
		for ; h > 0 && rows >= h; rows -= h {
			i.tile(h, k, a, ar, aq, b, ldb, c, ldc, add)
			if rows > h {
				a, c = a[h*ar:], c[h*ldc:]
			}
		}
	}
}
