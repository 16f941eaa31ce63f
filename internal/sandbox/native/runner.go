package native

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

//go:embed limits.py
var limitsSource string

// Tree is where a Job sees its directory.
const Tree = folder + "/tree"

const maxReport = 16 << 20

// Runner runs programs in the jail that a Box judges in, in a directory: the tests of a repository, say. It judges nothing;
// what a program says of itself is its own word. It is safe for concurrent use.
type Runner struct{ box *Box }

// OpenRunner finds the programs; Config.Python may be 3.6 or later here, and that of a virtual environment. Errors are of
// type *Error.
func OpenRunner(ctx context.Context, c Config) (*Runner, error) {
	b, err := prepare(ctx, c, 6)
	if err != nil {
		return nil, err
	}
	r := &Runner{b}
	got, err := r.Run(ctx, Job{Dir: os.TempDir(), Source: "import os; os.write(3, b'jailed')"})
	if err == nil && string(got.Report) != "jailed" {
		err = fmt.Errorf("a program that is right ends with %d: %s", got.Exit, bytes.TrimSpace(got.Output))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &Error{err, namespacesHint}
	}
	return r, nil
}

// Version is the interpreter's, as 3.11.
func (r *Runner) Version() string { return r.box.version }

// Job is a program in Python and the directory that it runs in.
type Job struct {
	// Dir is seen as Tree and cannot be changed there. It must be given.
	Dir string
	// Source is the program, and Args its arguments. Whatever it writes on file descriptor 3 is its report.
	Source string
	Args   []string
	// Limits bound it; Steps has no effect. Defaults to those of package sandbox.
	Limits sandbox.Limits
}

// Ran is what became of a Job.
type Ran struct {
	Exit   int // 0 to 255, -1 when it was killed
	Late   bool
	Output []byte // the end of what it wrote on stdout and stderr
	Report []byte // up to 16 MiB of it
	Wall   time.Duration
}

// Run runs a program and waits for a free worker first. An error means that ctx ended or that no process could be started.
func (r *Runner) Run(ctx context.Context, j Job) (Ran, error) {
	select {
	case l := <-r.box.lanes:
		defer func() { r.box.lanes <- l }()
	case <-ctx.Done():
		return Ran{}, ctx.Err()
	}
	limits := withDefaults(j.Limits)
	argv := append(append([]string{}, r.box.argv...), "--ro-bind", j.Dir, Tree, "--remount-ro", "/", "--chdir", Tree,
		r.box.python, "-s", "-B", "-X", "utf8", "-c", fmt.Sprintf("_limits = %q\n", rlimits(limits.MemoryBytes))+limitsSource+j.Source)
	output := &tail{room: limits.OutputBytes}
	var report bytes.Buffer
	o, err := errand{bwrap: r.box.bwrap, argv: append(argv, j.Args...), stdout: output, stderr: output, report: &report, room: maxReport,
		wall: limits.Wall}.run(ctx)
	if ctx.Err() != nil {
		return Ran{}, ctx.Err()
	}
	return Ran{Exit: o.exit, Late: o.late, Output: output.end(), Report: report.Bytes(), Wall: o.wall}, err
}

// moreAddresses is by how much a process's address space may be larger than its memory.
const moreAddresses = 4 << 30

// rlimits are the limits of a process, as limits.py reads them.
func rlimits(memory int64) string {
	return fmt.Sprintf("DATA=%d AS=%d FSIZE=%d NPROC=%d CORE=0", memory, memory+moreAddresses, diskBytes, processes)
}

// tail keeps the end of what is written to it.
type tail struct {
	room int
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - t.room; over > t.room { // now and then, not with every write
		t.kept = append([]byte{}, t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) end() []byte { return t.kept[max(0, len(t.kept)-t.room):] }
