package bench

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

	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/gofrs/flock"
)

// Names of the files in a bench's directory.
const (
	ManifestName  = "run.json"
	ResultName    = "bench" // .json, .md, .html
	codebasesName = "codebases"
	runsName      = "runs"
	lockName      = ".lock"
)

// command is what Manifest.Command holds.
const command = "bench"

// Manifest is run.json: what the bench compares. It is written when everything is ready to run.
type Manifest struct {
	Schema      int        `json:"schema"`
	Command     string     `json:"command"` // bench
	Version     string     `json:"version"`
	StartedAt   time.Time  `json:"started_at"`
	Fingerprint string     `json:"fingerprint"` // digest of everything that decides the runs
	Spec        Spec       `json:"spec"`
	Codebases   []Codebase `json:"codebases"`
}

// fingerprint digests what decides the runs. Budget and concurrency do not: a bench may be resumed with others.
func (m Manifest) fingerprint() string {
	s := m.Spec
	s.Budget, s.Concurrency, s.Target = nil, 0, ""
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{1, s, m.Codebases, rlm.Surface()}); err != nil {
		panic(err) // plain data
	}
	return hex.EncodeToString(h.Sum(nil))
}

// IsRun reports whether dir holds a bench.
func IsRun(dir string) bool {
	m, err := readManifest(dir)
	return err == nil && m.Command == command
}

func readManifest(dir string) (Manifest, error) {
	var m Manifest
	name := filepath.Join(dir, ManifestName)
	err := readJSON(name, &m)
	if errors.Is(err, fs.ErrNotExist) {
		return m, hinted(fmt.Errorf("%s holds no bench", dir), "give the directory that deeprepo bench named, the one with run.json in it")
	}
	if err != nil {
		return m, hinted(err, "the bench cannot go on without it; start a new one")
	}
	if m.Command == command && m.Schema != 1 {
		return m, hinted(fmt.Errorf("%s was written by another version of deeprepo (schema %d)", name, m.Schema), "resume with the version that began the bench: "+m.Version)
	}
	return m, nil
}

// runDir is a bench's directory, locked.
type runDir struct {
	path string
	lock *flock.Flock
}

// createDir makes a directory for a new bench. One that holds anything is refused: nothing is overwritten.
func createDir(path string) (*runDir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, hinted(fmt.Errorf("bench directory: %w", err), "choose another one with --out DIR")
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
		return hinted(fmt.Errorf("bench directory: %w", err), "choose another one with --out DIR")
	}
	used := false
	for _, e := range entries {
		switch e.Name() {
		case ManifestName:
			return hinted(fmt.Errorf("%s already holds a run", path), "deeprepo resume "+path+" goes on with it; or choose another directory with --out DIR")
		case lockName:
		default:
			used = true
		}
	}
	if used {
		return hinted(fmt.Errorf("%s is not empty", path), "give a new directory with --out DIR: results are not written over other files")
	}
	return nil
}

func lockDir(path string) (*runDir, error) {
	lock := flock.New(filepath.Join(path, lockName))
	held, err := lock.TryLock()
	if err != nil {
		return nil, hinted(fmt.Errorf("lock bench directory: %w", err), "the directory must be writable")
	}
	if !held {
		return nil, hinted(fmt.Errorf("another deeprepo is working in %s", path), "wait for it, or choose another directory with --out DIR")
	}
	return &runDir{path: path, lock: lock}, nil
}

// discard removes what a bench that never began has made, so that the directory can be used again.
func (d *runDir) discard() {
	_ = os.RemoveAll(filepath.Join(d.path, codebasesName))
	for _, name := range []string{".gitignore", lockName} {
		_ = os.Remove(filepath.Join(d.path, name))
	}
	_ = os.Remove(d.path) // fails where something else lies in it
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

func (d *runDir) writeJSON(name string, v any) error {
	return d.write(name, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	})
}

// place names a directory below one of ours for the i-th of something. The number makes it unique, and of a name only
// what is harmless in a path goes into it.
func place(below string, i int, name string) string {
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
	slug = strings.Trim(slug[:min(len(slug), 40)], "._")
	if slug == "" {
		slug = "x"
	}
	return filepath.Join(below, fmt.Sprintf("%02d-%s", i+1, slug))
}

// freshOut makes a directory for a bench that begins at the given time: runs/bench-YYYYMMDD-HHMMSS, with a number
// behind it where that name is taken.
func freshOut(at time.Time) (string, error) {
	base := filepath.Join("runs", "bench-"+at.Format("20060102-150405"))
	if err := os.MkdirAll("runs", 0o755); err != nil {
		return "", hinted(fmt.Errorf("bench directory: %w", err), "choose another one with --out DIR")
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
			return "", hinted(fmt.Errorf("bench directory: %w", err), "choose another one with --out DIR")
		}
	}
}
