package localisation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read is what a change says of its file: each hunk as where it begins in the old file and the lines in it.
type read struct {
	Old, New string
	Hunks    [][2]int
}

func reads(changes []FileChange) (out []read) {
	for _, c := range changes {
		of := read{Old: c.Old, New: c.New}
		for _, h := range c.hunks {
			of.Hunks = append(of.Hunks, [2]int{h.oldAt, len(h.lines)})
		}
		out = append(out, of)
	}
	return out
}

// gitPatch changes, adds, deletes, moves and touches files as git writes it.
const gitPatch = `From: somebody
Subject: a fix

--- nothing of a patch
@@ -1 +1 @@ neither
-x
+y

diff --git a/lib/area.py b/lib/area.py
index 111..222 100644
--- a/lib/area.py
+++ b/lib/area.py
@@ -3,5 +3,6 @@ def area(r):
 a
-b
--- looks like a header
+c
+++ looks like one too
+d
 e
 f
@@ -20 +21,2 @@
 x
+y
diff --git a/lib/new.py b/lib/new.py
new file mode 100644
--- /dev/null
+++ b/lib/new.py
@@ -0,0 +1 @@
+new
diff --git a/lib/gone.py b/lib/gone.py
deleted file mode 100644
--- a/lib/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-gone
-gone
\ No newline at end of file
diff --git a/lib/from.py b/lib/to.py
similarity index 90%
rename from lib/from.py
rename to lib/to.py
--- a/lib/from.py
+++ b/lib/to.py
@@ -7,0 +8 @@
+more
diff --git a/lib/moved.py b/pkg/moved.py
similarity index 100%
rename from lib/moved.py
rename to pkg/moved.py
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
diff --git "a/lib/gr\303\274n.py" "b/lib/gr\303\274n.py"
--- "a/lib/gr\303\274n.py"
+++ "b/lib/gr\303\274n.py"
@@ -1 +1 @@
-1
+2
diff --git a/tests/test_area.py b/tests/test_area.py
--- a/tests/test_area.py
+++ b/tests/test_area.py
@@ -1 +1 @@
-1
+2
`

func TestParsePatch(t *testing.T) {
	got, err := ParsePatch(gitPatch)
	if err != nil {
		t.Fatal(err)
	}
	want := []read{
		{Old: "lib/area.py", New: "lib/area.py", Hunks: [][2]int{{3, 8}, {20, 2}}},
		{Old: "", New: "lib/new.py", Hunks: [][2]int{{0, 1}}},
		{Old: "lib/gone.py", New: "", Hunks: [][2]int{{1, 2}}},
		{Old: "lib/from.py", New: "lib/to.py", Hunks: [][2]int{{7, 1}}},
		{Old: "lib/moved.py", New: "pkg/moved.py", Hunks: nil},
		{Old: "lib/grün.py", New: "lib/grün.py", Hunks: [][2]int{{1, 2}}},
		{Old: "tests/test_area.py", New: "tests/test_area.py", Hunks: [][2]int{{1, 2}}},
	}
	if d := cmp.Diff(want, reads(got)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"lib/area.py", "lib/gone.py", "lib/from.py", "lib/moved.py", "lib/grün.py"}, GoldFiles(got)); d != "" {
		t.Errorf("gold files are what exists before and is no test: %s", d)
	}
	dos, err := ParsePatch(strings.ReplaceAll(gitPatch, "\n", "\r\n"))
	if err != nil || !cmp.Equal(want, reads(dos)) {
		t.Errorf("with the line ends of DOS: %v, %v", dos, err)
	}
}

