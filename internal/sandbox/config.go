package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/heap"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Config says where an engine keeps its cache and how it starts worker processes.
type Config struct {
	// CacheDir holds the compiled interpreter, the unpacked memory snapshot and what the latest preludes made of it, about
	// 80 MB, at most 120. It may be shared by any number of processes; a damaged or read-only one costs time only.
	// Defaults to deeprepo below os.UserCacheDir.
	CacheDir string
	// Workers is the number of worker processes sessions are spread over. Defaults to 1.
	Workers int
	// Command is the argv that starts a worker; the program must call [WorkerMain]. Defaults to this executable
	// with the argument "sandbox-worker".
	Command []string
	// OnCompile is called when the interpreter has to be compiled (once per cache, a few seconds). Defaults to no
	// notice.
	OnCompile func()
}

func (c Config) withDefaults() (Config, error) {
	if c.Workers <= 0 {
		c.Workers = 1
	}
	if len(c.Command) == 0 {
		exe, err := os.Executable()
		if err != nil {
			return c, &Error{Op: "start", Err: err, hint: "the path of this program could not be found"}
		}
		c.Command = []string{exe, "sandbox-worker"}
	}
	if c.CacheDir == "" {
		if dir, err := os.UserCacheDir(); err == nil {
			c.CacheDir = filepath.Join(dir, "deeprepo")
		}
	}
	return c, nil
}

// Limits bound one cell.
type Limits struct {
	// Steps is the budget of counted interpreter steps (backward jumps, calls, iterations and polls in C code; about
	// ten million a second). Defaults to 2,000,000,000.
	Steps int64
	// Wall is the time a cell may run; serving a host call does not count. Defaults to 30 s.
	Wall time.Duration
	// MemoryBytes is the size the session's memory may grow to, interpreter (18 MB) included. At most 4 GiB less
	// 64 KiB. Defaults to 512 MiB.
	MemoryBytes int64
	// OutputBytes is how much of a cell's output is kept; the rest is counted only. Defaults to 256 KiB.
	OutputBytes int
}

const pageSize = 65536

func (l Limits) withDefaults() Limits {
	if l.Steps <= 0 {
		l.Steps = 2_000_000_000
	}
	if l.Wall <= 0 {
		l.Wall = 30 * time.Second
	}
	if l.MemoryBytes <= 0 {
		l.MemoryBytes = 512 << 20
	}
	l.MemoryBytes = min(max(l.MemoryBytes, 32<<20), 1<<32-pageSize) / pageSize * pageSize
	if l.OutputBytes <= 0 {
		l.OutputBytes = 256 << 10
	}
	return l
}

// SessionConfig describes a session.
type SessionConfig struct {
	// Limits bound every cell, and the setup. The zero value means the defaults of each field.
	Limits Limits
	// Prelude is Python run in the namespace of the cells before the first one. Its effect is kept as a memory
	// image in each worker process, and a long one's in the cache, so later sessions with the same text open without
	// running it. It cannot make host calls. Defaults to none.
	Prelude string
	// Setup is handed to the prelude's function _setup(data: bytes) when the session opens. Defaults to no call.
	Setup []byte
	// Host serves _host.call. Its reply is kept, unchanged and uncopied, for as long as the session lives; an error
	// raises RuntimeError with its text in the cell. It runs in the goroutine of [Session.Run] with its context and
	// must not call Run of the same session. Defaults to refusing every call.
	Host func(ctx context.Context, name string, payload []byte) ([]byte, error)
	// Watch has every cell's result tell what became of the variables. They are read from outside, when the cell has
	// ended: it costs no steps, and no cell can notice it. Defaults to no telling.
	Watch bool
}

// maxChanges is how many changed variables of one cell are reported.
const maxChanges = 40

// Result is what a cell did.
type Result struct {
	// Output is what was written to standard output and standard error, in order, cut at Limits.OutputBytes.
	Output string
	// OutputTotal is the number of bytes written.
	OutputTotal int
	// Error is the exception that ended the cell, nil when it ran to its end.
	Error *PyError
	// Stop says which limit ended the cell: "" (none), "steps", "wall", "memory", or "killed" when nothing but the
	// end of the interpreter helped; then the session is as it was before the cell.
	Stop trace.CellStop
	// Steps counts the interpreter steps taken.
	Steps int64
	// Wall is the time the cell ran, host calls excluded.
	Wall time.Duration
	// HostWall is the time spent in host calls.
	HostWall time.Duration
	// MemoryBytes is the size of the session's memory after the cell.
	MemoryBytes int64
	// Changes are the variables that the cell made, changed or deleted, at most 40, where SessionConfig.Watch asked for
	// them; Changed is how many there are. Package heap says what counts as changed.
	Changes []heap.Change
	Changed int
}

// PyError is a Python exception.
type PyError struct {
	// Type is the name of the exception's class.
	Type string `json:"type"`
	// Message is str() of the exception, shortened when very long.
	Message string `json:"message"`
	// Traceback is CPython's own text, with source lines.
	Traceback string `json:"traceback"`
	// Line is the line of the cell where it happened, 0 when unknown.
	Line int `json:"line"`
}

// Error gives the exception as Python's last traceback line does.
func (e *PyError) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

// Error is a fault of the engine, not of a program.
type Error struct {
	Op   string // what was being done: "start", "open", "run"
	Err  error
	hint string
}

func (e *Error) Error() string { return "sandbox: " + e.Op + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Hint says what the user can do, "" when nothing is known.
func (e *Error) Hint() string { return e.hint }
