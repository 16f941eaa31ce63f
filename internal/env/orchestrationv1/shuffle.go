package orchestrationv1

import "math/bits"

// shuffle reorders n things as Python's random.Random(seed).shuffle does: Fisher-Yates from the end, with numbers of
// MT19937 (Matsumoto and Nishimura 1998) drawn by rejection. Python seeds with the absolute value.
func shuffle(seed int64, n int, swap func(i, j int)) {
	m := newTwister(seed)
	for i := n - 1; i > 0; i-- {
		swap(i, m.below(uint32(i+1)))
	}
}

const (
	twisterSize  = 624
	twisterShift = 397
)

type twister struct {
	state [twisterSize]uint32
	at    int
}

// newTwister is init_by_array of the seed's 32-bit digits.
func newTwister(seed int64) *twister {
	size := uint64(seed)
	if seed < 0 {
		size = -size
	}
	key := []uint32{uint32(size)}
	if high := uint32(size >> 32); high != 0 {
		key = append(key, high)
	}
	m := &twister{at: twisterSize}
	s := &m.state
	s[0] = 19650218
	for i := 1; i < twisterSize; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	i, j := 1, 0
	for range twisterSize {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		j = (j + 1) % len(key)
		if i++; i == twisterSize {
			s[0], i = s[twisterSize-1], 1
		}
	}
	for range twisterSize - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == twisterSize {
			s[0], i = s[twisterSize-1], 1
		}
	}
	s[0] = 1 << 31
	return m
}

func (m *twister) next() uint32 {
	if m.at == twisterSize {
		for i := range m.state {
			y := m.state[i]&(1<<31) | m.state[(i+1)%twisterSize]&(1<<31-1)
			m.state[i] = m.state[(i+twisterShift)%twisterSize] ^ y>>1 ^ y&1*0x9908b0df
		}
		m.at = 0
	}
	y := m.state[m.at]
	m.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// below is an even number of [0, n).
func (m *twister) below(n uint32) int {
	k := bits.Len32(n)
	for {
		if r := m.next() >> (32 - k); r < n {
			return int(r)
		}
	}
}