func TestGoldFiles(t *testing.T) {
	of := func(names ...string) []FileChange {
		var changes []FileChange
		for _, n := range names {
			changes = append(changes, FileChange{Old: n, New: n})
		}
		return changes
	}
	for name, c := range map[string]struct {
		changes []FileChange
		want    []string
	}{
		"change logs are not gold": {of("CHANGES.rst", "lib/a.py", "CHANGELOG", "NEWS.txt", "docs/api.md"), []string{"lib/a.py"}},
		"unless there is nothing else": {of("CHANGES.rst", "docs/api.md", "tests/test_a.py", "CHANGES.rst"),
			[]string{"CHANGES.rst", "docs/api.md"}},
		"programs and settings are":  {of("changes.py", "requirements.txt", "docs/conf.py", "lib/newsletter.py"), []string{"changes.py", "requirements.txt", "docs/conf.py", "lib/newsletter.py"}},
		"tests are not":              {of("lib/tests/x.py", "test_y.py", "conftest.py"), nil},
		"new files cannot be found":  {[]FileChange{{New: "lib/new.py"}}, nil},
		"a file twice is one":        {of("lib/a.py", "lib/a.py"), []string{"lib/a.py"}},
		"a file that goes, or moves": {[]FileChange{{Old: "a.py"}, {Old: "b.py", New: "c.py"}}, []string{"a.py", "b.py"}},
	} {
		if d := cmp.Diff(c.want, GoldFiles(c.changes)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestParsePlainDiff(t *testing.T) {
	plain := "Only in b: x\n--- old/area.py\t2020-01-01 10:00:00\n+++ new/area.py\t2020-01-02\n@@ -1,3 +1,3 @@\n 1\n\n-2\n+3\n--- " +
		"a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-1\n+2\n"
	got, err := ParsePatch(plain)
	want := []read{{Old: "old/area.py", New: "new/area.py", Hunks: [][2]int{{1, 4}}}, {Old: "b.py", New: "b.py", Hunks: [][2]int{{1, 2}}}}
	if d := cmp.Diff(want, reads(got)); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestParsePatchErrors(t *testing.T) {
	head := "--- a/x.py\n+++ b/x.py\n"
	for name, c := range map[string]struct{ patch, want string }{
		"ends early":     {head + "@@ -1,2 +1,2 @@\n a\n-b", "line 6: the hunk ends too early: 0 old and 1 new lines are missing"},
		"too many lines": {head + "@@ -1 +1 @@\n-a\n-b\n+c", `line 5: "-b" does not fit into its hunk`},
		"other text":     {head + "@@ -1 +1 @@\n-a\nnonsense", `line 5: "nonsense" does not fit into its hunk`},
		"no counts":      {head + "@@ -x +1 @@\n", `line 3: "@@ -x +1 @@" is no hunk header`},
		"negative":       {head + "@@ -1,-1 +1 @@\n", `is no hunk header`},
		"huge":           {head + "@@ -1,99999999999 +1 @@\n", `is no hunk header`},
		"leads out":      {"--- a/../x.py\n+++ b/x.py\n", `line 1: "../x.py" is no path in a repository`},
		"absolute":       {"--- a/x.py\n+++ /etc/passwd\n", `line 2: "/etc/passwd" is no path in a repository`},
		"rename out":     {"diff --git a/x b/y\nrename from ../x\n", `line 2: "../x" is no path`},
		"badly quoted":   {"--- \"a/x\n+++ b/x\n", `is badly quoted`},
		"too large":      {strings.Repeat(" ", maxPatch+1), "larger than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParsePatch(c.patch)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v and %v, want an error with %q", got, err, c.want)
			}
		})
	}
}

// FuzzParsePatch reads any text as a patch: what it says about files and lines is possible.
func FuzzParsePatch(f *testing.F) {
	f.Add(gitPatch)
	f.Add("--- a/x\n+++ b/x\n@@ -1,0 +2,1 @@\n+a\n\\ No newline\n")
	f.Add("diff --git a/x b/x\nrename from x\nrename to \"y\\\"z\"\n")
	f.Add("--- /dev/null\n+++ /dev/null\n@@ -0,0 +0,0 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		changes, err := ParsePatch(text)
		if err != nil {
			return
		}
		for _, c := range changes {
			for _, name := range []string{c.Old, c.New} {
				if strings.HasPrefix(name, "/") || strings.Contains("/"+name+"/", "/../") {
					t.Fatalf("path %q", name)
				}
			}
			if c.Old == "" && c.New == "" {
				t.Fatal("a change of nothing")
			}
		}
	})
}
