package half

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestF16 compares with the definition: the nearest of all numbers that the type has, of two the one whose last bit is 0.
func TestF16(t *testing.T) {
	finite := make([]float64, 0, 0x7c00) // of each pattern of bits from 0 on; they grow
	for h := range uint16(0x7c00) {
		exponent, fraction := int(h>>10), float64(h&0x3ff)
		v := math.Ldexp(fraction, -24)
		if exponent > 0 {
			v = math.Ldexp(1024+fraction, exponent-25)
		}
		if got := FromF16(h); float64(got) != v {
			t.Fatalf("%#04x is read as %g, not %g", h, got, v)
		}
		if got := FromF16(h | 0x8000); float64(got) != -v || !math.Signbit(float64(got)) {
			t.Fatalf("%#04x is read as %g, not %g", h|0x8000, got, -v)
		}
		if ToF16(float32(v)) != h || ToF16(float32(-v)) != h|0x8000 {
			t.Fatalf("%g is written as %#04x, not %#04x", v, ToF16(float32(v)), h)
		}
		finite = append(finite, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.OneOf(rapid.Float32Range(0, 65504), rapid.Float32Range(0, 1e-3), rapid.Float32Range(0, 1e-7),
			rapid.Custom(func(t *rapid.T) float32 { // exactly between two
				i := rapid.IntRange(0, len(finite)-2).Draw(t, "i")
				return float32((finite[i] + finite[i+1]) / 2)
			})).Draw(t, "f")
		i, _ := slices.BinarySearch(finite, float64(f))
		want := uint16(i)
		if i > 0 {
			below, above := float64(f)-finite[i-1], finite[i]-float64(f)
			if below < above || below == above && i%2 == 1 {
				want--
			}
		}
		if got := ToF16(f); got != want {
			t.Fatalf("%g is written as %#04x, not %#04x", f, got, want)
		}
	})
	inf := float32(math.Inf(1))
	for f, want := range map[float32]uint16{65519: 0x7bff, 65520: 0x7c00, 1e9: 0x7c00, inf: 0x7c00, -inf: 0xfc00, 1e-40: 0, 2.98e-8: 0,
		2.99e-8: 1} {
		if got := ToF16(f); got != want {
			t.Errorf("%g is written as %#04x, not %#04x", f, got, want)
		}
	}
	if nan := FromF16(ToF16(float32(math.NaN()))); nan == nan || !math.IsInf(float64(FromF16(0xfc00)), -1) {
		t.Error("NaN or infinity is lost")
	}
}

func TestBF16(t *testing.T) {
	for h := range 1 << 16 {
		f := FromBF16(uint16(h))
		if back := ToBF16(f); back != uint16(h) && f == f {
			t.Fatalf("%#04x comes back as %#04x", h, back)
		}
		if f != f {
			if again := FromBF16(ToBF16(f)); again == again {
				t.Fatalf("NaN %#04x is written as a number", h)
			}
		}
	}
	if n := FromBF16(ToBF16(math.Float32frombits(0x7f800001))); n == n {
		t.Errorf("a NaN of low bits alone is written as %g", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32().Draw(t, "f")
		down := math.Float32frombits(math.Float32bits(f) &^ 0xffff)
		up := math.Float32frombits(math.Float32bits(down) + 0x10000)
		got := FromBF16(ToBF16(f))
		if got != down && got != up {
			t.Fatalf("%g is written as %g, between %g and %g", f, got, down, up)
		}
		if low := math.Float32bits(f) & 0xffff; low < 0x8000 && got != down || low > 0x8000 && got != up || low == 0x8000 && ToBF16(f)&1 != 0 {
			t.Fatalf("%g is written as %g, of %g and %g", f, got, down, up)
		}
	})
}
