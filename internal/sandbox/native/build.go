package native

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// build is one program in a language other than Python, on its way to a judgement. It is compiled in one jail; what that
// leaves goes through this process into the next, where it runs: once for each case.
type build struct {
	p    *Polyglot
	l    *spokenHere
	q    sandbox.Program
	dir  string // of this program
	tree string // the folder in it that a jail sees: that of the source, then that of what the compiler made, if it makes something
}

func (b *build) judge(ctx context.Context) (sandbox.Judgement, error) {
	if err := b.write(); err != nil {
		return sandbox.Infra(err), nil
	}
	j, err := b.compile(ctx)
	if err != nil || j.Verdict != "" {
		return j, err
	}
	compilation := j.Compilation
	if len(b.q.Cases) > 0 {
		j, err = b.q.RunCases(func(c sandbox.Case, output int) (sandbox.Judgement, error) { return b.run(ctx, c.Stdin, output) })
	} else {
		j, err = b.run(ctx, b.q.Stdin, b.q.Limits.OutputBytes)
	}
	j.Compilation = compilation
	return j, err
}

// words fills in a command; out is the folder of what the compiler leaves.
func (b *build) words(command []string, out string) []string {
	return replaced(strings.NewReplacer("{file}", Tree+"/"+b.l.fileName(b.q.Code), "{class}", runnable(b.q.Code),
		"{memory}", fmt.Sprint(max(b.q.Limits.MemoryBytes>>20, 16)), "{cache}", preparedAt, "{out}", out), replaced(b.l.words, command))
}

// argv is bubblewrap's command line, up to a program that has such limits and copies of such files, which are open from
// firstFile on.
func (b *build) argv(memory int64, descriptors int, wall time.Duration, files ...sandbox.File) []string {
	argv := append([]string{}, b.p.argv...)
	for _, path := range b.l.sights {
		argv = append(argv, "--ro-bind", path, path)
	}
	if b.l.prepared != "" {
		argv = append(argv, "--ro-bind", b.l.prepared, preparedAt)
	}
	for _, variable := range b.words(b.l.env, "") {
		name, value, _ := strings.Cut(variable, "=")
		argv = append(argv, "--setenv", name, value)
	}
	// By its processor time it ends even if nobody looks at the clock.
	seconds := (int(wall.Seconds()) + 2) * runtime.NumCPU()
	for i, f := range files {
		argv = append(argv, "--file", strconv.Itoa(firstFile+i), folder+"/"+f.Name)
	}
	// The kernel's bound on processes is twice the one that is watched (crowd): a bomb that only reached its own bound, and ends
	// some processes while it tries again, could be counted below it for ever.
	return append(argv, "--ro-bind", b.tree, Tree, "--remount-ro", "/", "prlimit", "--core=0", fmt.Sprintf("--data=%d", memory),
		fmt.Sprintf("--fsize=%d", diskBytes), fmt.Sprintf("--nproc=%d", 2*processes), fmt.Sprintf("--nofile=%d", descriptors),
		fmt.Sprintf("--cpu=%d", seconds))
}

// compiling runs a compiler, and sends what it left.
const compiling = `mkdir /box/out && "$@" </dev/null >&2 3>&- || exit $?; cd /box/out && exec tar -cf - . >&3`

// compile compiles the program, or checks it. A judgement without a verdict means that all is well so far.
func (b *build) compile(ctx context.Context) (sandbox.Judgement, error) {
	if len(b.l.tongue.compile) == 0 {
		return sandbox.Judgement{}, nil
	}
	wall := compileWall
	if b.q.CompileWall > 0 {
		wall = b.q.CompileWall
	}
	argv := append(b.argv(compileMemory, 1024, wall), "sh", "-c", compiling, "sh")
	said, made := &capture{room: compileOutput}, &bytes.Buffer{}
	o, err := errand{
		bwrap: b.p.bwrap, argv: append(argv, b.words(b.l.tongue.compile, folder+"/out")...), who: several, stdout: said, stderr: said,
		report: made, room: artifactBytes + 1<<20, wall: wall, crowd: crowd{compileCrowd, compileMemory * 3 / 2},
	}.run(ctx)
	if err != nil {
		return sandbox.Judgement{}, err
	}
	text := valid(said.bytes())
	j := sandbox.Judgement{Compilation: &sandbox.Compilation{Output: text, ExitCode: o.exit, Late: o.late, Wall: o.wall}}
	fail := func(verdict sandbox.Verdict, class, message string) (sandbox.Judgement, error) {
		j.Verdict, j.ExitCode, j.MemoryBytes = verdict, 1, o.memory
		j.Error = &sandbox.PyError{Type: class, Message: message, Traceback: text, Line: lineOf(text, b.l.fileName(b.q.Code))}
		return j, nil
	}
	switch {
	case o.late:
		return fail(sandbox.Timeout, "CompileTimeout", fmt.Sprintf("compiling took longer than %v", wall))
	case o.crowd != nil:
		return fail(sandbox.Memory, "CompileLimit", "the compiler took "+o.crowd.Error())
	case !o.begun:
		return sandbox.Judgement{}, fmt.Errorf("the jail of a compiler does not start: %s", cut(strings.TrimSpace(text), 1000))
	case o.exit != 0 && (o.memory > compileMemory*9/10 || says(text, starving)):
		return fail(sandbox.Memory, "CompileLimit", "the compiler took too much memory")
	case o.exit != 0:
		return fail(sandbox.SyntaxError, "CompileError", firstError(text))
	}
	if b.l.compiles {
		b.tree = filepath.Join(b.dir, "made")
		if err := os.Mkdir(b.tree, 0o755); err != nil {
			return sandbox.Judgement{}, err
		}
		if err := unpack(made, b.tree); err != nil {
			return fail(sandbox.SyntaxError, "CompileError", "what the compiler made cannot be used: "+err.Error())
		}
	}
	return j, nil
}

