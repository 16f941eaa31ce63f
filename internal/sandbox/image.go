package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// An image is a frozen memory from which sessions start. How it is shared differs by system: image_linux.go maps it
// copy-on-write, image_other.go copies the pages that are not zero.

// clone is what an instance needs to continue where an image was taken.
type clone struct {
	image *image
	clock int64 // virtual clock when the image was taken
}

var errDamaged = errors.New("damaged")

// castagnoli is the table of checksums; the processor computes them.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// loadBase returns the unpacked snapshot from dir, where a former start has left it, or unpacks it and leaves it there.
// Nothing that is wrong with dir is an error.
func loadBase(dir string) (clone, error) {
	path := filepath.Join(dir, baseName)
	if dir != "" {
		if c, err := readClone(path); err == nil {
			return c, nil
		}
	}
	mem, err := unpack("snapshot.bin.gz")
	if err != nil {
		return clone{}, err
	}
	if dir != "" && writeClone(path, mem, 0) == nil {
		if c, err := readClone(path); err == nil {
			return c, nil
		}
	}
	im, err := newImage(mem)
	return clone{image: im}, err
}

const (
	baseName = "base.bin"
	// bakedNames are those of what preludes left; the number changes when the same prelude would leave something else.
	bakedNames = "baked1-%s.bin"
	// maxBaked is how many of them are kept, of 21 MB each: those of the harness, the REPL's, and one more.
	maxBaked = 4
	// worthKeeping is how long a prelude is, in bytes, that takes longer to compile than what it leaves takes to load.
	worthKeeping = 4096
)

// keepBaked leaves what a prelude made in dir, for later processes, and removes what was left before the latest ones.
// Whatever goes wrong costs time only.
func keepBaked(dir, key string, mem []byte, clock int64) {
	if writeClone(filepath.Join(dir, fmt.Sprintf(bakedNames, key)), mem, clock) != nil {
		return
	}
	names, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf(bakedNames, "*")))
	made := func(name string) time.Time {
		if info, err := os.Stat(name); err == nil {
			return info.ModTime()
		}
		return time.Time{}
	}
	slices.SortFunc(names, func(a, b string) int { return made(b).Compare(made(a)) })
	for _, name := range names[min(maxBaked, len(names)):] {
		os.Remove(name)
	}
}

// dropImages removes all images in dir.
func dropImages(dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.bin"))
	for _, name := range names {
		os.Remove(name)
	}
}

// trailer is what stands behind the memory in a file: the clock, and the CRC-32C of all before it.
const trailer = 8 + 4

func writeClone(path string, mem []byte, clock int64) error {
	end := binary.LittleEndian.AppendUint64(nil, uint64(clock))
	sum := crc32.Update(checksum(mem), castagnoli, end)
	return wholefile.Write(path, func(f *os.File) error {
		_, err := io.Copy(f, io.MultiReader(bytes.NewReader(mem), bytes.NewReader(binary.LittleEndian.AppendUint32(end, sum))))
		return err
	})
}

// verify checks the trailer of a file and returns the memory before it, and the clock.
func verify(b []byte) (mem []byte, clock int64, err error) {
	n := len(b) - trailer
	if n <= 0 || n%pageSize != 0 || checksum(b[:n+8]) != binary.LittleEndian.Uint32(b[n+8:]) {
		return nil, 0, errDamaged
	}
	return b[:n], int64(binary.LittleEndian.Uint64(b[n:])), nil
}
