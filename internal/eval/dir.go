package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Names of the files in an eval's directory.
const (
	ManifestName = "run.json"
	ResultsName  = "results.jsonl"
	MetadataName = "metadata.json"
	TracesName   = "traces.jsonl"
	SummaryName  = "summary.json"
	rolloutsName = "rollouts"
	lockName     = ".lock"
)

// command is what Manifest.Command holds.
const command = "eval"

// Manifest is run.json: what the eval was asked to do.
type Manifest struct {
	Schema      int       `json:"schema"`
	ID          string    `json:"id"`
	Command     string    `json:"command"` // eval
	Version     string    `json:"version"`
	StartedAt   time.Time `json:"started_at"`
	Fingerprint string    `json:"fingerprint"` // digest of everything that decides the rows
	Options     Options   `json:"options"`
}

// runDir is an eval's directory, locked. Files are opened through root: a link in it that leads elsewhere is not followed.
type runDir struct {
	path string
	root *os.Root
	lock *flock.Flock
}

// IsRun reports whether dir holds an eval.
func IsRun(dir string) bool {
	m, err := readManifest(dir)
	return err == nil && m.Command == command
}

func readManifest(dir string) (Manifest, error) {
	var m Manifest
	name := filepath.Join(dir, ManifestName)
	data, err := readBounded(name, maxMetadata)
	if errors.Is(err, fs.ErrNotExist) {
		return m, hinted(fmt.Errorf("%s holds no eval", dir), "give the directory that deeprepo eval named, the one with run.json in it")
	}
	if err != nil {
		return m, fmt.Errorf("eval directory: %w", err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, hinted(fmt.Errorf("%s: not readable: %w", name, err), "the eval cannot go on without it; start a new one")
	}
	if m.Schema != 1 {
		return m, hinted(fmt.Errorf("%s was written by another version of deeprepo (schema %d)", name, m.Schema), "resume with the version that began the eval: "+m.Version)
	}
	return m, nil
}

// createDir makes a directory for a new eval. One that holds anything is refused: nothing is overwritten.
func createDir(path string) (*runDir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, hinted(fmt.Errorf("eval directory: %w", err), "choose another one with --out DIR")
	}
	if _, err := os.Lstat(filepath.Join(path, lockName)); err != nil { // a lock is not left in a directory that is not ours
		if err := refuseUsed(path); err != nil {
			return nil, err
		}
	}
	d, err := lockDir(path)
	if err != nil {
		return nil, err
	}
	if err := refuseUsed(path); err != nil { // another one may have come first
		d.close()
		return nil, err
	}
	// The directory may lie in a repository: neither git nor a later review should take results for source.
	if err := d.write(".gitignore", func(w io.Writer) error { _, err := io.WriteString(w, "*\n"); return err }); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func refuseUsed(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return hinted(fmt.Errorf("eval directory: %w", err), "choose another one with --out DIR")
	}
	other := false
	for _, e := range entries {
		switch e.Name() {
		case lockName:
		case ManifestName, ResultsName:
			return hinted(fmt.Errorf("%s already holds an eval or another run", path), "deeprepo resume "+path+" goes on with it; or choose another directory with --out DIR")
		default:
			other = true
		}
	}
	if other {
		return hinted(fmt.Errorf("%s is not empty", path), "give a new directory with --out DIR: results are not written over other files")
	}
	return nil
}

func lockDir(path string) (*runDir, error) {
	lock := flock.New(filepath.Join(path, lockName))
	held, err := lock.TryLock()
	if err != nil {
		return nil, hinted(fmt.Errorf("lock eval directory: %w", err), "the directory must be writable")
	}
	if !held {
		return nil, hinted(fmt.Errorf("another deeprepo is working in %s", path), "wait for it, or choose another directory with --out DIR")
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		_ = lock.Unlock()
		return nil, fmt.Errorf("eval directory: %w", err)
	}
	return &runDir{path: path, root: root, lock: lock}, nil
}

// discard removes the files of an eval that never began, so that the directory can be used again.
func (d *runDir) discard() {
	for _, name := range []string{ManifestName, ResultsName, MetadataName, TracesName, SummaryName, ".gitignore", lockName} {
		_ = d.root.Remove(name)
	}
	_ = d.root.RemoveAll(rolloutsName) // journals without events
	_ = os.Remove(d.path)              // fails where something else lies in it
}

func (d *runDir) close() error { return errors.Join(d.root.Close(), d.lock.Unlock()) }

func (d *runDir) file(name ...string) string {
	return filepath.Join(append([]string{d.path}, name...)...)
}

// write replaces a file in one step: a reader, or a crash, meets the old file or the new one, never half of one.
func (d *runDir) write(name string, fill func(io.Writer) error) (err error) {
	tmp, err := os.CreateTemp(d.path, "."+name+"-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if err := fill(tmp); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := errors.Join(tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(tmp.Name(), d.file(name)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// leftovers are temporary files of a write that was killed.
func (d *runDir) leftovers(name string) []string {
	found, err := fs.Glob(d.root.FS(), "."+name+"-*")
	if err != nil {
		return nil
	}
	return found
}

func (d *runDir) writeJSON(name string, v any) error {
	return d.write(name, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	})
}

// freshOut makes a directory for an eval that begins at the given time: runs/eval-ENVIRONMENT-YYYYMMDD-HHMMSS, with a
// number behind it where that name is taken.
func freshOut(environment string, at time.Time) (string, error) {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, filepath.Base(environment))
	base := filepath.Join("runs", "eval-"+name+"-"+at.Format("20060102-150405"))
	if err := os.MkdirAll("runs", 0o755); err != nil {
		return "", hinted(fmt.Errorf("eval directory: %w", err), "choose another one with --out DIR")
	}
	for i := 1; ; i++ {
		dir := base
		if i > 1 {
			dir = fmt.Sprintf("%s-%d", base, i)
		}
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) || i == 1000 {
			return "", hinted(fmt.Errorf("eval directory: %w", err), "choose another one with --out DIR")
		}
	}
}