// run runs the program once.
func (b *build) run(ctx context.Context, stdin string, output int) (sandbox.Judgement, error) {
	limits := b.q.Limits
	memory := limits.MemoryBytes + int64(b.l.overhead)<<20
	files, closing, fault := b.open()
	defer closing()
	if fault != nil {
		return sandbox.Judgement{}, fault
	}
	argv := b.argv(memory+int64(b.l.reserved)<<20, openFiles, limits.Wall, b.q.Files...)
	out, err := &capture{room: output}, &capture{room: output}
	ends := &tail{room: 4096}
	e := errand{
		bwrap: b.p.bwrap, files: files,
		stdin: strings.NewReader(stdin), stdout: out, stderr: io.MultiWriter(err, ends), wall: limits.Wall,
		crowd: crowd{processes, memory},
	}
	left := &bytes.Buffer{}
	if len(b.q.Fetch) > 0 {
		argv = append(argv, "sh", "-c", fetching(b.q.Fetch), "sh")
		e.report, e.room = left, fetchBytes+1<<20
	}
	e.argv = append(argv, b.words(b.l.tongue.run, Tree)...)
	if b.l.forks || len(b.q.Fetch) > 0 {
		e.who = several
	}
	o, fault := e.run(ctx)
	if fault != nil {
		return sandbox.Judgement{}, fault
	}
	j := sandbox.Judgement{
		Stdout: valid(out.bytes()), StdoutBytes: out.count(), Stderr: valid(err.bytes()), StderrBytes: err.count(),
		ExitCode: o.exit, Wall: o.wall, MemoryBytes: o.memory,
	}
	if !o.begun && !o.late && o.crowd == nil {
		return sandbox.Judgement{}, fmt.Errorf("the jail of a program does not start: %s", cut(strings.TrimSpace(j.Stderr), 1000))
	}
	j.Files = fetched(left, b.q.Fetch)
	j.Verdict, j.Error = b.verdict(o, j.Stderr+string(ends.end()))
	if j.Verdict != sandbox.Passed && j.ExitCode <= 0 {
		j.ExitCode = 1
	}
	return j, nil
}

// verdict says how a program ended; stderr is the beginning and the end of what it wrote there.
func (b *build) verdict(o outcome, stderr string) (sandbox.Verdict, *sandbox.PyError) {
	words, signal := signals[o.exit-128]
	switch {
	case o.late, signal && words == cpuTime:
		return sandbox.Timeout, &sandbox.PyError{Type: "Timeout", Message: fmt.Sprintf("ran longer than %v", b.q.Limits.Wall)}
	case errors.Is(o.crowd, errCrowded):
		return sandbox.Failed, &sandbox.PyError{Type: "ProcessLimit", Message: fmt.Sprintf("it started more than %d processes", processes)}
	case o.crowd != nil:
		return sandbox.Memory, &sandbox.PyError{Type: "MemoryLimit", Message: "its processes took too much memory together"}
	case o.exit == 0:
		return sandbox.Passed, nil
	}
	e := &sandbox.PyError{Type: "ExitStatus", Message: strconv.Itoa(o.exit)}
	if signal {
		e = &sandbox.PyError{Type: "Signal", Message: fmt.Sprintf("%s (status %d)", words, o.exit)}
	}
	if o.memory > b.q.Limits.MemoryBytes*19/20 || says(stderr, b.l.starved) {
		return sandbox.Memory, &sandbox.PyError{Type: "MemoryLimit", Message: "it ended for want of memory: status " + strconv.Itoa(o.exit)}
	}
	return sandbox.Failed, e
}

const cpuTime = "too much processor time"

// signals are those that end programs, by their numbers on Linux: a status of 128 and one of them most likely means it.
var signals = map[int]string{
	4: "illegal instruction", 5: "trap", 6: "aborted", 7: "bus error", 8: "arithmetic exception", 9: "killed", 11: "segmentation fault",
	13: "broken pipe", 24: cpuTime, 25: "file too large", 31: "forbidden system call",
}

// says tells whether one of the words stands in a text.
func says(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// firstError is the line of a compiler's text that says what is wrong, as far as that can be told.
func firstError(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(strings.ReplaceAll(line, Tree+"/", "")), "tree/") // as Go says it
		switch {
		case strings.Contains(strings.ToLower(line), "error"):
			return cut(line, 1000)
		case first == "" && !strings.HasPrefix(line, "#"): // Go's heading
			first = line
		}
	}
	return cut(first, 1000)
}

// lineOf is the line of the program's file that a compiler's text names first, 0 where it names none.
func lineOf(text, file string) int {
	_, rest, ok := strings.Cut(text, file+":")
	if !ok {
		return 0
	}
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "line ")
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// maxArtifacts is how many files a compiler may leave: a Java program has one for each of its classes.
const maxArtifacts = 2000

// unpack writes the files of an archive, which a compiler's jail sent, into a directory.
func unpack(archive io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	reader := tar.NewReader(archive)
	for total, n := int64(0), 0; ; {
		h, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if n, total = n+1, total+h.Size; n > maxArtifacts || h.Size > artifactBytes || total > artifactBytes {
			return fmt.Errorf("it is more than %d files or %d MiB", maxArtifacts, artifactBytes>>20)
		}
		if inner := path.Dir(name); inner != "." {
			if err := root.MkdirAll(inner, 0o755); err != nil {
				return err
			}
		}
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, reader)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}
