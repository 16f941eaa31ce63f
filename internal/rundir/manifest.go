package rundir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
)

// maxManifest bounds a manifest that is read, in bytes.
const maxManifest = 16 << 20

// Schema is the number that a manifest of today has in its field "schema".
const Schema = 1

// ReadManifest reads the manifest of the run in path, which need not be locked. M is its shape; one that another version
// of deeprepo has written is refused.
func ReadManifest[M any](path string, k Kind) (M, error) {
	var m M
	name := filepath.Join(path, ManifestName)
	data, err := readManifest(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, hint.Wrap(fmt.Errorf("%s holds no %s", path, k.Name),
			"give the directory that "+k.By+" named, the one with "+ManifestName+" in it")
	}
	if err != nil {
		return m, k.fault(err)
	}
	var head struct {
		Schema  int    `json:"schema"`
		Version string `json:"version"`
	}
	if err := errors.Join(json.Unmarshal(data, &head), json.Unmarshal(data, &m)); err != nil {
		return m, hint.Wrap(fmt.Errorf("%s: not readable: %w", name, err), "the "+k.Name+" cannot go on without it; start a new one")
	}
	if head.Schema != Schema {
		return m, hint.Wrap(fmt.Errorf("%s was written by another version of deeprepo (schema %d)", ManifestName, head.Schema),
			"resume with the version that began the "+k.Name+": "+head.Version)
	}
	return m, nil
}

func readManifest(path string) ([]byte, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return bounded.ReadFileIn(root, ManifestName, maxManifest)
}
