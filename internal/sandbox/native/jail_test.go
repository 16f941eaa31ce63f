package native_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// TestPrograms runs programs without tests.
func TestPrograms(t *testing.T) {
	b := box(t)
	for _, test := range []struct {
		name, code, stdin string
		verdict           sandbox.Verdict
		exit              int
		stdout, stderr    string // stderr: a part
	}{
		{"hello", "print('hello')", "", "passed", 0, "hello\n", ""},
		{"stdin", "import sys\nprint(input())\nprint(sys.stdin.read(), end='')", "a\nb\nc", "passed", 0, "a\nb\nc", ""},
		{"stderr", "import sys\nprint('x', file=sys.stderr)", "", "passed", 0, "", "x\n"},
		{"raw output", "import os\nos.write(1, b'raw\\xff')\nos.write(2, b'err')", "", "passed", 0, "raw\uFFFD", "err"},
		{"exit 0", "import sys\nprint(1)\nsys.exit(0)", "", "failed", 0, "1\n", ""},
		{"exit 3", "raise SystemExit(3)", "", "failed", 3, "", ""},
		{"os._exit", "import os\nprint(1, flush=True)\nos._exit(7)", "", "failed", 7, "1\n", ""},
		{"an exception", "def f():\n    raise ValueError('bad')\nf()", "", "failed", 1, "", ""},
		{"a syntax error", "for:", "", "syntax_error", 1, "", ""},
		{"an endless loop", "print('begun')\nwhile True: pass", "", "timeout", 1, "begun\n", ""},
		{"a sleeper", "import time\ntime.sleep(60)", "", "timeout", 1, "", ""},
		{"too much memory", "x = bytearray(1 << 30)", "", "memory", 1, "", ""},
		{"too much memory in a mapping", "import mmap\nm = mmap.mmap(-1, 6 << 30)", "", "failed", 1, "", ""},
		{"a crash", "import ctypes\nctypes.string_at(0)", "", "failed", 1, "", ""},
		{"a crash by abort", "import os\nos.abort()", "", "failed", 1, "", ""},
		{"a signal to itself, the first process of its own", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "", "passed", 0, "", ""},
		{"threads", "import threading\nt = [threading.Thread(target=print, args=(i,)) for i in range(3)]\nfor x in t: x.start(); x.join()", "", "passed", 0, "0\n1\n2\n", ""},
		{"endless threads", "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()", "", "failed", 1, "", ""},
		{"the channel closed", "import os\nos.close(3); os.close(4)\nprint(1)", "", "failed", 1, "1\n", ""},
		{"nonsense on the channel", "import os\nos.write(4, b'\\xff\\xff\\xff\\xffr')\nwhile True: pass", "", "failed", 1, "", ""},
		{"an order on the channel", "import os\nos.write(4, b'\\x00\\x00\\x00\\x00h')\nwhile True: pass", "", "failed", 1, "", ""},
		{"a request while nobody judges", "import os\nos.write(4, b'\\x02\\x00\\x00\\x00a[]')\nwhile True: pass", "", "failed", 1, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wall := 10 * time.Second
			if test.verdict == sandbox.Timeout {
				wall = 300 * time.Millisecond
			}
			j := judged(t, b, sandbox.Program{Code: test.code, Stdin: test.stdin, Limits: sandbox.Limits{Wall: wall, MemoryBytes: 256 << 20}})
			if j.Verdict != test.verdict || j.ExitCode != test.exit || j.Stdout != test.stdout || !strings.Contains(j.Stderr, test.stderr) ||
				(j.Verdict == sandbox.Passed) != (j.Error == nil) {
				t.Errorf("%+v %+v", j, j.Error)
			}
		})
	}
	j := judged(t, b, sandbox.Program{Code: "print('x' * 1000)", Limits: sandbox.Limits{OutputBytes: 10}})
	if len(j.Stdout) != 10 || j.StdoutBytes != 1001 || j.Wall <= 0 || j.MemoryBytes < 1<<20 {
		t.Errorf("%+v", j)
	}
	cases := sandbox.Program{Code: "print(int(input()) ** 2)",
		Cases: []sandbox.Case{{Stdin: "3", Stdout: "9"}, {Stdin: "4", Stdout: "15"}, {Stdin: "1", Stdout: "1"}}, KeepGoing: true}
	j = judged(t, b, cases)
	if j.Verdict != sandbox.Failed || len(j.Results) != 3 || j.Results[0].Verdict != sandbox.Passed ||
		j.Results[1].Error.Type != "WrongAnswer" || j.Results[2].Verdict != sandbox.Passed {
		t.Errorf("%+v", j)
	}
}

