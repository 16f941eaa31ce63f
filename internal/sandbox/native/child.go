package native

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

const maxFrame = 64 << 20

// Kinds of frames, see zygote.py.
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

// child is the process of one program, or of its tests, with its side of the harness.
type child struct {
	z        *zygote
	seq      int
	in, from *os.File
	reader   bufio.Reader // of from
	out, err *capture
	output   []*os.File     // what out and err come from
	wg       sync.WaitGroup // of what reads them
	ended    chan ended     // the zygote's word
	once     sync.Once

	// Known after end.
	how  ended
	lost bool // its zygote died first: nothing is known of it
}

// ended is how a child came to its end.
type ended struct {
	status int
	peak   int64 // bytes of memory
	err    error // why there never was one
}

// receive reads a frame; one that is nonsense is the end of the talk.
func receive(r io.Reader) (frame, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return frame{}, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	switch {
	case n > maxFrame:
		return frame{}, errGone
	case n <= 4096:
		data := make([]byte, n)
		_, err := io.ReadFull(r, data)
		return frame{head[4], data}, err
	}
	// A length is believed only as far as bytes arrive.
	data, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err == nil && len(data) != int(n) {
		err = errGone
	}
	return frame{head[4], data}, err
}

// say sends a frame and returns the next one that comes, if it comes in time.
func (c *child) say(f frame, by time.Time) (frame, error) {
	if len(f.data) > maxFrame {
		return frame{}, errors.New("a message is over the limit")
	}
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, len(f.data)+5), uint32(len(f.data)))
	err := c.in.SetWriteDeadline(by)
	if err == nil {
		_, err = c.in.Write(append(append(b, f.kind), f.data...))
	}
	if err == nil {
		err = c.from.SetReadDeadline(by)
	}
	got := frame{}
	if err == nil {
		got, err = receive(&c.reader)
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.kill()
		return frame{}, errLate
	case err != nil:
		return frame{}, errGone
	}
	return got, nil
}

// kill ends the process and all that it started. It does not wait.
func (c *child) kill() { c.leave(0) }

func (c *child) leave(grace time.Duration) {
	if c.z.control.send(fmt.Appendf(nil, "k %d %d", c.seq, grace.Milliseconds())) != nil {
		c.z.kill()
	}
}

// abandon has the process killed, for whom nothing more matters of it. The next one in its zygote waits for its end.
func (c *child) abandon() {
	c.once.Do(func() {
		c.kill()
		c.in.Close()
		c.from.Close()
	})
}

// end gives the process that long to leave, kills what is left, and waits for all of it.
func (c *child) end(grace time.Duration) {
	c.once.Do(func() {
		c.leave(grace)
		c.in.Close()
		timer := time.NewTimer(grace + backstop)
		defer timer.Stop()
		select {
		case c.how = <-c.ended:
		case <-c.z.dead:
			select {
			case c.how = <-c.ended:
			default:
				c.lost = true
			}
		case <-timer.C:
			c.z.kill()
			<-c.z.dead
			c.lost = true
		}
		c.from.Close()
		// A socket on its way in another, which the kernel may keep for minutes, can hold the other ends: no more is awaited.
		for _, f := range c.output {
			_ = f.SetReadDeadline(time.Now().Add(lastWords)) // it may be closed
		}
		c.wg.Wait()
	})
}

// lastWords is how long a process's output is read for after its end, where nobody says that there is no more.
const lastWords = 2 * time.Second

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

var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// drain takes all that comes, and closes.
func (c *capture) drain(f *os.File) {
	defer f.Close()
	b := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(b)
	for {
		n, err := f.Read(b[:])
		_, _ = c.Write(b[:n]) // never fails
		if err != nil {
			return
		}
	}
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
