// Package half converts numbers of 16 bits, as files of tensors hold them; in memory every number is a float32. Rounding is to the
// nearest, of two equally near to the even one (IEEE 754, 4.3.1), which is what PyTorch does.
package half

import "math"

// ToBF16 cuts a float32 to its upper 16 bits: 8 of exponent, 7 of fraction.
func ToBF16(f float32) uint16 {
	b := math.Float32bits(f)
	if f != f {
		return uint16(b>>16) | 0x40 // rounding might carry a NaN into an infinity
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// FromBF16 is exact.
func FromBF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// ToF16 has 5 bits of exponent, 10 of fraction. Values of 65520 or more become infinite.
func ToF16(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	abs := b & 0x7fffffff
	switch {
	case abs > 0x7f800000: // NaN
		return sign | 0x7e00
	case abs >= 0x477ff000: // 65520
		return sign | 0x7c00
	case abs >= 0x38800000: // 2^-14: normal in both
		abs -= (127 - 15) << 23
		return sign | uint16((abs+0xfff+abs>>13&1)>>13)
	}
	// Below, steps are of 2^-24: the sum's own rounding does it, since 0.5 as a float32 has that step.
	return sign | uint16(math.Float32bits(math.Float32frombits(abs)+0.5)-math.Float32bits(0.5))
}

// FromF16 is exact.
func FromF16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(f))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
