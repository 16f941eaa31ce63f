package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestEmbeddedWorksStandInTheirLicences(t *testing.T) {
	works, err := embedded("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range works {
		if w.Text == "" || len(w.SPDX) == 0 || w.Purl == "" {
			t.Errorf("%s %s: text of %d bytes, licences %v, package %q", w.Name, w.Version, len(w.Text), w.SPDX, w.Purl)
		}
	}
	if _, err := embedded(t.TempDir()); err == nil {
		t.Error("a repository without the files is fine")
	}
}

// The page's libraries are named with the versions that npm installs.
func TestPageLibrariesAreThoseOfTheLockFile(t *testing.T) {
	lock, err := os.ReadFile("../../internal/page/app/package.json")
	if err != nil {
		t.Fatal(err)
	}
	works, err := embedded("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, w := range works {
		if strings.HasPrefix(w.Purl, "pkg:npm/") {
			found++
			if !strings.Contains(string(lock), `"`+w.Name+`": "`+w.Version+`"`) {
				t.Errorf("package.json does not ask for %s %s", w.Name, w.Version)
			}
		}
	}
	if found != 3 {
		t.Errorf("%d libraries, want 3", found)
	}
}

func TestLicensed(t *testing.T) {
	dir := t.TempDir()
	if _, err := licensed(dir, work{Name: "nobody's"}); err == nil {
		t.Error("a work without a licence passes")
	}
	mit, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "License.txt"), mit, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := licensed(dir, work{Name: "x", Version: "1"})
	if err != nil || len(w.SPDX) != 1 || w.SPDX[0] != "MIT" || !strings.Contains(w.Text, "Permission is hereby granted") {
		t.Fatalf("%v, %v", w.SPDX, err)
	}
}

func TestBillAndTextsNameEveryWork(t *testing.T) {
	works := []work{{Name: "a", Version: "1", SPDX: []string{"MIT"}, Text: "one"},
		{Name: "b", Version: "2", SPDX: []string{"MIT"}, Text: "one"},
		{Name: "c", Version: "3", SPDX: []string{"BSD-3-Clause"}, Text: "two"}}
	b := bill(&debug.BuildInfo{Main: debug.Module{Path: "p", Version: "v1"}}, works)
	if len(*b.Components) != 3 || (*b.Components)[2].BOMRef != "c@3" || (*(*b.Components)[2].Licenses)[0].License.ID != "BSD-3-Clause" {
		t.Errorf("%+v", *b.Components)
	}
	var out bytes.Buffer
	if err := texts(&out, works); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a 1 (MIT)\nb 2 (MIT)\n\none\n", "c 3 (BSD-3-Clause)\n\ntwo\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in %q", want, out.String())
		}
	}
}
