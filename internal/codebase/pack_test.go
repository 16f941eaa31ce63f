package codebase

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// same fails where two codebases differ in anything that can be asked of them.
func same(t *testing.T, want, got *Codebase) {
	t.Helper()
	type all struct {
		Root, Commit, Hash, Tree, Cut string
		Paths, Entries, Warnings      []string
		Files                         []File
		Texts                         []string
		Skipped                       []Skip
		Stats                         Stats
	}
	view := func(c *Codebase) all {
		return all{c.Root(), c.Commit(), c.Hash(), c.Tree(0), c.Tree(100), c.Paths(), c.EntryPoints(), c.Warnings(), c.files, c.texts,
			c.Skipped(), c.Stats()}
	}
	if diff := cmp.Diff(view(want), view(got)); diff != "" {
		t.Error(diff)
	}
}

// A codebase of this repository, one of texts that stand nowhere, one with all kinds of skips, and an empty one.
func TestUnpackGivesWhatWasPacked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.py": "if __name__ == \"__main__\":\n    pass", "a/latin.py": "# caf\xe9\n", "a/bom.go": "\xEF\xBB\xBFpackage a\n", "empty.py": "",
		"big.py": strings.Repeat("x = 1\n", 1<<18), "bin.dat": "\x00\x01\x02", "go.sum": "x", "node_modules/a.js": "1", "head.h": "class X {};\n",
		".deeprepoignore": "hidden/\n", "hidden/h.py": "a = 1\n", "a/nul.py": "x = 1 # \x00\n" + strings.Repeat("y = 2\n", 40),
		"Dockerfile": "CMD python main.py\n",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mixed, err := Load(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(mixed.Skipped()) < 4 || len(mixed.EntryPoints()) == 0 {
		t.Fatalf("skipped %v, entry points %v", mixed.Skipped(), mixed.EntryPoints())
	}
	own, err := Load(context.Background(), ".", Options{})
	if err != nil {
		t.Fatal(err)
	}
	odd := assemble("/tmp/\xff", "", nil, nil)
	odd.skipped = []Skip{{Path: "a", Why: "w", By: ByUser, Bytes: 3, Lines: Unknown}, {Path: "a", Why: "w", By: ByProgram, Source: true}}
	odd.warned = []string{"git gave no answer"}
	for name, c := range map[string]*Codebase{"mixed": mixed, "own": own, "odd": odd, "empty": FromMap(nil),
		"map": FromMap(map[string]string{"x.py": "a\xffb", "\xff.go": "package x\n", "x.txt": "→"})} {
		t.Run(name, func(t *testing.T) {
			packed, err := c.Pack()
			if err != nil {
				t.Fatal(err)
			}
			got, err := Unpack(packed)
			if err != nil {
				t.Fatal(err)
			}
			same(t, c, got)
			if again, err := got.Pack(); err != nil || !bytes.Equal(again, packed) {
				t.Errorf("packed again it differs: %v", err)
			}
		})
	}
	if packed, _ := own.Pack(); len(packed) > own.Stats().Chars/3 {
		t.Errorf("%d characters of source take %d bytes", own.Stats().Chars, len(packed))
	}
}

func TestPackRefusesNUL(t *testing.T) {
	for _, files := range []map[string]string{{"a.py": "x\x00"}, {"a\x00.py": "x"}} {
		if _, err := FromMap(files).Pack(); err == nil || !strings.Contains(err.Error(), "NUL") {
			t.Errorf("%q: %v", files, err)
		}
	}
	if _, err := FromMap(map[string]string{"a.py": strings.Repeat("x", 1000)}).pack(1000); err == nil {
		t.Error("a codebase above the limit was packed")
	}
}

func squeeze(t testing.TB, plain []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	return z.EncodeAll(plain, nil)
}

// raw is a packed codebase before it is compressed: strings with their lengths, numbers as they are.
func raw(parts ...any) []byte {
	out := []byte(packMark)
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out = append(binary.AppendVarint(out, int64(len(p))), p...)
		case int:
			out = binary.AppendVarint(out, int64(p))
		}
	}
	return out
}

