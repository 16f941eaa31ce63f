package localisation

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// from reads files out of a map.
func from(files map[string]string) func(string) (string, bool) {
	return func(path string) (string, bool) { text, ok := files[path]; return text, ok }
}

func TestApply(t *testing.T) {
	const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	files := map[string]string{"a/ten.py": ten, "open.py": "x", "dos.py": "1\r\n2\r\n3\r\n", "twice.py": "a\nb\na\nb\n", "empty.py": ""}
	head := "--- a/a/ten.py\n+++ b/a/ten.py\n"
	for name, c := range map[string]struct {
		patch string
		want  map[string]string // "" for a file that is gone
	}{
		"at its place":    {head + "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n", map[string]string{"a/ten.py": strings.Replace(ten, "5", "five", 1)}},
		"some lines away": {head + "@@ -1,3 +2,3 @@ f\n 1\n-2\n+two\n 3\n", map[string]string{"a/ten.py": strings.Replace(ten, "2", "two", 1)}},
		"two hunks": {head + "@@ -2,2 +2,4 @@\n 2\n+a\n+b\n 3\n@@ -9,2 +11,1 @@\n 9\n-10\n",
			map[string]string{"a/ten.py": "1\n2\na\nb\n3\n4\n5\n6\n7\n8\n9\n"}},
		"new, without a line end": {"--- /dev/null\n+++ b/n/n.py\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n", map[string]string{"n/n.py": "a\nb"}},
		"gone":                    {"--- a/open.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n", map[string]string{"open.py": ""}},
		"a line end comes":        {"--- a/open.py\n+++ b/open.py\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n", map[string]string{"open.py": "x\n"}},
		"all its lines go":        {"--- a/open.py\n+++ b/open.py\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n", map[string]string{"open.py": "\x00"}},
		"moved":                   {"diff --git a/open.py b/o/p.py\nrename from open.py\nrename to o/p.py\n", map[string]string{"open.py": "", "o/p.py": "x"}},
		"line ends of DOS":        {"--- a/dos.py\n+++ b/dos.py\n@@ -1,3 +1,3 @@\n 1\r\n-2\r\n+two\r\n 3\r\n", map[string]string{"dos.py": "1\r\ntwo\r\n3\r\n"}},
		"the nearest of two":      {"--- a/twice.py\n+++ b/twice.py\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n", map[string]string{"twice.py": "a\nb\na\nc\n"}},
		"a new empty file":        {"diff --git a/e.py b/e.py\nnew file mode 100644\nindex 0000000..e69de29\n", map[string]string{"e.py": "\x00"}},
		"an empty file goes":      {"diff --git a/empty.py b/empty.py\ndeleted file mode 100644\n", map[string]string{"empty.py": ""}},
	} {
		got, err := Apply(from(files), c.patch)
		plain := map[string]string{}
		for path, text := range got {
			switch {
			case text == nil:
				plain[path] = ""
			case *text == "":
				plain[path] = "\x00"
			default:
				plain[path] = *text
			}
		}
		if d := cmp.Diff(c.want, plain); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	files := map[string]string{"x.py": "1\n2\n3\n4\n", "y.py": "1\n"}
	head := "--- a/x.py\n+++ b/x.py\n"
	for name, c := range map[string]struct {
		patch, want string
		none        bool // it is no patch of texts at all
	}{
		"other context":       {head + "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n three\n", `"x.py", hunk 1 of 1: its old lines are not in the file`, false},
		"white space":         {head + "@@ -1,3 +1,3 @@\n 1\n-2 \n+two\n 3\n", "its old lines are not in the file", false},
		"not at the end":      {head + "@@ -2,2 +2,2 @@\n 2\n-3\n+three\n", "its old lines are not in the file", false},
		"not at the start":    {head + "@@ -1,2 +1,2 @@\n-2\n+two\n 3\n", "its old lines are not in the file", false},
		"what a hunk has set": {head + "@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n@@ -2,3 +2,3 @@\n 2\n-three\n+3\n 4\n", "hunk 2 of 2", false},
		"one of two":          {"--- a/y.py\n+++ b/y.py\n@@ -1 +1 @@\n-1\n+one\n" + head + "@@ -1 +1 @@\n-9\n+8\n", `"x.py"`, false},
		"no such file":        {"--- a/z.py\n+++ b/z.py\n@@ -1 +1 @@\n-1\n+2\n", `"z.py" does not exist`, false},
		"there already":       {"--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+1\n", `"x.py" exists already`, false},
		"moved onto another":  {"diff --git a/x.py b/y.py\nrename from x.py\nrename to y.py\n", `"y.py" exists already`, false},
		"not all is deleted":  {"--- a/x.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", "its old lines are not in the file", false},
		"leads out":           {"--- /dev/null\n+++ b/../x.py\n@@ -0,0 +1 @@\n+1\n", "no path in a repository", true},
		"two names":           {"--- a/x.py\n+++ b/y.py\n@@ -1 +1 @@\n-1\n+2\n", "two files", true},
		"binary":              {"diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n", "a binary file", true},
		"a link":              {"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n", "a symbolic link", true},
		"no hunk":             {head, `no hunk stands behind "x.py"`, true},
		"no hunk's header":    {head + "@@\n 1\n-2\n+two\n", `no hunk stands behind "x.py"`, true},
		"nothing":             {"", "changes nothing", true},
	} {
		got, err := Apply(from(files), c.patch)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrPatch) != c.none {
			t.Errorf("%s: %v and %v, want %q", name, got, err, c.want)
		}
	}
	long := strings.Repeat("a\n", 200_000)
	slow := fmt.Sprintf("--- a/l\n+++ b/l\n@@ -2,20001 +2,20001 @@\n%s-b\n+c\n d\n", strings.Repeat(" a\n", 19_999))
	if _, err := Apply(from(map[string]string{"l": long}), slow); err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("%v", err)
	}
}

