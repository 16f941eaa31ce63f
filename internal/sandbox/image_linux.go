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

// readClone uses a file written by writeClone.
func readClone(path string) (clone, error) {
	f, err := os.Open(path)
	if err != nil {
		return clone{}, err
	}
	c, err := checkClone(f)
	if err != nil {
		f.Close()
	}
	return c, err
}

func checkClone(f *os.File) (clone, error) {
	st, err := f.Stat()
	if err != nil {
		return clone{}, err
	}
	if st.Size() <= trailer || st.Size() > 1<<30 {
		return clone{}, errDamaged
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_POPULATE)
	if err != nil {
		return clone{}, err
	}
	mem, clock, err := verify(b)
	if err != nil {
		unix.Munmap(b)
		return clone{}, err
	}
	im := &image{file: f, size: len(mem), mapped: mem}
	im.once.Do(func() {})
	return clone{image: im, clock: clock}, nil
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
	refused bool         // growth over the limit was asked for
	pages   *os.File     // the kernel's table of this process's pages, from the first restore on
	runs    []stretch    // where own found pages in it
	found   []pageRegion // what one search said
	flags   []uint64     // what was read of each page, where the kernel cannot search
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
	runs, err := l.own()
	for _, r := range runs {
		for at := r.first; at < r.end; at += pageBytes {
			if page, first := l.base[at:at+pageBytes], pristine[at:at+pageBytes]; !bytes.Equal(page, first) {
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

// stretch is a part of a memory, in bytes from its beginning.
type stretch struct{ first, end int }

// own gives the image's pages that are this process's own, for they were written to.
func (l *linear) own() ([]stretch, error) {
	if l.pages == nil {
		if os.Getpagesize() != pageBytes {
			return nil, unix.ENOSYS
		}
		var err error
		if l.pages, err = os.Open("/proc/self/pagemap"); err != nil {
			return nil, err
		}
	}
	if l.flags == nil {
		err := l.search()
		if err == nil {
			return l.runs, nil
		}
		l.flags = make([]uint64, l.im.size/pageBytes) // the kernel is older than 6.7
	}
	return l.runs, l.read()
}

// pageRegion and pageSearch are the kernel's structs page_region and pm_scan_arg, of linux/fs.h.
type (
	pageRegion struct{ start, end, categories uint64 }
	pageSearch struct {
		size, flags, start, end, walkEnd, regions, regionCount, maxPages uint64
		inverted, all, any, told                                         uint64 // sets of categories
	}
)

// search has the kernel search for them, which is several times quicker than reading all that it knows of each page.
func (l *linear) search() error {
	const (
		pagemapScan            = 0xc0606610 // PAGEMAP_SCAN
		file, present, swapped = 1 << 2, 1 << 3, 1 << 4
	)
	if l.found == nil {
		l.found = make([]pageRegion, 512) // not on the stack, which may move
	}
	start := uint64(uintptr(unsafe.Pointer(&l.base[0])))
	q := pageSearch{start: start, end: start + uint64(l.im.size), inverted: file, all: file, any: present | swapped, told: file,
		regions: uint64(uintptr(unsafe.Pointer(&l.found[0]))), regionCount: uint64(len(l.found))}
	q.size = uint64(unsafe.Sizeof(q))
	for l.runs = l.runs[:0]; q.start < q.end; q.start = q.walkEnd {
		n, _, errno := unix.Syscall(unix.SYS_IOCTL, l.pages.Fd(), pagemapScan, uintptr(unsafe.Pointer(&q)))
		switch {
		case errno != 0:
			return errno
		case q.walkEnd <= q.start || n > uintptr(len(l.found)):
			return unix.EINVAL
		}
		for _, r := range l.found[:n] {
			l.runs = append(l.runs, stretch{int(r.start - start), int(r.end - start)})
		}
	}
	return nil
}

// read asks the kernel about each page.
func (l *linear) read() error {
	const entry = 8
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&l.flags[0])), len(l.flags)*entry)
	_, err := l.pages.ReadAt(raw, int64(uintptr(unsafe.Pointer(&l.base[0])))/pageBytes*entry)
	l.runs = l.runs[:0]
	for i, f := range l.flags {
		const present, swapped, file = 1 << 63, 1 << 62, 1 << 61
		if f&(present|swapped) != 0 && f&file == 0 {
			l.runs = append(l.runs, stretch{i * pageBytes, (i + 1) * pageBytes})
		}
	}
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
