package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// modules gives the Go standard library and the modules that were linked into the program.
func modules(root string, info *debug.BuildInfo) ([]work, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	std, err := licensed(strings.TrimSpace(string(out)), work{Name: "Go standard library", Version: strings.TrimPrefix(info.GoVersion, "go"),
		Purl: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")})
	if err != nil {
		return nil, err
	}
	works := []work{std}
	for _, m := range info.Deps {
		dir, err := directory(root, m)
		if err != nil {
			return nil, err
		}
		w, err := licensed(dir, work{Name: m.Path, Version: m.Version, Purl: "pkg:golang/" + m.Path + "@" + m.Version})
		if err != nil {
			return nil, err
		}
		works = append(works, w)
	}
	return works, nil
}

// directory is where a module's source stands on this machine.
func directory(root string, m *debug.Module) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", cmd, err)
	}
	var found struct{ Dir, Error string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", err
	}
	if found.Error != "" {
		return "", errors.New(found.Error)
	}
	return found.Dir, nil
}

// licensed adds the licences that stand in a work's directory. A work without one may not be shipped: that is an error.
func licensed(dir string, w work) (work, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return w, err
	}
	var all []string
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !strings.HasPrefix(upper, "LICEN") && !strings.HasPrefix(upper, "COPYING") && !strings.HasPrefix(upper, "NOTICE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return w, err
		}
		all = append(all, string(text))
		for _, m := range licensecheck.Scan(text).Match {
			if m.ID != "" && !slices.Contains(w.SPDX, m.ID) {
				w.SPDX = append(w.SPDX, m.ID)
			}
		}
	}
	if len(w.SPDX) == 0 {
		return w, fmt.Errorf("%s: no licence found in %s", w.Name, dir)
	}
	w.Text = strings.Join(all, "\n")
	return w, nil
}
