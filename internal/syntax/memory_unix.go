//go:build unix

package syntax

import (
	"context"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// outside makes instances keep their memory outside Go's heap. There it grows without being copied, costs what was touched of
// it, and goes back to the system as soon as the instance is closed: a text of a megabyte can need 400 MB for a moment.
func outside(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
		all, err := syscall.Mmap(-1, 0, int(most), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err != nil {
			return &copied{}
		}
		return &mapped{all}
	}))
}

// mapped is a memory that has its largest size from the start, in addresses.
type mapped struct{ all []byte }

// Reallocate implements experimental.LinearMemory.
func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		return nil
	}
	return m.all[:size:size]
}

// Free implements experimental.LinearMemory.
func (m *mapped) Free() {
	_ = syscall.Munmap(m.all) // it fails for what is no mapping alone
	m.all = nil
}

// copied is a memory where the system grants no such range of addresses.
type copied struct{ all []byte }

// Reallocate implements experimental.LinearMemory.
func (c *copied) Reallocate(size uint64) []byte {
	if n := int(size) - len(c.all); n > 0 {
		c.all = append(c.all, make([]byte, n)...)
	}
	return c.all[:size]
}

// Free implements experimental.LinearMemory.
func (c *copied) Free() { c.all = nil }