func TestUnpackRefusesWhatIsHostile(t *testing.T) {
	good := raw("/r", "", 1, "a.py", 6, "x = 1\n", 1, "b.bin", "binary", "codebase", 0, 9, -1, 1, "warned")
	if c, err := unpack(squeeze(t, good), int64(len(good))); err != nil || c.Stats().Lines != 1 {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		plain []byte
		want  string
	}{
		"nothing":               {nil, "unexpected EOF"},
		"another thing":         {[]byte(strings.Repeat("x", 100)), "another version"},
		"cut":                   {good[:len(good)-3], "unexpected EOF"},
		"more":                  {append(bytes.Clone(good), 0), "something follows"},
		"twice":                 {raw("", "", 2, "a", 1, "x", "a", 1, "x", 0, 0), "not in order"},
		"unsorted":              {raw("", "", 2, "b", 1, "x", "a", 1, "x", 0, 0), "not in order"},
		"no UTF-8":              {raw("", "", 1, "a", 1, "\xff", 0, 0), "not UTF-8"},
		"a path of no UTF-8":    {raw("", "", 1, "\xff", 1, "", 0, 0), "not UTF-8"},
		"NUL":                   {raw("", "", 1, "a", 1, "x\x00", 0, 0), "NUL"},
		"NUL in a path":         {raw("", "", 1, "a\x00b", 1, "x", 0, 0), "NUL"},
		"NUL in a skip":         {raw("", "", 0, 1, "a\x00", "w", "user", 0, 0, 0, 0), "NUL"},
		"NUL in a warning":      {raw("", "", 0, 0, 1, "\x00"), "NUL"},
		"a negative size":       {raw("", "", 1, "a", -1, "x", 0, 0), "-1 bytes"},
		"a skip of minus lines": {raw("", "", 0, 1, "a", "w", "user", 0, 0, -2, 0), "-2 lines"},
		"a skip of minus bytes": {raw("", "", 0, 1, "a", "w", "user", 0, -2, 0, 0), "-2 bytes"},
		"a long list":           {raw("", "", 1<<40), "a list of"},
		"a negative list":       {raw("", "", -1), "a list of"},
		"a negative string":     {raw(-5), "too large"},
		"a claimed string":      {raw(1 << 40), "too large"},
		"a bomb":                {raw("", "", 1, "a", 1, strings.Repeat("x", 1<<20), 0, 0), "too large"},
		"a bomb of files":       {raw("", "", 1<<21, strings.Repeat("\x00", 1<<17)), "too large"},
		"a bomb of warnings":    {append(raw("", "", 0, 0, 1<<20), make([]byte, 1<<20)...), "too large"},
	} {
		if _, err := unpack(squeeze(t, tt.plain), 1<<16); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if _, err := Unpack([]byte("no zstd")); err == nil {
		t.Error("what is not compressed was taken")
	}
	if packed := squeeze(t, good); func() bool { packed[len(packed)-1] ^= 1; _, err := Unpack(packed); return err == nil }() {
		t.Error("a damaged checksum was taken")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(raw("/r", "c", 1, "a.py", 6, "x = 1\n", 1, "b.bin", "binary", "codebase", 0, 9, -1, 1, "warned"), true)
	f.Add(raw("", "", 2, "a", 1, "x", "a", 1, "x", 0, 0), true)
	f.Add([]byte("(\xb5/\xfd"), false)
	f.Fuzz(func(t *testing.T, data []byte, compress bool) {
		if compress {
			data = squeeze(t, data)
		}
		c, err := unpack(data, 1<<20)
		if err != nil {
			return
		}
		packed, err := c.Pack()
		if err != nil {
			t.Fatalf("what was unpacked cannot be packed: %v", err)
		}
		again, err := Unpack(packed)
		if err != nil {
			t.Fatal(err)
		}
		same(t, c, again)
	})
}
