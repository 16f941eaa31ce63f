package sandbox

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// products are made by cpython/build.sh: the interpreter without its data, its warm memory, its standard library.
//
//go:embed cpython/module.wasm.gz cpython/snapshot.bin.gz cpython/stdlib.zip cpython/SHA256SUMS
var products embed.FS

func product(name string) ([]byte, error) { return products.ReadFile("cpython/" + name) }

// productKey names the set of products, for the cache.
func productKey() (string, error) {
	sums, err := product("SHA256SUMS")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(sums)
	return hex.EncodeToString(sum[:8]), nil
}

func unpack(name string) ([]byte, error) {
	packed, err := product(name)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	size := binary.LittleEndian.Uint32(packed[len(packed)-4:]) // so a gzip file ends
	out := bytes.NewBuffer(make([]byte, 0, int(size)+bytes.MinRead))
	if _, err := out.ReadFrom(z); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// openLibrary serves the compiled standard library; members are unpacked when the guest opens them.
func openLibrary() (*zip.Reader, error) {
	b, err := product("stdlib.zip")
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(b), int64(len(b)))
}
