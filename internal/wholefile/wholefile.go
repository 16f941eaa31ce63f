// Package wholefile writes files that are there whole or not at all.
package wholefile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write has fill write the file at path: a reader, or a crash, meets the old file or the new one, never half of one. When
// fill fails the old file stands. Only its owner may read the file, unless fill says otherwise. What a crash leaves behind
// is called path.*.tmp.
func Write(path string, fill func(f *os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // when it has been renamed, there is nothing to remove
	if err := errors.Join(fill(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
