package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func written(t testing.TB, tensors []Tensor, meta map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteTensors(&b, tensors, meta); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var three = []Tensor{
	{Name: "b", Shape: []int{2, 3}, Data: []float32{1, -2, 3.5, math.MaxFloat32, 1e-45, 0}},
	{Name: "a \" <|view|> é", Type: BF16, Shape: []int{2}, Data: []float32{1.5, -256}},
	{Name: "empty", Shape: []int{0, 7}, Data: []float32{}},
	{Name: "one", Type: F16, Shape: []int{}, Data: []float32{-0.25}},
}

func TestTensorsRoundTrip(t *testing.T) {
	meta := map[string]string{"step": "3", "note": "a \"b\"\n"}
	data := written(t, three, meta)
	if n := binary.LittleEndian.Uint64(data); (8+n)%8 != 0 || data[8] != '{' {
		t.Errorf("the numbers begin at %d", 8+n)
	}
	got, gotMeta, err := ReadTensors(bytes.NewReader(data), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(three)
	want[0].Type, want[2].Type = F32, F32
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(meta, gotMeta); diff != "" {
		t.Error(diff)
	}
	if again := written(t, got, gotMeta); !bytes.Equal(again, data) {
		t.Error("written again it has other bytes")
	}
	none, gotMeta, err := ReadTensors(bytes.NewReader(written(t, nil, nil)), Limits{})
	if err != nil || len(none) != 0 || len(gotMeta) != 0 {
		t.Errorf("no tensors come back as %v, %v, %v", none, gotMeta, err)
	}
}

func TestTensorsOfManyNumbers(t *testing.T) {
	big := Tensor{Name: "big", Type: F32, Shape: []int{70001}, Data: make([]float32, 70001)}
	for i := range big.Data {
		big.Data[i] = float32(i)
	}
	got, _, err := ReadTensors(bytes.NewReader(written(t, []Tensor{big, three[0]}, nil)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(big, got[0]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(three[0].Data, got[1].Data); diff != "" {
		t.Error(diff)
	}
}

func TestWriteTensorsRefuses(t *testing.T) {
	one := func(edit func(*Tensor)) []Tensor {
		x := Tensor{Name: "x", Shape: []int{2}, Data: []float32{1, 2}}
		edit(&x)
		return []Tensor{x}
	}
	for _, c := range []struct {
		name    string
		tensors []Tensor
		want    string
	}{
		{"shape", one(func(x *Tensor) { x.Shape = []int{3} }), `tensor "x" has shape [3] and 2 numbers`},
		{"negative", one(func(x *Tensor) { x.Shape = []int{-1, -2} }), `tensor "x" has shape [-1 -2]`},
		{"type", one(func(x *Tensor) { x.Type = "I8" }), `no type "I8"`},
		{"no name", one(func(x *Tensor) { x.Name = "" }), `tensor name ""`},
		{"the metadata's name", one(func(x *Tensor) { x.Name = metadata }), `tensor name "__metadata__"`},
		{"a name that is no text", one(func(x *Tensor) { x.Name = "\xff" }), `tensor name "\xff"`},
		{"a name twice", append(one(func(*Tensor) {}), one(func(*Tensor) {})...), `tensor name "x"`},
		{"too large for F16", one(func(x *Tensor) { x.Type, x.Data[1] = F16, 7e4 }), `tensor "x": 70000 is too large for F16`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := WriteTensors(&bytes.Buffer{}, c.tensors, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	full := errors.New("disk full")
	if err := WriteTensors(failing{full}, three, nil); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// raw is a file with that header and n bytes of numbers.
func raw(header string, n int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, n)...)
}

func TestReadTensorsRefuses(t *testing.T) {
	const x = `"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`
	whole := written(t, three, nil)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "ends before its header"},
		{"half a length", whole[:5], "ends before its header"},
		{"a header cut short", whole[:40], "bytes of the header"},
		{"numbers cut short", whole[:len(whole)-1], `cut short: tensor "one" of shape [] is not whole`},
		{"the first tensor cut short", raw("{"+x+"}", 3), `cut short: tensor "x" of shape [2] is not whole`},
		{"more behind", append(slices.Clone(whole), 0), "there is more behind the 30 bytes"},
		{"a huge header", binary.LittleEndian.AppendUint64(nil, 1<<62), "over the limit of 8388608"},
		{"a negative header", binary.LittleEndian.AppendUint64(nil, math.MaxUint64), "over the limit"},
		{"another format", []byte("PK\x03\x04 a zip file"), "no safetensors file"},
		{"no JSON", raw("{", 0), "the header is not readable"},
		{"no object", raw("[]", 0), "the header is not readable"},
		{"metadata of numbers", raw(`{"__metadata__":{"a":1}}`, 0), "the header's metadata"},
		{"an unknown type", raw(`{"x":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, 8), `tensor "x" holds numbers of type "I64"; F32, F16 and BF16 can be read`},
		{"no type", raw(`{"x":{}}`, 8), `tensor "x" holds numbers of type ""`},
		{"a shape of words", raw(`{"x":{"dtype":"F32","shape":["a"],"data_offsets":[0,8]}}`, 8), `tensor "x":`},
		{"a negative shape", raw(`{"x":{"dtype":"F32","shape":[-2,-1],"data_offsets":[0,8]}}`, 8), "has shape [-2 -1]"},
		{"a shape that overflows", raw(`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0), "over the limit"},
		{"too many dimensions", raw(`{"x":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]}}`, 8), "has shape"},
		{"larger than allowed", raw(`{"x":{"dtype":"F32","shape":[1073741825],"data_offsets":[0,4294967300]}}`, 0), "over the limit of 4294967296 bytes"},
		{"offsets of another length", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,12]}}`, 12), `tensor "x" of type F32 and shape [2] does not lie at [0 12]: it has 8 bytes`},
		{"offsets turned round", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`, 8), "does not lie at [8 0]"},
		{"negative offsets", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}}`, 8), "does not lie at [-8 0]"},
		{"offsets that overflow", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[9223372036854775804,-9223372036854775804]}}`, 8), "does not lie at"},
		{"one offset", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0]}}`, 8), "does not lie at [0]"},
		{"three offsets", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}}`, 8), "does not lie at [0 8 9]"},
		{"overlapping", raw("{"+x+`,"y":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}`, 12), `tensor "y" begins at 4, the one before it ends at 8`},
		{"the same place twice", raw("{"+x+`,"y":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 8), `tensor "y" begins at 0, the one before it ends at 8`},
		{"a gap", raw("{"+x+`,"y":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}}`, 20), `tensor "y" begins at 12`},
		{"a gap before the first", raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}`, 16), `tensor "x" begins at 8`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := ReadTensors(bytes.NewReader(c.data), Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	for _, l := range []Limits{{Header: 10}, {Data: 29}} {
		if _, _, err := ReadTensors(bytes.NewReader(whole), l); err == nil || !strings.Contains(err.Error(), "over the limit") {
			t.Errorf("limits %+v: error %v", l, err)
		}
	}
	if _, _, err := ReadTensors(bytes.NewReader(whole), Limits{Header: 1000, Data: 30}); err != nil {
		t.Errorf("within the limits: %v", err)
	}
}

// TestReadTensorsUsesMemoryForWhatIsThere: a header of a few bytes that promises gigabytes costs nothing.
func TestReadTensorsUsesMemoryForWhatIsThere(t *testing.T) {
	data := raw(`{"x":{"dtype":"F32","shape":[1000000000],"data_offsets":[0,4000000000]}}`, 100)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := ReadTensors(bytes.NewReader(data), Limits{}); err == nil {
		t.Fatal("read")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

func FuzzReadTensors(f *testing.F) {
	f.Add(written(f, three, map[string]string{"a": "b"}))
	f.Add(written(f, nil, nil))
	f.Add(raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F16","shape":[1],"data_offsets":[8,10]}}`, 10))
	f.Add(raw(`{"x":{"dtype":"BF16","shape":[0,4294967296],"data_offsets":[0,0]}}`, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, meta, err := ReadTensors(bytes.NewReader(data), Limits{Header: 1 << 16, Data: 1 << 20})
		if err != nil {
			return
		}
		again, meta2, err := ReadTensors(bytes.NewReader(written(t, tensors, meta)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(again, meta2), fmt.Sprint(tensors, meta); got != want { // NaN is not equal to itself
			t.Errorf("%s comes back as %s", want, got)
		}
	})
}
