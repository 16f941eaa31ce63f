package syntax

import (
	_ "embed"

	"github.com/klauspost/compress/zstd"
)

// module is the WebAssembly module that wasm/build.sh makes, compressed.
//
//go:embed wasm/grammars.wasm.zst
var module []byte

// decompress unpacks the module.
func decompress(packed []byte) ([]byte, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}