// TestJail has programs look for what is not theirs. Each passes when it found nothing.
func TestJail(t *testing.T) {
	b := box(t)
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("no home: ", err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DEEPREPO_TEST_SECRET", "secret")
	local, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { local.Close() })
	_, port, _ := net.SplitHostPort(local.Addr().String())
	abstract := "deeprepo-test-" + strconv.Itoa(os.Getpid())
	unix, err := net.Listen("unix", "@"+abstract)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close() })
	for name, code := range map[string]string{
		"environment": "import os\nassert set(os.environ) <= {'PYTHONHASHSEED', 'OPENBLAS_NUM_THREADS', 'OMP_NUM_THREADS', 'HOME', 'PWD', 'LC_CTYPE'}, os.environ",
		"home":        "import os\ntry: found = [n for n in os.listdir(" + strconv.Quote(home) + ") if n != '.pyenv']\nexcept OSError: found = []\nassert not found, found",
		"files":       "import os\nassert not os.path.exists('/etc/passwd') and not os.path.exists('/proc/self') and not os.path.exists('/sys') and not os.path.exists(" + strconv.Quote(secret) + ")",
		"work folder": "import os\nassert os.getcwd() == '/box' and os.listdir('.') == [], os.listdir('.')\nopen('x', 'w').write('x')",
		"writing":     "import os\nfor d in ('/usr', '/', os.path.dirname(os.__file__)):\n    try: open(d + '/x', 'w')\n    except OSError: continue\n    assert 0, d",
		"network":     "import socket\ntry:\n    s = socket.socket()\n    s.settimeout(5)\n    s.connect(('127.0.0.1', " + port + "))\nexcept OSError: pass\nelse: assert 0",
		"abstract":    "import socket\ns = socket.socket(socket.AF_UNIX)\ntry: s.connect('\\0' + " + strconv.Quote(abstract) + ")\nexcept OSError: pass\nelse: assert 0",
		"processes":   "import os\nfor pid in (1, os.getppid()):\n    pass\nassert os.getpid() < 10\ntry: os.kill(" + strconv.Itoa(os.Getpid()) + ", 0)\nexcept ProcessLookupError: pass\nelse: assert os.getpid() == 0",
		"user":        "import os\nassert os.getuid() == 1000\ntry: os.setuid(0)\nexcept OSError: pass\nelse: assert 0",
		"mounting":    "import ctypes\nlibc = ctypes.CDLL(None)\nassert libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) != 0\nassert libc.chroot(b'/tmp') != 0",
		"limits":      "import resource\nfor r in (resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):\n    soft, hard = resource.getrlimit(r)\n    assert soft == hard != resource.RLIM_INFINITY\n    try: resource.setrlimit(r, (hard + 1, hard + 1))\n    except (ValueError, OSError): continue\n    assert 0",
		"disk":        "try:\n    with open('x', 'wb') as f:\n        for _ in range(100): f.write(bytes(1 << 20))\nexcept OSError: pass\nelse: assert 0",
		"forks":       "import os, subprocess, sys\nfor f in (os.fork, lambda: subprocess.Popen([sys.executable]), lambda: os.posix_spawn(sys.executable, ['x'], {})):\n    try: f()\n    except OSError: continue\n    assert 0",
		"terminal":    "import os\ntry: os.open('/dev/tty', os.O_RDWR)\nexcept OSError: pass\nelse: assert 0",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if j, err := b.Exec(context.Background(), sandbox.Program{Code: code}); err != nil || j.Verdict != sandbox.Passed {
				t.Errorf("%v %+v %+v", err, j, j.Error)
			}
		})
	}
}

