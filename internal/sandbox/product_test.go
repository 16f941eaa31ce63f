package sandbox

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestProducts checks the embedded files against the sums the build wrote, and that the licences of everything in them
// are there.
func TestProducts(t *testing.T) {
	sums, err := product("SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for sc := bufio.NewScanner(bytes.NewReader(sums)); sc.Scan(); seen++ {
		want, name, ok := strings.Cut(sc.Text(), "  ")
		if !ok {
			t.Fatalf("bad line %q", sc.Text())
		}
		b, err := product(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: sha256 %s, SHA256SUMS says %s", name, got, want)
		}
		if len(b) > 5<<20 {
			t.Errorf("%s has %d bytes, more than 5 MiB", name, len(b))
		}
	}
	if seen != 3 {
		t.Errorf("%d products, want 3", seen)
	}
	licences, err := os.ReadFile("cpython/LICENSES")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"PYTHON SOFTWARE FOUNDATION LICENSE", "HACL*", "libmpdec", "expat", "wasi-libc", "compiler-rt", "musl",
		"Apache License"} {
		if !strings.Contains(strings.ToLower(string(licences)), strings.ToLower(part)) {
			t.Errorf("LICENSES lacks %q", part)
		}
	}
}

// TestProductsHoldNoBuildPaths makes sure that another machine can build the same bytes.
func TestProductsHoldNoBuildPaths(t *testing.T) {
	mem, err := unpack("snapshot.bin.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range regexp.MustCompile(`\x00/[^\x00]*(Python-3\.13\.5|/native/|/wasm/)`).FindAllIndex(mem, -1) {
		t.Errorf("the snapshot holds a path of the build machine: %q", mem[max(0, at[0]-40):at[1]+40])
	}
}
