package syntax

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModuleIsWhatWasBuilt(t *testing.T) {
	code, err := decompress(module)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("wasm/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"grammars.wasm.zst": module, "grammars.wasm": code}
	checked := 0
	for lines := bufio.NewScanner(bytes.NewReader(sums)); lines.Scan(); checked++ {
		want, name, _ := strings.Cut(lines.Text(), "  ")
		data, ok := files[name]
		if !ok {
			t.Fatalf("sum of %q", name)
		}
		got := sha256.Sum256(data)
		if hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not what build.sh made", name)
		}
	}
	if checked != len(files) {
		t.Errorf("%d sums, want %d", checked, len(files))
	}
}

// The module must have no way out but the question whether to stop.
func TestModuleImportsOneFunction(t *testing.T) {
	p := OpenForTest(t, Config{})
	defer p.Close()
	for _, f := range p.module.ImportedFunctions() {
		if module, name, _ := f.Import(); module != "host" || name != "stop" {
			t.Errorf("the module imports %s.%s", module, name)
		}
	}
}

// A parse that takes memory or breaks must not leave its instance behind.
func TestInstanceIsReplaced(t *testing.T) {
	p := OpenForTest(t, Config{Instances: 1})
	defer p.Close()
	kept := func(src string) bool {
		t.Helper()
		in, err := p.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p.giveBack(in)
		if _, err := p.Parse(t.Context(), "c", []byte(src)); err != nil {
			t.Log(err)
		}
		return len(p.idle) == 1 && p.idle[0] == in
	}
	if !kept("int a;\n") {
		t.Error("an ordinary parse replaced the instance")
	}
	if kept(strings.Repeat("%w[", 4000)) {
		t.Error("the instance stayed after a parse that trapped")
	}
	if kept(strings.Repeat("f(a, b);\n", 100_000)) {
		t.Error("the instance stayed with its memory grown")
	}
	in, err := p.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	in.broken = true
	p.giveBack(in)
	if len(p.idle) != 0 {
		t.Error("a broken instance stayed")
	}
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	works := func(when string) {
		t.Helper()
		p, err := Open(t.Context(), Config{CacheDir: dir})
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		defer p.Close()
		if _, err := p.Parse(t.Context(), "c", []byte("int a;")); err != nil {
			t.Errorf("%s: %v", when, err)
		}
	}
	files := func() (out []string) {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				out = append(out, path)
			}
			return err
		})
		return out
	}
	works("new")
	if len(files()) == 0 {
		t.Fatal("nothing was cached")
	}
	works("cached")
	for _, f := range files() {
		code, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, code[:len(code)/2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	works("cut short")
	dir = filepath.Join(files()[0], "below a file")
	works("impossible")
}

func TestDecodeRefusesBadTrees(t *testing.T) {
	// one node: kind, field, start, end, row, last, parent, previous, size
	node := func(words ...uint32) []byte {
		b := make([]byte, 0, recordSize)
		for _, w := range append([]uint32{1}, words...) {
			b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
		return b
	}
	root, leaf := node(0, 9, 0, 0, 0, 0, 2), node(1, 2, 0, 0, 0, 0, 1)
	for name, c := range map[string]struct {
		data []byte
		ok   bool
	}{
		"good":             {append(bytes.Clone(root), leaf...), true},
		"empty":            {nil, false},
		"root too small":   {node(0, 9, 0, 0, 0, 0, 2), false},
		"past the source":  {node(0, 11, 0, 0, 0, 0, 1), false},
		"ends before":      {node(3, 2, 0, 0, 0, 0, 1), false},
		"lines reversed":   {node(0, 9, 2, 1, 0, 0, 1), false},
		"parent after":     {append(bytes.Clone(root), node(1, 2, 0, 0, 1, 0, 1)...), false},
		"previous after":   {append(bytes.Clone(root), node(1, 2, 0, 0, 0, 7, 1)...), false},
		"subtree too long": {append(bytes.Clone(root), node(1, 2, 0, 0, 0, 0, 2)...), false},
		"no subtree":       {append(bytes.Clone(root), node(1, 2, 0, 0, 0, 0, 0)...), false},
		"outside parent":   {append(bytes.Clone(root), node(1, 10, 0, 0, 0, 0, 1)...), false},
	} {
		if _, err := decode(c.data, 10); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
