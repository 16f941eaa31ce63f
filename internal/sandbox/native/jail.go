package native

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

//go:embed boot.py
var bootSource string

const (
	diskBytes = 64 << 20 // the jail's folder, in memory
	maxFrame  = 64 << 20
	processes = 64
)

// Kinds of frames, see boot.py.
const (
	kindOrder   = 'h'
	kindRequest = 's'
	kindReply   = 'r'
	kindAsk     = 'a'
	kindMark    = 'm'
)

type frame struct {
	kind byte
	data []byte
}

// jail is one jailed interpreter with its side of the harness.
type jail struct {
	cmd    *exec.Cmd
	in     *os.File
	frames chan frame // closed when the process hung up, or spoke nonsense
	out    *capture
	err    *capture
	gone   chan struct{} // closed by end
	wg     sync.WaitGroup
	kill   func()
	once   sync.Once
}

// open starts an interpreter with that much memory and output and hands it its harness.
func (b *Box) open(ctx context.Context, source string, memory int64, output int) (*jail, error) {
	toChild, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, fromChild, err := os.Pipe()
	if err != nil {
		toChild.Close()
		in.Close()
		return nil, err
	}
	filter, err := filterFile()
	if err != nil {
		for _, f := range []*os.File{toChild, in, out, fromChild} {
			f.Close()
		}
		return nil, err
	}
	j := &jail{in: in, frames: make(chan frame), out: &capture{room: output}, err: &capture{room: output}, gone: make(chan struct{})}
	argv := append(append([]string{}, b.argv...), b.python, "-s", "-B", "-u", "-X", "utf8", "-c", bootSource)
	j.cmd = exec.Command(b.bwrap, argv...)
	j.cmd.Env = []string{}
	j.cmd.ExtraFiles = []*os.File{toChild, fromChild, filter} // 3, 4 and 5
	j.cmd.Stdout, j.cmd.Stderr = j.out, j.err
	j.cmd.WaitDelay = 2 * time.Second
	j.kill = bindGroup(j.cmd)
	err = j.cmd.Start()
	toChild.Close()
	fromChild.Close()
	filter.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	j.wg.Go(func() {
		defer close(j.frames)
		defer out.Close()
		j.read(out)
	})
	limits := rlimits(memory)
	first := []frame{{kindOrder, []byte(limits)}, {kindOrder, []byte(source)}}
	for _, f := range first {
		if err := j.send(f); err != nil {
			break // its end says why
		}
	}
	select {
	case f, ok := <-j.frames:
		if ok && f.kind == kindReply {
			return j, nil
		}
	case <-ctx.Done():
		j.end(0)
		return nil, ctx.Err()
	}
	j.end(time.Second)
	return nil, fmt.Errorf("the jail does not start: %s", bytes.TrimSpace(j.err.bytes()))
}

// read delivers frames until the process hangs up. Callers that wait for none are not waited for either.
func (j *jail) read(r io.Reader) {
	for {
		var head [5]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return
		}
		n := binary.LittleEndian.Uint32(head[:])
		if n > maxFrame {
			return
		}
		// A length is believed only as far as bytes arrive.
		data, err := io.ReadAll(io.LimitReader(r, int64(n)))
		if err != nil || len(data) != int(n) {
			return
		}
		select {
		case j.frames <- frame{head[4], data}:
		case <-j.gone:
			return
		}
	}
}

func (j *jail) send(f frame) error {
	if len(f.data) > maxFrame {
		return errors.New("a message is over the limit")
	}
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, len(f.data)+5), uint32(len(f.data)))
	_, err := j.in.Write(append(append(b, f.kind), f.data...))
	return err
}

// end hangs up, gives the process that long to leave, kills what is left, and waits for all of it.
func (j *jail) end(grace time.Duration) {
	j.once.Do(func() {
		close(j.gone)
		j.in.Close()
		timer := time.AfterFunc(grace, j.kill)
		defer timer.Stop()
		if grace <= 0 {
			j.kill()
		}
		_ = j.cmd.Wait() // how it ended is in ProcessState
		j.wg.Wait()
	})
}

// exit is the status with which the process left by itself; false if it was killed. To be called after end.
func (j *jail) exit() (code int, ok bool) {
	if s := j.cmd.ProcessState; s != nil && s.Exited() && s.ExitCode() < 128 {
		return s.ExitCode(), true
	}
	return 0, false
}

// capture keeps the beginning of what is written to it, and counts the rest.
type capture struct {
	room int

	mu    sync.Mutex
	kept  []byte
	total int
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += len(p)
	if left := c.room - len(c.kept); left > 0 {
		c.kept = append(c.kept, p[:min(left, len(p))]...)
	}
	return len(p), nil
}

func (c *capture) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept
}

func (c *capture) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}
