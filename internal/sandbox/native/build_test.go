package native

import (
	"archive/tar"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archived is an archive of files of such names, each with its name as its text.
func archived(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Typeflag == 0 {
			h.Typeflag, h.Size = tar.TypeReg, int64(len(h.Name))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write([]byte(h.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestUnpack takes what a compiler left, and nothing that would lie elsewhere.
func TestUnpack(t *testing.T) {
	dir := t.TempDir()
	err := unpack(bytes.NewReader(archived(t, tar.Header{Name: "./main"}, tar.Header{Name: "./a/b/Main.class"},
		tar.Header{Name: "./l", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, tar.Header{Name: "./d/", Typeflag: tar.TypeDir})), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main", "a/b/Main.class"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "./"+name {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "l")); err == nil {
		t.Error("a link was made")
	}
	for _, name := range []string{"../up", "/absolute", "a/../../up"} {
		if err := unpack(bytes.NewReader(archived(t, tar.Header{Name: name})), dir); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	many := make([]tar.Header, maxArtifacts+1)
	for i := range many {
		many[i].Name = "x"
	}
	if err := unpack(bytes.NewReader(archived(t, many...)), dir); err == nil {
		t.Error("too many were taken")
	}
}

// FuzzUnpack reads what the jail of a compiler may send.
func FuzzUnpack(f *testing.F) {
	whole := archived(f, tar.Header{Name: "./main"}, tar.Header{Name: "a/b"})
	for _, seed := range [][]byte{nil, whole, whole[:700], archived(f, tar.Header{Name: "../up"})} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		outer := t.TempDir()
		dir := filepath.Join(outer, "in")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		_ = unpack(bytes.NewReader(raw), dir)
		for name, data := range fetched(bytes.NewReader(raw), []string{"main", "a/b"}) {
			if name != "main" && name != "a/b" || len(data) > fetchBytes {
				t.Errorf("%s, %d bytes, was fetched", name, len(data))
			}
		}
		_ = filepath.WalkDir(outer, func(path string, d fs.DirEntry, err error) error {
			if path != outer && !within(path, dir) || d != nil && d.Type()&fs.ModeSymlink != 0 {
				t.Errorf("%s was made", path)
			}
			return err
		})
	})
}

// FuzzMainClass finds a class in whatever a model wrote, and its compiler's words in whatever that says.
func FuzzMainClass(f *testing.F) {
	for _, seed := range []string{"", "class A {} class B { static void main(", "public final class C { }",
		"package a.b;\nrecord R() { public static final void main (",
		"public class ../x", "Main.java:12: error: x", "main.cpp:3:4: error", "main.sh: line 7: x", "error: a\n# b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name := mainClass(text); name == "" || strings.ContainsAny(name, "/. \n\x00-") || name[0] >= '0' && name[0] <= '9' {
			t.Errorf("%q", name)
		}
		if name := runnable(text); strings.ContainsAny(name, "/ \n\x00-") {
			t.Errorf("%q", name)
		}
		if n := lineOf(text, "main.cpp"); n < 0 {
			t.Errorf("line %d", n)
		}
		if e := firstError(text); len(e) > 1100 || strings.Contains(e, "\n") {
			t.Errorf("%q", e)
		}
	})
}

func TestMainClass(t *testing.T) {
	for code, want := range map[string]string{
		"": "Main",
		"class Problem { public static void main(String[] a) {} }":                              "Problem",
		"class A {} class B { static class C {} } public class D { static void main(String[] a": "D",
		"package x.y;\nenum E { A; public static void main(String... a) {} }":                   "x.y.E",
		"class A { public static void main(String[] a) {} } class B { }":                        "A",
		"interface I {} public abstract strictfp class K {} class M { static void main(":        "K",
	} {
		if got := runnable(code); got != want {
			t.Errorf("%s: %s, not %s", code, got, want)
		}
	}
}

func TestLineOf(t *testing.T) {
	for text, want := range map[string]int{
		"/box/tree/main.cpp:12:3: error: x": 12, "tree/main.cpp: line 4: x": 4, "main.go:3": 0, "": 0, "main.cpp:99999999999999999999": 0,
	} {
		if got := lineOf(text, "main.cpp"); got != want {
			t.Errorf("%s: %d, not %d", text, got, want)
		}
	}
}
