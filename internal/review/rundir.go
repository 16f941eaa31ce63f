package review

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/gofrs/flock"
)

// Names of the files in a run's directory.
const (
	ManifestName = "run.json"
	TraceName    = "trace.jsonl"
	ReportName   = "report" // .md, .html, .json, .sarif
	lockName     = ".lock"
)

// Manifest is run.json: what the run was asked to do and under which conditions.
type Manifest struct {
	Schema      int                   `json:"schema"`
	ID          string                `json:"id"`
	Command     string                `json:"command"` // analyze or baseline
	Version     string                `json:"version"`
	StartedAt   time.Time             `json:"started_at"`
	Codebase    string                `json:"codebase"`    // content hash
	Fingerprint string                `json:"fingerprint"` // digest of everything that decides the run
	Options     Options               `json:"options"`
	Seeds       map[string]int64      `json:"seeds"`
	Prices      map[string]*llm.Price `json:"prices"` // null: unknown
}

// runDir is a run's directory, locked.
type runDir struct {
	path string
	lock *flock.Flock
}

// createRunDir makes a directory for a new run, or refuses one that holds a run already.
func createRunDir(path string) (*runDir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, hinted(fmt.Errorf("run directory: %w", err), "choose another one with --out DIR")
	}
	if _, err := os.Lstat(filepath.Join(path, lockName)); err != nil { // a lock is not left in a directory that is not ours
		if err := onlyLock(path); err != nil {
			return nil, err
		}
	}
	d, err := lockRunDir(path)
	if err != nil {
		return nil, err
	}
	if err := onlyLock(path); err != nil { // another run may have come first
		d.close()
		return nil, err
	}
	// The directory may lie in a repository: neither git nor a later review should take reports for source.
	if err := d.write(".gitignore", func(w io.Writer) error { _, err := io.WriteString(w, "*\n"); return err }); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// onlyLock refuses a directory that holds anything: a run is not overwritten, and neither are a user's own files.
func onlyLock(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return hinted(fmt.Errorf("run directory: %w", err), "choose another one with --out DIR")
	}
	other := ""
	for _, e := range entries {
		switch e.Name() {
		case TraceName, ManifestName:
			return hinted(fmt.Errorf("%s already holds a run", path), "deeprepo resume "+path+", or choose another directory with --out DIR")
		case lockName:
		default:
			other = e.Name()
		}
	}
	if other != "" {
		return hinted(fmt.Errorf("%s is not empty", path), "give a new directory with --out DIR: reports are not written over other files")
	}
	return nil
}

// freshDefault is DefaultOut, with a number behind it where that name is taken.
func freshDefault(path string, at time.Time) (string, error) {
	base := DefaultOut(path, at)
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return "", hinted(fmt.Errorf("run directory: %w", err), "choose another one with --out DIR")
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name = fmt.Sprintf("%s-%d", base, i)
		}
		err := os.Mkdir(name, 0o755)
		if err == nil {
			return name, nil
		}
		if !errors.Is(err, fs.ErrExist) || i == 1000 {
			return "", hinted(fmt.Errorf("run directory: %w", err), "choose another one with --out DIR")
		}
	}
}

// openRunDir opens the directory of an earlier run.
func openRunDir(path string) (*runDir, Manifest, error) {
	var m Manifest
	data, err := os.ReadFile(filepath.Join(path, ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, m, hinted(fmt.Errorf("%s holds no run", path), "give the directory that analyze named, the one with run.json in it")
	}
	if err != nil {
		return nil, m, fmt.Errorf("run directory: %w", err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, m, hinted(fmt.Errorf("%s: not readable: %w", filepath.Join(path, ManifestName), err), "the run cannot go on without it; start a new one")
	}
	if m.Schema != 1 {
		return nil, m, hinted(fmt.Errorf("%s was written by another version of deeprepo (schema %d)", ManifestName, m.Schema), "resume with the version that began the run: "+m.Version)
	}
	d, err := lockRunDir(path)
	return d, m, err
}

func lockRunDir(path string) (*runDir, error) {
	lock := flock.New(filepath.Join(path, lockName))
	held, err := lock.TryLock()
	if err != nil {
		return nil, hinted(fmt.Errorf("lock run directory: %w", err), "the directory must be writable")
	}
	if !held {
		return nil, hinted(fmt.Errorf("another deeprepo is working in %s", path), "wait for it, or choose another directory with --out DIR")
	}
	return &runDir{path: path, lock: lock}, nil
}

func (d *runDir) close() error { return d.lock.Unlock() }

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
	if err := os.Rename(tmp.Name(), filepath.Join(d.path, name)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func (d *runDir) writeManifest(m Manifest) error {
	return d.write(ManifestName, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(m)
	})
}

// DefaultOut names a directory for a run on path that begins at the given time: runs/NAME-YYYYMMDD-HHMMSS.
func DefaultOut(path string, at time.Time) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, filepath.Base(path))
	name = strings.Trim(name, "._")
	if name == "" {
		name = "codebase"
	}
	return filepath.Join("runs", name+"-"+at.Format("20060102-150405"))
}

// digest hashes what decides a run. Concurrency, budget and output settings are not part of it: a run may be resumed
// with another budget.
func digest(parts ...any) string {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(parts); err != nil {
		panic(err) // plain data
	}
	return hex.EncodeToString(h.Sum(nil))
}
