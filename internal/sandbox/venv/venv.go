package venv

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// Default is the lock file of numpy, pandas, scipy, sympy and pytest.
//
//go:embed default.lock
var Default string

// Store is a directory of environments, each in one that is called like it.
type Store struct{ Dir string }

// Environment is one of them; env.json in it says so.
type Environment struct {
	Name     string    `json:"name"`
	Python   string    `json:"python"`   // its version, as 3.11.7
	Packages []string  `json:"packages"` // name==version, sorted
	Lock     string    `json:"lock"`     // the SHA-256 of the lock file
	Made     time.Time `json:"made"`
	Path     string    `json:"path"` // of its interpreter
}

// Order says what is to be made.
type Order struct {
	// Name is small letters, digits, - and _. It must be given.
	Name string
	// Python makes it. Defaults to python3 in PATH.
	Python string
	// Lock is the text of a file of requirements, with hashes. Defaults to Default.
	Lock string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Say tells what takes long, a line at a time. Defaults to nothing.
	Say func(string)
}

const about = "env.json"

var naming = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,40}$`)

// Proper says whether an environment may be called so: not like a program that is a Python.
func Proper(name string) bool {
	return naming.MatchString(name) && !strings.HasPrefix(name, "python") && !strings.HasPrefix(name, "pypy")
}

// Python is the interpreter of the environment of that name, "" where there is none.
func (s Store) Python(name string) string {
	if e, err := s.read(name); err == nil {
		return e.Path
	}
	return ""
}

func (s Store) read(name string) (e Environment, err error) {
	if !Proper(name) {
		return e, fs.ErrNotExist
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, name, about))
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	e.Name, e.Path = name, filepath.Join(s.Dir, name, "bin", "python")
	return e, err
}

// List are all of them, by name.
func (s Store) List() ([]Environment, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []Environment
	for _, entry := range entries {
		if e, err := s.read(entry.Name()); err == nil {
			all = append(all, e)
		}
	}
	return all, err
}

// Remove takes one away; what runs in it ends badly.
func (s Store) Remove(name string) error {
	if _, err := s.read(name); err != nil {
		return hint.Wrap(fmt.Errorf("there is no environment %q", name), "deeprepo sandbox env list shows them")
	}
	// Out of the way first: half of one must not be found.
	gone, err := os.MkdirTemp(s.Dir, ".gone-")
	if err == nil {
		err = os.Rename(filepath.Join(s.Dir, name), filepath.Join(gone, name))
	}
	return errors.Join(err, os.RemoveAll(gone))
}

// Create makes an environment. It is made beside the others and renamed when it is whole: what an interrupted call left is
// never used. One that is there already, of the same lock and Python, is returned as it is, and fresh is false.
func (s Store) Create(ctx context.Context, o Order) (e Environment, fresh bool, err error) {
	if !Proper(o.Name) {
		return e, false, hint.New(fmt.Sprintf("an environment cannot be called %q", o.Name),
			"small letters, digits, - and _, and not as a Python is called")
	}
	if o.Python == "" {
		o.Python = "python3"
	}
	if o.Lock == "" {
		o.Lock = Default
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if err := check(o.Lock); err != nil {
		return e, false, err
	}
	version, err := run(ctx, o.Python, "-c", "import sys; print('.'.join(map(str, sys.version_info[:3])))")
	if err != nil {
		return e, false, hint.Wrap(err, "install Python 3.10 or later, or name one with --python")
	}
	version = strings.TrimSpace(version)
	sum := sha256.Sum256([]byte(o.Lock))
	lock := hex.EncodeToString(sum[:])
	if e, err := s.read(o.Name); err == nil {
		if e.Lock == lock && e.Python == version {
			return e, false, nil
		}
		return e, false, hint.New(fmt.Sprintf("there is an environment %s already, of another lock file or Python (%s)", o.Name, e.Python),
			"choose another name, or deeprepo sandbox env remove "+o.Name)
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return e, false, err
	}
	s.sweep(o.Now())
	made, err := os.MkdirTemp(s.Dir, making)
	if err != nil {
		return e, false, err
	}
	defer os.RemoveAll(made)
	if err := fill(ctx, made, o); err != nil {
		return e, false, err
	}
	frozen, err := run(ctx, filepath.Join(made, "bin", "python"), "-m", "pip", "freeze", "--all", "--disable-pip-version-check")
	if err != nil {
		return e, false, err
	}
	if err := strip(made); err != nil {
		return e, false, err
	}
	e = Environment{Name: o.Name, Python: version, Packages: packages(frozen), Lock: lock, Made: o.Now().UTC()}
	text, err := json.MarshalIndent(e, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(made, about), append(text, '\n'), 0o644)
	}
	if err == nil {
		err = os.Chmod(made, 0o755)
	}
	if err == nil {
		err = os.Rename(made, filepath.Join(s.Dir, o.Name))
	}
	if err != nil {
		return e, false, err
	}
	e, err = s.read(o.Name)
	return e, true, err
}

// making begins the name of a directory that is not an environment yet.
const making = ".making-"

// sweep removes what calls left that were killed a day ago or more.
func (s Store) sweep(now time.Time) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && (strings.HasPrefix(entry.Name(), making) || strings.HasPrefix(entry.Name(), ".gone-")) &&
			now.Sub(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(filepath.Join(s.Dir, entry.Name())) // the next call tries again
		}
	}
}

// fill makes a virtual environment in a directory and installs the lock's packages.
func fill(ctx context.Context, dir string, o Order) error {
	o.Say("making a virtual environment")
	if _, err := run(ctx, o.Python, "-m", "venv", dir); err != nil {
		return hint.Wrap(err, "it needs the modules venv and ensurepip (apt-get install python3-venv)")
	}
	lock := filepath.Join(dir, "requirements.lock")
	if err := os.WriteFile(lock, []byte(o.Lock), 0o644); err != nil {
		return err
	}
	pip := exec.CommandContext(ctx, filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--require-hashes", "--only-binary", ":all:",
		"--no-input", "--disable-pip-version-check", "--progress-bar", "off", "-r", lock)
	var said bytes.Buffer
	pip.Stdout, pip.Stderr, pip.WaitDelay = &lines{say: o.Say}, &said, 5*time.Second
	if err := pip.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		text := strings.TrimSpace(said.String())
		return hint.Wrap(fmt.Errorf("pip cannot install the packages: %w\n%s", err, lastLines(text, 12)), advice(text))
	}
	return nil
}

// strip removes the programs beside the interpreter: they name the folder that it was made in, and python -m runs them.
func strip(dir string) error {
	programs, err := os.ReadDir(filepath.Join(dir, "bin"))
	for _, p := range programs {
		if !strings.HasPrefix(p.Name(), "python") {
			err = errors.Join(err, os.Remove(filepath.Join(dir, "bin", p.Name())))
		}
	}
	return err
}

// advice is what a user can do when pip has said such a thing.
func advice(text string) string {
	switch {
	case strings.Contains(text, "DO NOT MATCH THE HASHES"):
		return "a package is not what the lock file says: do not use it"
	case strings.Contains(text, "require-hashes mode") || strings.Contains(text, "must have their versions pinned"):
		return "the lock file must have hashes of all packages and of all that these need: uv pip compile --generate-hashes"
	case strings.Contains(text, "No matching distribution") && !strings.Contains(text, "onnection"):
		return "there is no wheel for this Python or system (the default lock file is for CPython 3.10 to 3.13), or pip looks nowhere: " +
			"PIP_INDEX_URL, or PIP_FIND_LINKS=DIR for a folder of wheels"
	}
	return "pip needs the network, or a folder of wheels: PIP_FIND_LINKS=DIR PIP_NO_INDEX=1"
}

// check refuses a lock file without hashes before anything is made.
func check(lock string) error {
	if !strings.Contains(lock, "--hash=sha256:") {
		return hint.New("the lock file has no hashes", "uv pip compile --generate-hashes, or pip-compile --generate-hashes, makes one that has")
	}
	return nil
}

// packages are the lines of pip freeze that name one.
func packages(frozen string) (all []string) {
	for line := range strings.Lines(frozen) {
		if name, version, ok := strings.Cut(strings.TrimSpace(line), "=="); ok {
			all = append(all, name+"=="+version)
		}
	}
	slices.Sort(all)
	return all
}

// run gives what a command prints.
func run(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &said, 5*time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s: %w: %s", name, err, lastLines(strings.TrimSpace(said.String()+out.String()), 6))
	}
	return out.String(), nil
}

func lastLines(text string, n int) string {
	all := strings.Split(text, "\n")
	return strings.Join(all[max(0, len(all)-n):], "\n")
}

// lines says each line that is written to it.
type lines struct {
	say  func(string)
	rest []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		l.rest = rest
		if text := strings.TrimSpace(string(line)); strings.HasPrefix(text, "Collecting") || strings.HasPrefix(text, "Installing") {
			text, _, _ = strings.Cut(text, " (from ")
			l.say(text)
		}
	}
}
