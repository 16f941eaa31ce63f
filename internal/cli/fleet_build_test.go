package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

// otherBuild is a program with another build ID, which the program does not read.
func otherBuild(program []byte) []byte {
	changed := bytes.Clone(program)
	if at := bytes.Index(changed, []byte("Go\x00\x00")); at >= 0 { // a note: its name, and then the ID
		changed[at+10] ^= 1
	}
	return changed
}

// A copy of a program is the same build, one with another ID is not, and what has no ID is known by all its bytes.
func TestBuildsAreToldApart(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	dir, builds := t.TempDir(), map[string]string{}
	for name, text := range map[string]string{"own": string(program), "copy": string(program), "changed": string(otherBuild(program)),
		"script": "#!/bin/sh\n", "longer": "#!/bin/sh\nexit\n", "empty": ""} {
		file := filepath.Join(dir, name)
		runtest.WriteFile(t, file, text)
		if builds[name], err = buildOf(file); err != nil || len(builds[name]) != 32 {
			t.Fatalf("%s: %q, %v", name, builds[name], err)
		}
	}
	if builds["own"] != builds["copy"] {
		t.Error("a copy is another build")
	}
	delete(builds, "copy")
	seen := map[string]string{}
	for name, build := range builds {
		if other, again := seen[build]; again {
			t.Errorf("%s and %s are one build", name, other)
		}
		seen[build] = name
	}
	if _, err := buildOf(filepath.Join(dir, "none")); err == nil {
		t.Error("what is not there is a build")
	}
}