// family are the processes that descend from one program, by what starts their command lines.
func family(t *testing.T, program string) map[int]bool {
	t.Helper()
	parents, all := map[int]int{}, map[int]bool{}
	paths, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		pid, _ := strconv.Atoi(filepath.Base(path))
		stat, err := os.ReadFile(path + "/stat")
		if err != nil {
			continue // it has ended
		}
		_, after, _ := bytes.Cut(stat, []byte(") "))
		if fields := strings.Fields(string(after)); len(fields) > 1 && fields[0] != "Z" {
			parents[pid], _ = strconv.Atoi(fields[1])
		}
		if line, err := os.ReadFile(path + "/cmdline"); err == nil && bytes.HasPrefix(line, []byte(program+"\x00")) {
			all[pid] = true
		}
	}
	for more := true; more; {
		more = false
		for pid, parent := range parents {
			if all[parent] && !all[pid] {
				all[pid], more = true, true
			}
		}
	}
	return all
}

// marked is a bubblewrap whose processes can be told from those of others.
func marked(t *testing.T) string {
	t.Helper()
	real, err := exec.LookPath("bwrap")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bwrap")
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// eventually waits for something to become true.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for range 1000 {
		if f() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(what)
}

// TestNothingIsLeft ends what a program started whether it ends, is late, or its caller goes away, and the jails with
// the sandbox.
func TestNothingIsLeft(t *testing.T) {
	box(t)
	bwrap := marked(t)
	b, err := native.Open(t.Context(), native.Config{Bwrap: bwrap, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	idle, same := -1, 0
	eventually(t, "the jails do not come to rest", func() bool { // a zygote's rehearsal ends beside what follows
		now := len(family(t, bwrap))
		if now == idle {
			same++
		} else {
			idle, same = now, 0
		}
		return same == 10
	})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := b.Exec(ctx, sandbox.Program{Code: "while True: pass", Limits: sandbox.Limits{Wall: time.Minute}})
		result <- err
	}()
	eventually(t, "the program is not seen", func() bool { return len(family(t, bwrap)) > idle })
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	judged(t, b, sandbox.Program{Code: "pass"})
	judged(t, b, sandbox.Program{Code: "while True: pass", Limits: sandbox.Limits{Wall: 100 * time.Millisecond}})
	eventually(t, "a program is left", func() bool { return len(family(t, bwrap)) == idle })
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, "a jail is left", func() bool { return len(family(t, bwrap)) == 0 })
	if _, err := b.Exec(t.Context(), sandbox.Program{Code: "pass"}); err == nil {
		t.Error("a closed sandbox runs programs")
	}
}

