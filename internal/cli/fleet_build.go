package cli

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"strings"
)

// fleetBuild says which program this is, so that only like works with like: a release by its name, any other build by what
// the program is made of.
func fleetBuild() (string, error) {
	if v := version(); strings.HasPrefix(v, "v") && !strings.ContainsAny(v, "-+") {
		return v, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("which build this is: %w", err)
	}
	return buildOf(exe)
}

// buildOf is a digest of what the program in a file is made of: of Go's build ID where its format has a place for one, which
// changes with the program and is read at once, and else of all its bytes.
func buildOf(exe string) (string, error) {
	f, err := os.Open(exe)
	if err != nil {
		return "", fmt.Errorf("which build this is: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if !writeBuildID(h, f) {
		if _, err := io.Copy(h, f); err != nil {
			return "", fmt.Errorf("which build this is: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// writeBuildID hashes Go's build ID, if there is one.
func writeBuildID(h hash.Hash, f *os.File) bool {
	program, err := elf.NewFile(f)
	if err != nil {
		return false
	}
	note := program.Section(".note.go.buildid")
	if note == nil {
		return false
	}
	id, err := note.Data()
	if err != nil || len(id) < 32 { // a name, and next to no ID behind it
		return false
	}
	h.Write(id)
	return true
}