// TestApplyAsGit has git apply the same patches, among them many that fit some lines away or nowhere.
func TestApplyAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	r := rand.New(rand.NewPCG(1, 2))
	lines := func(n int) []string { // of few kinds, so that there are many places that nearly fit
		var out []string
		for range n {
			out = append(out, string(rune('a'+r.IntN(3)))+"\n")
		}
		return out
	}
	applied := 0
	for i := range 120 {
		old := lines(3 + r.IntN(12))
		var hunks strings.Builder
		moved := 0
		for at := 0; at+2 < len(old) && hunks.Len() < 60; at += 4 + r.IntN(4) { // one hunk or more, some of them spoilt
			end := min(len(old), at+3)
			body, plus := old[at:end], lines(r.IntN(3))
			from, to := at+1, at+1+moved
			if r.IntN(3) == 0 {
				from += r.IntN(5)
				to = max(0, to+r.IntN(7)-3)
			}
			fmt.Fprintf(&hunks, "@@ -%d,%d +%d,%d @@\n %s-%s", from, len(body), to, len(body)-1+len(plus), body[0], body[1])
			for _, l := range plus {
				hunks.WriteString("+" + l)
			}
			for _, l := range body[2:] {
				hunks.WriteString(" " + l)
			}
			moved += len(plus) - 1
		}
		before := old
		if r.IntN(2) == 0 {
			before = append(lines(r.IntN(3)), old...)
		}
		patch := "--- a/x\n+++ b/x\n" + hunks.String()
		dir := t.TempDir()
		text := strings.Join(before, "")
		if err := os.WriteFile(filepath.Join(dir, "x"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(git, "apply", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
		gitErr := cmd.Run()
		want, err := os.ReadFile(filepath.Join(dir, "x"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Apply(from(map[string]string{"x": text}), patch)
		switch {
		case (err == nil) != (gitErr == nil):
			t.Fatalf("patch %d: %v, git %v\n%s\n%q", i, err, gitErr, patch, text)
		case err == nil && *got["x"] != string(want):
			t.Fatalf("patch %d: %q, git %q\n%s\n%q", i, *got["x"], want, patch, text)
		case err == nil:
			applied++
		}
	}
	if applied < 25 || applied > 110 {
		t.Errorf("%d of 120 patches are applied: too few or too many to say much", applied)
	}
}

func TestParses(t *testing.T) {
	parser := runtest.Parser(t)
	files := map[string]string{"good.py": "x = 1\n", "bad.py": "def f(:\n", "notes": "def f(:\n"}
	for name, c := range map[string]struct {
		after Texts
		want  *bool
	}{
		"right":                     {Texts{"good.py": new("x = 2\n")}, new(true)},
		"wrong":                     {Texts{"good.py": new("x = (\n")}, new(false)},
		"a new file, wrong":         {Texts{"new.py": new("x = (\n")}, new(false)},
		"wrong before":              {Texts{"bad.py": new("def g(:\n"), "good.py": new("")}, nil},
		"mended":                    {Texts{"bad.py": new("def f(): pass\n")}, new(true)},
		"wrong before, and another": {Texts{"bad.py": new("def g(:\n"), "good.py": new("x = (\n")}, new(false)},
		"no language":               {Texts{"notes": new("x = (\n")}, nil},
		"gone":                      {Texts{"good.py": nil}, nil},
	} {
		got, err := Parses(t.Context(), parser, from(files), c.after)
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
}

// FuzzApply applies any text to files: nothing but a path in the repository comes out, and the edits of a file say what became of it.
func FuzzApply(f *testing.F) {
	f.Add(gitPatch)
	f.Add("--- a/x\n+++ b/x\n@@ -1,0 +2,1 @@\n+a\n\\ No newline\n")
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n+z\n a\n-b\n+c\n")
	f.Add("diff --git a/0\ndeleted file mode ")
	f.Add("diff --git a/e b/e\nnew file mode 100644\ndiff --git a/x b/x\ndeleted file mode 100644\n")
	f.Fuzz(func(t *testing.T, patch string) {
		files := map[string]string{"x": "a\nb\n", "lib/gone.py": "gone\ngone"}
		got, err := Apply(from(files), patch)
		if err == nil && len(got) == 0 {
			t.Error("a patch that changes nothing is applied")
		}
		for path := range got {
			if path == "" || strings.HasPrefix(path, "/") || strings.Contains("/"+path+"/", "/../") {
				t.Errorf("path %q", path)
			}
		}
		changes, err := ParsePatch(patch)
		for _, c := range changes {
			left, fits := newApplying(from(files)).file(c)
			if err != nil || fits != nil || c.Old == "" {
				continue
			}
			old, after, rebuilt, done := splitLines(files[c.Old]), splitLines(left.text()), []string{}, 0
			for _, e := range left.edits(len(old)) {
				rebuilt = append(append(rebuilt, old[done:e.behind]...), after[e.at-1:e.at-1+e.come]...)
				done = e.behind + e.gone
			}
			if rebuilt = append(rebuilt, old[done:]...); strings.Join(rebuilt, "") != left.text() {
				t.Errorf("the edits make %q of %q, and it became %q", rebuilt, old, after)
			}
		}
	})
}
