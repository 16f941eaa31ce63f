// Command documents writes what the page's TypeScript takes from Go: the types of all documents, from the structs that
// encoding/json makes them of, and the tables of names that both sides know. `go generate ./internal/page` runs it.
//
// It reads the types by reflection, so that it sees them as encoding/json does, with embedded fields, and fields that may be
// absent; the constants of named strings and all comments it reads from the sources. roots.go lists the types.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "documents:", err)
		os.Exit(1)
	}
}

// run writes the files.
func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate makes the files' contents, by their names in the module.
func generate(root string) (map[string][]byte, error) {
	types, err := typescript(root)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"internal/page/app/documents/types.ts": types,
		"internal/page/app/kit/tables.ts":      tables(),
	}, nil
}

// moduleRoot is the directory of go.mod, at or above the one that this runs in.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("no go.mod at or above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}
