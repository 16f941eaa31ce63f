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
	"strings"
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
	lanes  chan struct{}

	version string // of the interpreter, as 3.11
}

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
		return nil, ctx.Err()
	}
	if err == nil && j.Verdict != sandbox.Passed {
		err = fmt.Errorf("a program that is right is judged %s: %v: %s", j.Verdict, j.Error, strings.TrimSpace(j.Stderr))
	}
	if err != nil {
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
	b.python, b.argv = about.Executable, jailArgv(about)
	b.version = fmt.Sprintf("%d.%d", about.Version[0], about.Version[1])
	if c.Workers <= 0 {
		c.Workers = runtime.NumCPU()
	}
	b.lanes = make(chan struct{}, c.Workers)
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
}

// ask has the interpreter say where it lives. It need not be jailed: it is the user's own, and runs nothing of others.
func ask(ctx context.Context, python string, oldest int) (installation, error) {
	const source = `import json, os, sys
real = os.path.realpath(sys.executable)
folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix, os.path.dirname(real)]
print(json.dumps({"executable": sys.executable, "version": sys.version_info[:2], "folders": folders}))`
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

// folder is where programs start.
const folder = "/box"

// jailArgv is bubblewrap's command line up to the interpreter.
func jailArgv(python installation) []string {
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
	argv = append(argv, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--dev-bind", "/dev/null", "/dev/null", "--dev-bind",
		"/dev/urandom", "/dev/urandom")
	seen := map[string]bool{}
	for _, dir := range python.Folders {
		if dir = filepath.Clean(dir); !seen[dir] && !within(dir, "/usr") && dir != "/" && dir != "/bin" {
			argv = append(argv, "--ro-bind", dir, dir)
		}
		seen[dir] = true
	}
	return append(argv, "--remount-ro", "/", "--seccomp", "5")
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
