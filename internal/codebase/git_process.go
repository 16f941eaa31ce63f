package codebase

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// gitPatience is how long git may say nothing before it is given up. A pattern in a .gitignore can keep it busy for ever, and so
// can a named pipe in the place of one of its files.
const gitPatience = 30 * time.Second

// errGitSilent is the end of a git that said nothing for so long.
var errGitSilent = errors.New("git did not answer in time")

// command is git with what keeps the repository's configuration from naming programs.
func (g gitRepo) command(ctx context.Context, args ...string) *exec.Cmd {
	full := []string{
		"-c", "core.fsmonitor=", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.alternateRefsCommand=",
		"-c", "safe.directory=*", "--no-pager", "--no-optional-locks", "--literal-pathspecs",
	}
	if g.fetches { // nothing is to go on after it
		full = append(full, "-c", "gc.auto=0", "-c", "maintenance.auto=false")
	}
	if g.gitDir != "" {
		full = append(full, "--git-dir="+g.gitDir)
	}
	cmd := exec.CommandContext(ctx, g.binary, append(full, args...)...)
	cmd.Dir = g.dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_") && !strings.HasPrefix(kv, "LANG") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	protocols := "none"
	if g.fetches {
		protocols = strings.Join(remoteSchemes, ":")
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="+protocols,
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=force", "SSH_ASKPASS=false", "LC_ALL=C")
	return cmd
}

// run runs git: ask writes its input, hear reads its output. When ctx ends, git says nothing for too long or hear fails, git
// and all that it started are killed; the kernel kills git, too, should this process die (on Linux).
func (g gitRepo) run(ctx context.Context, ask func(io.Writer), hear func(*bufio.Reader) error, args ...string) error {
	runtime.LockOSThread() // git is bound to the life of the thread that starts it
	defer runtime.UnlockOSThread()
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	cmd := g.command(ctx, args...)
	kill := ownGroup(cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &limitedWriter{&stderr, 4 << 10}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var in io.WriteCloser
	if ask != nil {
		if in, err = cmd.StdinPipe(); err != nil {
			return err
		}
	}
	cmd.Cancel = func() error {
		err := kill()
		return errors.Join(err, out.Close()) // a child that left the group may hold the other end
	}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	silence := time.AfterFunc(g.patience, func() { giveUp(errGitSilent) })
	defer silence.Stop()
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		if ask != nil {
			ask(in)
			_ = in.Close()
		}
	}()
	heard := hear(bufio.NewReaderSize(&watched{out, func() { silence.Reset(g.patience) }}, 256<<10))
	if heard != nil {
		giveUp(heard)
	}
	err = cmd.Wait()
	<-asked
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errGitSilent):
		return fmt.Errorf("%w (git %s said nothing for %v)", errGitSilent, args[0], g.patience)
	case heard != nil:
		if ctxErr := ctx.Err(); ctxErr != nil && !errors.Is(cause, heard) {
			return ctxErr
		}
		return heard
	case err != nil && cause != nil:
		return cause
	case err != nil:
		line, _, _ := strings.Cut(stderr.String(), "\n")
		return fmt.Errorf("git %s: %w: %q", args[0], err, line)
	}
	return nil
}

// watched calls seen whenever something was read.
type watched struct {
	io.Reader
	seen func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.seen()
	}
	return n, err
}

// limitedWriter drops what comes after so many bytes.
type limitedWriter struct {
	w    io.Writer
	left int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	keep := p[:min(len(p), l.left)]
	l.left -= len(keep)
	_, err := l.w.Write(keep)
	return len(p), err
}
