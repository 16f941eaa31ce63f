//go:build !portable

// The tag portable builds the other systems' variant on Linux, for its tests.

package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// image is a memory held by a file, which instances map privately: pages are shared until they are written.
type image struct {
	file *os.File
	size int

	once   sync.Once
	mapped []byte
	mapErr error
}

// newImage keeps a copy of mem in an anonymous file.
func newImage(mem []byte) (*image, error) {
	fd, err := unix.MemfdCreate("sandbox", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	f := os.NewFile(uintptr(fd), "sandbox")
	if _, err := f.Write(mem); err != nil {
		f.Close()
		return nil, fmt.Errorf("memory file: %w", err)
	}
	return &image{file: f, size: len(mem)}, nil
}

// openImageFile uses a file written by writeImageFile.
func openImageFile(path string) (*image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	im, err := checkImageFile(f)
	if err != nil {
		f.Close()
	}
	return im, err
}

func checkImageFile(f *os.File) (*image, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() <= 4 || st.Size() > 1<<30 {
		return nil, errDamaged
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	defer unix.Munmap(b)
	mem, err := verify(b)
	if err != nil {
		return nil, err
	}
	return &image{file: f, size: len(mem)}, nil
}

// bytes returns the memory, to be read only. It stays mapped.
func (im *image) bytes() ([]byte, error) {
	im.once.Do(func() {
		im.mapped, im.mapErr = unix.Mmap(int(im.file.Fd()), 0, im.size, unix.PROT_READ, unix.MAP_PRIVATE)
	})
	return im.mapped, im.mapErr
}

// linear is the memory of one instance: an address range as large as the session may grow, whose start is a private
// mapping of the image.
type linear struct {
	base    []byte
	limit   int
	im      *image
	refused bool     // growth over the limit was asked for
	pages   *os.File // the kernel's table of this process's pages, from the first restore on
	flags   []uint64 // what was read of it
	mu      sync.Mutex
}

func newLinear(im *image, limit int) (*linear, error) {
	base, err := unix.Mmap(-1, 0, limit, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("reserve %d bytes: %w", limit, err)
	}
	_, err = unix.MmapPtr(int(im.file.Fd()), 0, unsafe.Pointer(&base[0]), uintptr(im.size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_FIXED)
	if err != nil {
		unix.Munmap(base)
		return nil, fmt.Errorf("map image: %w", err)
	}
	return &linear{base: base, limit: limit, im: im}, nil
}

// Reallocate implements experimental.LinearMemory.
func (l *linear) Reallocate(size uint64) []byte {
	if size > uint64(min(l.limit, len(l.base))) {
		l.refused = true
		return nil
	}
	return l.base[:size:len(l.base)]
}

// Free implements experimental.LinearMemory.
func (l *linear) Free() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.base != nil {
		unix.Munmap(l.base)
		l.base = nil
		if l.pages != nil {
			l.pages.Close()
		}
	}
}

// relimit sets the size the memory may grow to from now on; false when so much was not reserved.
func (l *linear) relimit(limit int) bool {
	l.limit = limit
	return limit <= len(l.base)
}

// restore gives a memory that has not grown the image's contents again. Pages written once stay this process's own, so
// that the next program does not pay for their faults again: the kernel says which those are, and what was changed in
// them is copied back.
func (l *linear) restore() error {
	pristine, err := l.im.bytes()
	if err != nil {
		return err
	}
	const keep = 1024 // beyond, starting over is cheaper in time and memory
	own := 0
	err = l.readPages()
	for i, f := range l.flags {
		const present, swapped, file = 1 << 63, 1 << 62, 1 << 61
		if f&(present|swapped) != 0 && f&file == 0 {
			page, first := l.base[i*pageBytes:(i+1)*pageBytes], pristine[i*pageBytes:(i+1)*pageBytes]
			if !bytes.Equal(page, first) {
				copy(page, first)
			}
			own++
		}
	}
	if err != nil || own > keep {
		return unix.Madvise(l.base[:l.im.size], unix.MADV_DONTNEED)
	}
	return nil
}

// readPages asks the kernel about each page of the image.
func (l *linear) readPages() (err error) {
	if l.pages == nil {
		if os.Getpagesize() != pageBytes {
			return unix.ENOSYS
		}
		if l.pages, err = os.Open("/proc/self/pagemap"); err != nil {
			return err
		}
		l.flags = make([]uint64, l.im.size/pageBytes)
	}
	const entry = 8
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&l.flags[0])), len(l.flags)*entry)
	_, err = l.pages.ReadAt(raw, int64(uintptr(unsafe.Pointer(&l.base[0])))/pageBytes*entry)
	return err
}

// fill is a no-op: the image is already mapped.
func (l *linear) fill([]byte) {}

// ring sets the guest's word at address p to 1, from any goroutine.
func (l *linear) ring(p uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int(p) < len(l.base) {
		l.base[p] = 1
	}
}
