package gguf

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// golden was written by testdata/make.py with the gguf package for Python.
func golden(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/types.gguf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func opened(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func numbers(t testing.TB, f *File, name string) []float32 {
	t.Helper()
	i := slices.IndexFunc(f.Tensors, func(t Tensor) bool { return t.Name == name })
	if i < 0 {
		t.Fatalf("there is no tensor %q", name)
	}
	to := make([]float32, f.Tensors[i].Len())
	if err := f.Read(&f.Tensors[i], to); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestNumbersAreThoseOfPython compares every type with what the gguf package makes of it, to the bit.
func TestNumbersAreThoseOfPython(t *testing.T) {
	f := opened(t, golden(t))
	for _, l := range layouts {
		if l.name == "F32" {
			continue // what the others are compared with
		}
		t.Run(l.name, func(t *testing.T) {
			got, want := numbers(t, f, l.name), numbers(t, f, l.name+".values")
			for i := range want {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
					t.Fatalf("number %d is %g, not %g", i, got[i], want[i])
				}
			}
		})
	}
	if len(f.Tensors) != 2*(len(layouts)-1) {
		t.Errorf("%d tensors for %d types", len(f.Tensors), len(layouts))
	}
}

func TestShapesAreOutermostFirst(t *testing.T) {
	f := opened(t, golden(t))
	for _, x := range f.Tensors {
		want := []int{3, int(2 * layouts[x.Type].block)}
		if layouts[x.Type].block == 1 {
			want = []int{3, len(numbers(t, f, x.Name)) / 3}
		}
		if diff := cmp.Diff(want, x.Shape); diff != "" {
			t.Errorf("%s: %s", x.Name, diff)
		}
	}
}

func TestValues(t *testing.T) {
	f := opened(t, golden(t))
	want := map[string]any{
		"general.architecture": "llama", "test.u8": int64(100), "test.i8": int64(-100), "test.u16": int64(100), "test.i16": int64(-100),
		"test.u32": int64(100), "test.i32": int64(-100), "test.u64": int64(100), "test.i64": int64(-100),
		"test.f32": float64(float32(.1)), "test.f64": .1, "test.bool": true, "test.text": "Ġé", "test.texts": []string{"a", "", "Ġb"},
		"test.ints": []int64{1, -2, 3}, "test.floats": []float64{.5, -.25}, "test.bools": []bool{true, false},
	}
	if diff := cmp.Diff(want, f.values); diff != "" {
		t.Error(diff)
	}
	if n, ok := f.Int("test.text"); n != 0 || ok {
		t.Errorf("a text is the number %d", n)
	}
	if n, ok := f.Int("test.i16"); n != -100 || !ok || f.Text("test.text") != "Ġé" || !f.Bool("test.bool") ||
		len(f.Texts("test.texts")) != 3 || len(f.Ints("test.ints")) != 3 || !f.Has("test.u8") || f.Has("test.u9") {
		t.Error("values are not found by their keys")
	}
	if v, ok := f.Float("test.f64"); v != .1 || !ok {
		t.Errorf("%g", v)
	}
}

// build writes a file by hand: fields of whatever size, one behind the other; a string is a length and its bytes.
func build(fields ...any) []byte {
	var b bytes.Buffer
	for _, f := range fields {
		switch f := f.(type) {
		case string:
			_ = binary.Write(&b, binary.LittleEndian, uint64(len(f)))
			b.WriteString(f)
		case []byte:
			b.Write(f)
		default:
			_ = binary.Write(&b, binary.LittleEndian, f)
		}
	}
	return b.Bytes()
}

type (
	u32 = uint32
	u64 = uint64
)

// file is one of the tensors and values that follow its head, with n bytes of numbers.
func file(tensors, values u64, n int, fields ...any) []byte {
	b := append(build([]byte(magic), u32(3), tensors, values), build(fields...)...)
	return append(append(b, make([]byte, (32-len(b)%32)%32)...), make([]byte, n)...)
}

func TestOpenRefuses(t *testing.T) {
	x := []any{"x", u32(1), u64(8), u32(0), u64(0)}
	many := func(parts ...any) (all []any) {
		for _, p := range parts {
			if list, ok := p.([]any); ok {
				all = append(all, list...)
			} else {
				all = append(all, p)
			}
		}
		return all
	}
	if f := opened(t, file(1, 0, 32, x...)); len(numbers(t, f, "x")) != 8 {
		t.Fatal("the file that the others are made from is none")
	}
	whole := golden(t)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "no GGUF file"},
		{"another format", []byte("PK\x03\x04"), "no GGUF file"},
		{"version 1", build([]byte(magic), u32(1), u64(0), u64(0)), "version 1 of the format is not supported"},
		{"big-endian", build([]byte(magic), u32(3<<24), u64(0), u64(0)), "big-endian"},
		{"half a head", whole[:20], "cut short"},
		{"cut in the values", whole[:100], "cut short"},
		{"cut in the numbers", whole[:len(whole)-40], "does not lie within"},
		{"more values than bytes", file(0, 1<<60, 0), "1152921504606846976 values cannot lie in"},
		{"more tensors than bytes", file(1<<60, 0, 0), "1152921504606846976 tensors cannot lie in"},
		{"a key longer than the file", file(0, 1, 0, u64(1<<62), u32(0), byte(1)), "bytes of text cannot lie in"},
		{"a key longer than keys are", file(0, 1, 0, strings.Repeat("k", 1<<16), u32(0), byte(1)), "longer than 65535"},
		{"a key twice", file(0, 2, 0, "k", u32(0), byte(1), "k", u32(0), byte(1)), `key "k" is there twice`},
		{"an unknown kind", file(0, 1, 0, "k", u32(13), u64(1)), `key "k": no values are of kind 13`},
		{"an array of an unknown kind", file(0, 1, 0, "k", u32(9), u32(99), u64(1)), `no values are of kind 99`},
		{"arrays of arrays", file(0, 1, 0, "k", u32(9), u32(9), u64(1), u32(0), u64(0)), `arrays of arrays`},
		{"an array longer than the file", file(0, 1, 0, "k", u32(9), u32(4), u64(1<<61)), `values cannot lie in`},
		{"a truth value of 2", file(0, 1, 0, "k", u32(7), byte(2)), `a truth value is 2`},
		{"a number over 2^63", file(0, 1, 0, "k", u32(10), u64(1<<63)), `is too large`},
		{"an alignment of 1", file(0, 1, 0, alignKey, u32(4), u32(1)), alignKey + " is 1"},
		{"an alignment of 0", file(0, 1, 0, alignKey, u32(4), u32(0)), alignKey + " is 0"},
		{"an alignment that is a text", file(0, 1, 0, alignKey, u32(8), "x"), alignKey + " is x"},
		{"no dimensions", file(1, 0, 32, "x", u32(0), u32(0), u64(0), u64(0)), "0 dimensions"},
		{"five dimensions", file(1, 0, 32, "x", u32(5), u64(1), u64(1), u64(1), u64(1), u64(1), u32(0), u64(0)), "5 dimensions"},
		{"a dimension of 0", file(1, 0, 32, "x", u32(1), u64(0), u32(0), u64(0)), "dimension of 0"},
		{"dimensions that overflow", file(1, 0, 32, "x", u32(2), u64(1<<40), u64(1<<40), u32(0), u64(0)), "dimension of 1099511627776"},
		{"an unknown type", file(1, 0, 32, "x", u32(1), u64(8), u32(16), u64(0)), `type number 16, which is not supported`},
		{"a type that was taken back", file(1, 0, 32, "x", u32(1), u64(8), u32(4), u64(0)), `type number 4, which is not supported`},
		{"rows of half a block", file(1, 0, 64, "x", u32(2), u64(48), u64(2), u32(8), u64(0)), "rows of 48 numbers, no multiple of the 32"},
		{"more numbers than the file", file(1, 0, 31, x...), "does not lie within"},
		{"behind the file", file(1, 0, 32, "x", u32(1), u64(8), u32(0), u64(64)), "does not lie within"},
		{"an offset that overflows", file(1, 0, 32, "x", u32(1), u64(8), u32(0), u64(math.MaxInt64&^31)), "does not lie within"},
		{"a negative offset", file(1, 0, 32, "x", u32(1), u64(8), u32(0), u64(math.MaxUint64&^31)), "begins at"},
		{"between two multiples", file(1, 0, 64, "x", u32(1), u64(8), u32(0), u64(8)), "no multiple of 32"},
		{"a name twice", file(2, 0, 64, many(x, "x", u32(1), u64(8), u32(0), u64(32))...), `"x" is there twice`},
		{"one over the other", file(2, 0, 64, many(x, "y", u32(1), u64(8), u32(0), u64(0))...), `"y" lies over "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Open(bytes.NewReader(c.data), int64(len(c.data))); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestReadChecksTheRoom(t *testing.T) {
	f := opened(t, golden(t))
	if err := f.Read(&f.Tensors[0], make([]float32, 1)); err == nil {
		t.Error("read into too little room")
	}
}

// TestOpenUsesMemoryForWhatIsThere: a file of a few bytes that promises gigabytes costs nothing.
func TestOpenUsesMemoryForWhatIsThere(t *testing.T) {
	for _, data := range [][]byte{
		file(1, 0, 100, "x", u32(1), u64(1<<40), u32(0), u64(0)), file(1<<40, 1<<40, 100), file(0, 1, 100, "k", u32(9), u32(8), u64(1<<40)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Open(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Fatal("read")
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%d bytes were allocated", n)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(golden(f))
	f.Add(file(1, 1, 32, "k", u32(9), u32(8), u64(2), "a", "b", "x", u32(1), u64(8), u32(0), u64(0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		total := 0
		for i := range file.Tensors {
			x := &file.Tensors[i]
			if total += x.Len(); total > 4*len(data) { // Q2_K has 3 numbers in a byte
				t.Fatalf("%d numbers from %d bytes", total, len(data))
			}
			if err := file.Read(x, make([]float32, x.Len())); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	f := opened(b, golden(b))
	for i := range f.Tensors {
		x := &f.Tensors[i]
		if layouts[x.Type].block == 1 {
			continue
		}
		b.Run(x.Type.String(), func(b *testing.B) {
			to := make([]float32, x.Len())
			b.SetBytes(int64(4 * len(to)))
			for b.Loop() {
				if err := f.Read(x, to); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
