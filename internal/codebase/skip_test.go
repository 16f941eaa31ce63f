package codebase

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// hiding is a tree that tries each way to keep code out of a review, with what stands in Skipped about it.
func hiding() (files map[string]string, want []Skip) {
	code := "import os\nos.system(input())\n"
	files = map[string]string{
		"a.py":            "x = 1\n",
		"generated.py":    "# @generated\n" + code,
		"padded.py":       code + strings.Repeat("#\n", 1<<20),
		"huge.py":         strings.Repeat("#\n", 10<<20),
		"binary.py":       "\x00" + strings.Repeat("\xff\x00", 4000) + "\n" + code,
		"long.js":         strings.Repeat("a=1;", 1000) + "\n",
		"pointer.py":      "version https://git-lfs.github.com/spec/v1\n" + code,
		"x.pb.go":         "package x\n",
		"vendor/x.go":     "package x\n",
		"mine.py":         code,
		"mine/a.py":       code,
		"notes.md":        "<!-- @generated -->\n",
		ignoreName:        "hidden.py\ndir/\nrun\ndata.json\n",
		"hidden.py":       code,
		"dir/deep/b.py":   code,
		"dir/deep/run":    "#!/bin/sh\nrm -r /\n",
		"dir/deep/run.md": "# run\n",
		"dir/other":       "text\n",
		"run":             "#!/usr/bin/env python3\n" + code,
		"data.json":       "{}\n",
	}
	size := func(name string) (int64, int) { return int64(len(files[name])), strings.Count(files[name], "\n") }
	of := func(name, why, by string, source bool) {
		s := Skip{Path: name, Why: why, By: by, Source: source, Bytes: Unknown, Lines: Unknown}
		if by != ByUser && !strings.HasSuffix(name, "/") {
			s.Bytes, s.Lines = size(name)
		}
		want = append(want, s)
	}
	of("binary.py", "binary", ByCodebase, true)
	of("data.json", "excluded", ByCodebase, false)
	of("dir/", "excluded", ByCodebase, false)
	of("dir/deep/b.py", "excluded", ByCodebase, true)
	of("dir/deep/run", "excluded", ByCodebase, true)
	of("generated.py", "generated: marked @generated", ByCodebase, true)
	of("hidden.py", "excluded", ByCodebase, true)
	of("huge.py", "too large: 20 MiB, the limit is 1.0 MiB", ByCodebase, true)
	want[len(want)-1].Lines = Unknown // nobody reads so much to count lines
	of("long.js", "minified: very long lines", ByCodebase, true)
	of("mine.py", "excluded", ByUser, true)
	of("mine/", "excluded", ByUser, false)
	of("notes.md", "generated: marked @generated", ByCodebase, false)
	of("padded.py", "too large: 2.0 MiB, the limit is 1.0 MiB", ByCodebase, true)
	of("pointer.py", "git LFS pointer", ByCodebase, true)
	of("run", "excluded", ByCodebase, true)
	of("vendor/", "vendored", ByProgram, false)
	of("x.pb.go", "generated: named *.pb.go", ByProgram, true)
	return files, want
}

func TestHiddenSourceIsCounted(t *testing.T) {
	files, want := hiding()
	dir := runtest.Tree(t, files)
	o := Options{Exclude: []string{"/mine.py", "/mine/"}}
	check := func(name string, c *Codebase, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(want, c.Skipped()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]string{ignoreName, "a.py"}, c.Paths()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	c, err := load(context.Background(), dir, o, noGit)
	check("own walk", c, err)
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-f", ".")
	git(t, dir, "commit", "-qm", "x")
	c, err = Load(context.Background(), dir, o)
	check("git", c, err)
	o.Commit = "HEAD"
	c, err = Load(context.Background(), dir, o)
	check("a commit", c, err)
}

func TestWhoseLimit(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"a.py": "x\n", "b.py": strings.Repeat("x\n", 100)})
	c, err := load(context.Background(), dir, Options{MaxFileBytes: 10}, noGit)
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Skipped(); len(s) != 1 || s[0].By != ByUser || !s[0].Source || s[0].Bytes != 200 {
		t.Errorf("the user's limit on a file: %+v", s)
	}
	c, err = load(context.Background(), dir, Options{MaxTotalBytes: 10}, noGit)
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Skipped(); !slices.ContainsFunc(s, func(s Skip) bool { return s.Path == "b.py" && s.Source && s.Lines == 100 }) {
		t.Errorf("the limit on all files: %+v", s)
	}
}

// TestNULDoesNotHideCode loads a file that git calls binary.
func TestNULDoesNotHideCode(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{
		"a.py": "# \x00\nimport os\n", "b": "\x00text\n", "c.ts": "G@\x11\x10\x00\x42\xf0\x25\x00\x01\xc1\x00\x00\xff\x01\xff\x00\x01\xfc\x80",
	})
	c, err := load(context.Background(), dir, Options{}, noGit)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := c.Text("a.py"); !ok || text != "# \uFFFD\nimport os\n" {
		t.Errorf("a.py is %q", text)
	}
	if diff := cmp.Diff(map[string]string{"b": "binary", "c.ts": "binary"}, skips(c)); diff != "" {
		t.Error(diff)
	}
}

// TestManyHiddenFilesAreNotRead excludes more than is read to count lines: their sizes are known all the same.
func TestManyHiddenFilesAreNotRead(t *testing.T) {
	files := map[string]string{"a.py": "x\n", ignoreName: "dir/\n"}
	for i := range 3 {
		files[fmt.Sprintf("dir/%d.py", i)] = "x\n"
	}
	dir := runtest.Tree(t, files)
	for i := range 3 { // sparse
		if err := os.Truncate(filepath.Join(dir, fmt.Sprintf("dir/%d.py", i)), maxCounted+1); err != nil {
			t.Fatal(err)
		}
	}
	c, err := load(context.Background(), dir, Options{}, noGit)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, s := range c.Skipped() {
		if s.Source && s.Bytes == maxCounted+1 && s.Lines == Unknown {
			known++
		}
	}
	if known != 3 {
		t.Errorf("%+v", c.Skipped())
	}
}
