package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// served is an environment that is served for as long as a training runs.
type served struct {
	url string
	end io.Closer
	cmd *exec.Cmd
}

// serve starts `deeprepo env serve`. It ends with stop, or when this process is gone: it reads our end of its standard input.
// ctx's end does not reach it, since the engine plays its last rollouts then.
func serve(ctx context.Context, o Options, c Config) (*served, error) {
	if c.Program == "" {
		return nil, hint.Wrap(errNoProgram, "give the URL of a running `deeprepo env serve`")
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), c.Program, append(o.serve(), "--addr", "127.0.0.1:0", "--until-eof")...)
	cmd.Env = c.Env
	cmd.WaitDelay = 20 * time.Second
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var said strings.Builder
	cmd.Stderr = &limited{w: &said, left: 4 << 10}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("serve the environment: %w", err)
	}
	s := &served{end: in, cmd: cmd}
	line, err := bufio.NewReader(io.LimitReader(out, 4<<10)).ReadString('\n')
	s.url = strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(s.url, "http") {
		s.stop()
		return nil, fmt.Errorf("serve the environment: it did not start: %s", clip(said.String()))
	}
	return s, nil
}

func (s *served) stop() {
	s.end.Close()
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }() // how it ended changes nothing
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		kill(s.cmd)
		<-done
	}
}

// limited keeps the beginning of what is written.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}
