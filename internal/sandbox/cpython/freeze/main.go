// Command freeze turns the linked interpreter into what the sandbox embeds: it starts it once, runs boot.py, and
// writes the resulting memory (snapshot.bin) and the module without its data (module.wasm), which is meant to be
// instantiated over that memory. It is a build tool, run by build.sh only; it is not part of deeprepo.
package main

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

func main() {
	module := flag.String("module", "full.wasm", "linked interpreter")
	stdlib := flag.String("stdlib", "stdlib.zip", "compiled standard library")
	boot := flag.String("boot", "boot.py", "program run before the snapshot")
	out := flag.String("out", ".", "folder for module.wasm and snapshot.bin")
	flag.Parse()
	if err := freeze(context.Background(), *module, *stdlib, *boot, *out); err != nil {
		fmt.Fprintln(os.Stderr, "freeze:", err)
		os.Exit(1)
	}
}

func freeze(ctx context.Context, module, stdlib, boot, out string) error {
	wasm, err := os.ReadFile(module)
	if err != nil {
		return err
	}
	source, err := os.ReadFile(boot)
	if err != nil {
		return err
	}
	lib, err := zip.OpenReader(stdlib)
	if err != nil {
		return err
	}
	defer lib.Close()
	stripped, err := withoutData(wasm)
	if err != nil {
		return err
	}

	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithMemoryLimitPages(4096))
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	if err := instantiateHost(ctx, r); err != nil {
		return err
	}
	// The clock is the sandbox's: fixed at the start, a microsecond a look.
	var clock int64
	look := func() int64 { clock += 1000; return clock }
	m, err := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithStartFunctions("_initialize").
		WithFSConfig(wazero.NewFSConfig().WithFSMount(lib, "/py/lib")).
		WithNanotime(look, 1000).
		WithWalltime(func() (int64, int32) { t := look(); return 1767225600 + t/1e9, int32(t % 1e9) }, 1000))
	if err != nil {
		return err
	}
	call := func(name string, args ...uint64) (uint64, error) {
		res, err := m.ExportedFunction(name).Call(ctx, args...)
		if err != nil || len(res) == 0 {
			return 0, err
		}
		return res[0], nil
	}
	if rc, err := call("dr_init"); err != nil || rc != 0 {
		return fmt.Errorf("interpreter did not start: %d %w", int32(rc), err)
	}
	p, err := call("dr_alloc", uint64(len(source)+1))
	if err != nil {
		return err
	}
	m.Memory().Write(uint32(p), append(source, 0))
	if rc, err := call("dr_boot", p); err != nil || rc != 0 {
		return fmt.Errorf("boot program failed: %d %w", int32(rc), err)
	}
	const tidy = 3
	if rc, err := call("dr_enter", tidy, 0, p, 0); err != nil || rc != 0 {
		return fmt.Errorf("heap was not tidied: %d %w", int32(rc), err)
	}
	if _, err := call("dr_free", p); err != nil {
		return err
	}
	if _, err := call("dr_setfuel", 20000); err != nil {
		return err
	}
	mem, _ := m.Memory().Read(0, m.Memory().Size())
	if err := os.WriteFile(filepath.Join(out, "snapshot.bin"), mem, 0o644); err != nil {
		return err
	}
	fmt.Printf("module %d bytes, without data %d, snapshot %d, clock %d ns\n", len(wasm), len(stripped), len(mem), clock)
	return os.WriteFile(filepath.Join(out, "module.wasm"), stripped, 0o644)
}

func instantiateHost(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder("dr")
	export := func(name string, f any) { b.NewFunctionBuilder().WithFunc(f).Export(name) }
	export("tick", func(int64) int64 { return 20000 })
	export("ran", func(int64) int64 { return 20000 })
	export("out", func(_ context.Context, m api.Module, _, p, n uint32) {
		text, _ := m.Memory().Read(p, n)
		os.Stderr.Write(text)
	})
	export("ended", func(uint32) {})
	export("call", func(_, _, _, _ uint32) int32 { return -1 })
	export("take", func(uint32) {})
	export("result", func(_ context.Context, m api.Module, _, p, n uint32) {
		text, _ := m.Memory().Read(p, n)
		fmt.Fprintf(os.Stderr, "%s\n", text)
	})
	_, err := b.Instantiate(ctx)
	return err
}

// withoutData drops the data, data count and custom sections of a WebAssembly module.
func withoutData(b []byte) ([]byte, error) {
	if len(b) < 8 {
		return nil, errors.New("not a WebAssembly module")
	}
	out := append([]byte(nil), b[:8]...)
	for i := 8; i < len(b); {
		n, w := binary.Uvarint(b[i+1:])
		end := i + 1 + w + int(n)
		if w <= 0 || end > len(b) {
			return nil, errors.New("damaged WebAssembly module")
		}
		const custom, data, dataCount = 0, 11, 12
		if id := b[i]; id != custom && id != data && id != dataCount {
			out = append(out, b[i:end]...)
		}
		i = end
	}
	return out, nil
}