// TestKilledZygotes kills the jails before a program comes, while it is loaded, and while its tests run: it is judged as if
// nothing had been.
func TestKilledZygotes(t *testing.T) {
	box(t)
	bwrap := marked(t)
	b, err := native.Open(t.Context(), native.Config{Bwrap: bwrap, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	program := func(result string) sandbox.Program {
		return sandbox.Program{Code: "import time\ntime.sleep(0.2)\ndef f(x):\n    time.sleep(0.2)\n    return " + result, Entry: "f",
			Tests: []sandbox.Test{{Name: "f", Code: "assert f(1) == 1"}}}
	}
	for processes := range 3 { // of the program, when its jails are killed
		for result, want := range map[string]sandbox.Verdict{"x": sandbox.Passed, "2": sandbox.Failed} {
			judged(t, b, program("1")) // both zygotes are there
			var idle map[int]bool
			eventually(t, "a program does not end", func() bool { idle = family(t, bwrap); return len(idle) > 0 && len(idle)%2 == 0 })
			done := make(chan struct{})
			var j sandbox.Judgement
			run := func() { j, err = b.Exec(t.Context(), program(result)); close(done) }
			if processes > 0 {
				go run()
			}
			eventually(t, "no program is seen", func() bool { return len(family(t, bwrap)) >= len(idle)+processes })
			for _, pids := range []map[int]bool{idle, family(t, bwrap)} { // jails first: a program that ends alone has ended by itself
				for pid := range pids {
					if process, err := os.FindProcess(pid); err == nil {
						_ = process.Kill() // it may have ended with another
					}
				}
			}
			if processes == 0 {
				run()
			}
			<-done
			if err != nil || j.Verdict != want || want == sandbox.Failed && j.Error.Type != "AssertionError" {
				t.Errorf("killed with %d processes: %v %s %+v", processes, err, j.Verdict, j.Error)
			}
		}
	}
}

// TestVirtualEnvironment uses a Python below /tmp, where programs may write: it is there for each of them.
func TestVirtualEnvironment(t *testing.T) {
	box(t)
	dir, err := os.MkdirTemp("/tmp", "deeprepo-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	dir = filepath.Join(dir, "below", "venv")
	if out, err := exec.Command("python3", "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Skipf("no virtual environments here: %v %s", err, out)
	}
	b, err := native.Open(t.Context(), native.Config{Python: filepath.Join(dir, "bin", "python"), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	code := "import os, sys\nassert sys.prefix == " + strconv.Quote(dir) + " and os.path.exists(sys.prefix + '/pyvenv.cfg')\n" +
		"above = os.path.dirname(sys.prefix)\nassert os.listdir(above) == ['venv'], os.listdir(above)\nopen(above + '/planted', 'w').close()\n" +
		"try: open(sys.prefix + '/planted', 'w')\nexcept OSError: pass\nelse: assert 0"
	for range 3 {
		if j := judged(t, b, sandbox.Program{Code: code}); j.Verdict != sandbox.Passed {
			t.Errorf("%s %+v", j.Verdict, j.Error)
		}
	}
}

// TestNumpy judges a candidate that uses what the embedded interpreter lacks.
func TestNumpy(t *testing.T) {
	b := box(t)
	if j := judged(t, b, sandbox.Program{Code: "import numpy"}); j.Verdict != sandbox.Passed {
		t.Skip("no numpy for this machine's Python")
	}
	p := sandbox.Program{Code: "import numpy as np\ndef solve(xs):\n    return np.sum(np.array(xs) ** 2)", Entry: "solve",
		Tests: []sandbox.Test{{Name: "sum",
			Code: "assert solve([1, 2, 3]) == 14\nassert solve([]) == 0\nassert isinstance(solve([0.5]), float)"}}}
	if j := judged(t, b, p); j.Verdict != sandbox.Passed {
		t.Errorf("%+v %+v %s", j, j.Error, j.Stderr)
	}
	p.Code = "import numpy as np\ndef solve(xs):\n    return np.sum(np.array(xs))"
	if j := judged(t, b, p); j.Verdict != sandbox.Failed {
		t.Errorf("%+v %+v", j, j.Error)
	}
}

func TestOpenErrors(t *testing.T) {
	for name, c := range map[string]native.Config{"bubblewrap": {Bwrap: "no-such-bwrap"}, "python": {Python: "no-such-python"},
		"no python": {Python: "true"}} {
		if runtime.GOOS == "linux" && name != "bubblewrap" {
			box(t)
		}
		_, err := native.Open(t.Context(), c)
		var known *native.Error
		if !errors.As(err, &known) || known.Hint() == "" || !strings.HasPrefix(err.Error(), "native sandbox: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	b := box(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Exec(ctx, sandbox.Program{Code: "pass"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if j := judged(t, b, sandbox.Program{Code: "# nothing", Entry: "f", Tests: []sandbox.Test{{Code: "f()"}}}); j.Verdict != sandbox.Empty {
		t.Errorf("%+v", j)
	}
	if j := judged(t, b, sandbox.Program{Code: "def f(): pass", Judge: "1/0", Entry: "f",
		Tests: []sandbox.Test{{Code: "f()"}}}); j.Verdict != sandbox.InfraError || !strings.Contains(j.Error.Message, "ZeroDivisionError") {
		t.Errorf("%+v %+v", j, j.Error)
	}
}
