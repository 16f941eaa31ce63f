package train

import (
	"crypto/sha256"
	"encoding/binary"
)

// Derive makes a seed of a seed, what it is for, and where it is used.
func Derive(seed int64, what string, at ...int) uint64 {
	h := sha256.New()
	var b [8]byte
	put := func(v uint64) {
		binary.BigEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
	put(uint64(seed))
	h.Write([]byte(what))
	for _, n := range at {
		put(uint64(n))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// Luck is a derived seed in the form that an env.Attempt takes: not negative, 31 bits.
func Luck(seed int64, what string, at ...int) int64 { return int64(Derive(seed, what, at...) >> 33) }
