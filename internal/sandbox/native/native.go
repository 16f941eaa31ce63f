package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Config says which programs are used.
type Config struct {
	// Python is the interpreter, 3.10 or later; what is installed for it can be imported. Defaults to python3 in PATH.
	Python string
	// Bwrap is bubblewrap. Defaults to bwrap in PATH.
	Bwrap string
	// Workers is how many programs run at once. Defaults to the number of processors.
	Workers int
}

// Box judges programs. It is safe for concurrent use.
type Box struct {
	bwrap  string
	python string
	argv   []string // of a jail, up to the program
	lanes  chan *lane
	closed chan struct{}
	once   sync.Once

	folders  []string // of the installation, that the jail sees beside /usr
	packages []string // those of preloadable that there are

	version string // of the interpreter, as 3.11
}

// Version is the interpreter's, as 3.11.
func (b *Box) Version() string { return b.version }

// Error is a fault of the machine, not of a program.
type Error struct {
	Err  error
	hint string
}

func (e *Error) Error() string { return "native sandbox: " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Hint says what the user can do.
func (e *Error) Hint() string { return e.hint }

const withoutNative = "; without it, leave --backend native out: the embedded interpreter needs nothing"

// Open checks that programs can be jailed here. Errors are of type *Error.
func Open(ctx context.Context, c Config) (*Box, error) {
	b, err := prepare(ctx, c, 10)
	if err != nil {
		return nil, err
	}
	// A jail that cannot be built should be known now.
	j, err := b.Exec(ctx, sandbox.Program{Code: "def f(x): return x", Entry: "f",
		Tests: []sandbox.Test{{Name: "jail", Code: "assert f(1) == 1"}}})
	if ctx.Err() != nil {
		b.Close()
		return nil, ctx.Err()
	}
	if err == nil && j.Verdict != sandbox.Passed {
		err = fmt.Errorf("a program that is right is judged %s: %v: %s", j.Verdict, j.Error, strings.TrimSpace(j.Stderr))
	}
	if err != nil {
		b.Close()
		return nil, &Error{err, namespacesHint}
	}
	return b, nil
}

const namespacesHint = "bubblewrap needs user namespaces: in a container they may be forbidden, and some systems have " +
	"sysctl kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns" + withoutNative

// prepare finds the programs, of which Python must be 3.oldest or later.
func prepare(ctx context.Context, c Config, oldest int) (*Box, error) {
	if runtime.GOOS != "linux" {
		return nil, &Error{errors.New("there is none on " + runtime.GOOS), "it needs Linux namespaces" + withoutNative}
	}
	b := &Box{}
	var err error
	if b.bwrap, err = find(c.Bwrap, "bwrap"); err != nil {
		return nil, &Error{err, "install bubblewrap (apt-get install bubblewrap)" + withoutNative}
	}
	python, err := find(c.Python, "python3")
	if err != nil {
		return nil, &Error{err, fmt.Sprintf("install Python 3.%d or later, or name one", oldest) + withoutNative}
	}
	about, err := ask(ctx, python, oldest)
	if err != nil {
		return nil, &Error{err, fmt.Sprintf("it must be CPython 3.%d or later", oldest)}
	}
	b.python, b.folders = about.Executable, about.places()
	b.argv = jailArgv(b.folders)
	b.version = fmt.Sprintf("%d.%d", about.Version[0], about.Version[1])
	if c.Workers <= 0 {
		c.Workers = runtime.NumCPU()
	}
	b.packages = about.Packages
	b.closed = make(chan struct{})
	b.lanes = make(chan *lane, c.Workers)
	for range c.Workers {
		b.lanes <- &lane{}
	}
	return b, nil
}

func find(given, usual string) (string, error) {
	if given == "" {
		given = usual
	}
	path, err := exec.LookPath(given)
	if err != nil {
		return "", fmt.Errorf("there is no %s here: %w", given, err)
	}
	return filepath.Abs(path)
}

// installation is where a Python lives.
type installation struct {
	Executable string   `json:"executable"`
	Version    []int    `json:"version"`
	Folders    []string `json:"folders"`
	Packages   []string `json:"packages"`
}

// ask has the interpreter say where it lives. It need not be jailed: it is the user's own, and runs nothing of others.
func ask(ctx context.Context, python string, oldest int) (installation, error) {
	source := fmt.Sprintf("wanted = %q.split()", strings.Join(preloadable, " ")) + `
import importlib.util, json, os, sys
real = os.path.realpath(sys.executable)
folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, os.path.dirname(real)]
packages = [name for name in wanted if importlib.util.find_spec(name)]
print(json.dumps({"packages": packages, "executable": sys.executable, "version": sys.version_info[:2], "folders": folders}))`
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-s", "-B", "-c", source)
	out, err := cmd.Output()
	var a installation
	if err == nil {
		err = json.Unmarshal(out, &a)
	}
	switch {
	case err != nil:
		return a, fmt.Errorf("%s does not answer: %w", python, err)
	case len(a.Version) != 2 || a.Version[0] != 3 || a.Version[1] < oldest:
		return a, fmt.Errorf("%s is Python %v", python, a.Version)
	}
	return a, nil
}

// places are the folders that the jail does not see as part of /usr.
func (a installation) places() (dirs []string) {
	for _, dir := range a.Folders {
		if dir = filepath.Clean(dir); !slices.Contains(dirs, dir) && !within(dir, "/usr") && dir != "/" && dir != "/bin" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// folder is where programs start.
const folder = "/box"

// writable are the folders where they may write.
var writable = []string{folder, "/tmp"}

const (
	diskBytes = 64 << 20 // of each of the jail's folders, in memory
	diskFiles = 4096
	processes = 64 // and threads
	openFiles = 256
)

// devices are those of the machine that a jail sees.
var devices = []string{"/dev/null", "/dev/urandom"}

// jailArgv is bubblewrap's command line up to the interpreter.
func jailArgv(folders []string) []string {
	argv := []string{"--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--die-with-parent", "--new-session",
		"--cap-drop", "ALL",
		"--clearenv", "--setenv", "PYTHONHASHSEED", "0", "--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "OMP_NUM_THREADS", "1",
		"--setenv", "HOME", folder, "--size", fmt.Sprint(diskBytes), "--tmpfs", folder, "--size", fmt.Sprint(diskBytes), "--tmpfs", "/tmp",
		"--chdir", folder, "--ro-bind", "/usr", "/usr"}
	for _, dir := range []string{"/lib", "/lib64", "/lib32", "/bin"} {
		if to, err := os.Readlink(dir); err == nil {
			argv = append(argv, "--symlink", to, dir)
		} else if _, err := os.Stat(dir); err == nil {
			argv = append(argv, "--ro-bind", dir, dir)
		}
	}
	argv = append(argv, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache")
	for _, device := range devices {
		argv = append(argv, "--dev-bind", device, device)
	}
	for _, dir := range folders {
		argv = append(argv, "--ro-bind", dir, dir)
	}
	return argv
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
