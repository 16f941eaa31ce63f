package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

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

// checksum is the table of the snapshot file's trailer; Castagnoli is computed by the processor.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// loadSnapshot returns the unpacked base snapshot from dir, where a former start has left it, or unpacks it and leaves
// it there. The file is the memory followed by its CRC-32C. Nothing that is wrong with dir is an error.
func loadSnapshot(dir string) (*image, error) {
	path := filepath.Join(dir, "snapshot.bin")
	if dir != "" {
		if im, err := openImageFile(path); err == nil {
			return im, nil
		}
	}
	mem, err := unpack("snapshot.bin.gz")
	if err != nil {
		return nil, err
	}
	if dir != "" && writeImageFile(path, mem) == nil {
		if im, err := openImageFile(path); err == nil {
			return im, nil
		}
	}
	return newImage(mem)
}

func writeImageFile(path string, mem []byte) error {
	return wholefile.Write(path, func(f *os.File) error {
		_, err := io.Copy(f, io.MultiReader(bytes.NewReader(mem), bytes.NewReader(binary.LittleEndian.AppendUint32(nil, checksum(mem)))))
		return err
	})
}

// verify checks the trailer of a snapshot file and returns the memory before it.
func verify(b []byte) ([]byte, error) {
	n := len(b) - 4
	if n <= 0 || n%pageSize != 0 || checksum(b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, errDamaged
	}
	return b[:n], nil
}
