package gguf

// The K types: blocks of 256 numbers in groups of 16 or 32, each with a scale of its own, which is itself a small whole number
// that d stands before.

func q2k(to []float32, from []byte) {
	scales, q := from[:16], from[16:80]
	d, m := f16(from[80:]), f16(from[82:])
	for i := range to {
		// 128 numbers lie in 32 bytes: the first 32 of them in the lowest bits.
		b := q[i/128*32+i%32] >> (i % 128 / 32 * 2) & 3
		s := scales[i/16]
		to[i] = float32(d*float32(s&15)*float32(b)) - float32(m*float32(s>>4))
	}
}

func q3k(to []float32, from []byte) {
	mask, q, packed := from[:32], from[32:96], from[96:108]
	d := f16(from[108:])
	var scales [16]float32
	for i := range scales { // of 6 bits: the low 4 of them in 8 bytes, two in each, the high 2 in 4 bytes, four in each
		low := packed[i%8] >> (i / 8 * 4) & 15
		high := packed[8+i%4] >> (i / 4 * 2) & 3
		scales[i] = d * float32(int(low|high<<4)-32)
	}
	for i := range to {
		b := int(q[i/128*32+i%32] >> (i % 128 / 32 * 2) & 3)
		if mask[i%32]>>(i/32)&1 == 0 {
			b -= 4
		}
		to[i] = scales[i/16] * float32(b)
	}
}

// scales6 unpacks eight scales and eight minima of 6 bits each from 12 bytes.
func scales6(from []byte) (scales, minima [8]byte) {
	for i := range 4 {
		a, b, c := from[i], from[4+i], from[8+i]
		scales[i], scales[4+i] = a&63, c&15|a>>6<<4
		minima[i], minima[4+i] = b&63, c>>4|b>>6<<4
	}
	return scales, minima
}

func q4k(to []float32, from []byte) {
	d, m := f16(from), f16(from[2:])
	scales, minima := scales6(from[4:16])
	q := from[16:]
	for group := range 8 {
		s, least := d*float32(scales[group]), m*float32(minima[group])
		for i := range 32 {
			b := q[group/2*32+i] >> (group % 2 * 4) & 15
			to[group*32+i] = float32(s*float32(b)) - least
		}
	}
}

func q5k(to []float32, from []byte) {
	d, m := f16(from), f16(from[2:])
	scales, minima := scales6(from[4:16])
	high, q := from[16:48], from[48:]
	for group := range 8 {
		s, least := d*float32(scales[group]), m*float32(minima[group])
		for i := range 32 {
			b := q[group/2*32+i]>>(group%2*4)&15 | high[i]>>group&1<<4
			to[group*32+i] = float32(s*float32(b)) - least
		}
	}
}

func q6k(to []float32, from []byte) {
	low, high, scales := from[:128], from[128:192], from[192:208]
	d := f16(from[208:])
	for i := range to {
		b := low[i/128*64+i%64]>>(i%128/64*4)&15 | high[i/128*32+i%32]>>(i%128/32*2)&3<<4
		to[i] = float32(d*float32(int8(scales[i/16]))) * float32(int(b)-32)
	}
}
