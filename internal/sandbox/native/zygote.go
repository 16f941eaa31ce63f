package native

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/harness"
)

//go:embed zygote.py
var zygoteSource string

//go:embed suspect_extra.py
var suspectExtra string

// role is one of the two sides.
type role int

const (
	suspect role = iota
	judge
)

func (r role) source() string {
	if r == judge {
		return harness.Judge()
	}
	return harness.Suspect() + suspectExtra
}

const (
	startWall = 60 * time.Second // of a zygote, its packages included
	backstop  = 5 * time.Second  // after which a zygote that does not answer is killed
)

// zygote is a jailed Python that is warm, and forks a process for each program; see zygote.py. One at a time is alive.
type zygote struct {
	cmd     *exec.Cmd
	kill    func()
	control *control
	log     *capture // what it said, before its children
	up      chan struct{}
	dead    chan struct{} // closed when it hung up
	output  bool          // its children have stdout and stderr

	mu   sync.Mutex
	seq  int
	live *child
}

// first is what a zygote is told when it starts.
type first struct {
	Source  string      `json:"source"`
	Preload []string    `json:"preload"`
	Folders []string    `json:"folders"` // made anew for each program
	Kept    [][2]string `json:"kept"`    // where a folder of the installation lies for good, and where in one of Folders
	Tmpfs   string      `json:"tmpfs"`   // options of their mounts
	Devices []string    `json:"devices"`
	Output  bool        `json:"output"` // whether children have stdout and stderr
	Limits  string      `json:"limits"` // of the children's that are the same for all
	Filter  string      `json:"filter"` // hexadecimal
	Clone   [2]uint64   `json:"clone"`  // the number of the system call, and its flags
}

// start starts a zygote and waits until it is warm.
func (b *Box) start(ctx context.Context, r role, preload []string) (*zygote, error) {
	code, err := filter(strict(), ofZygote)
	if err != nil {
		return nil, err
	}
	// The loader looks up all functions at the start, once for all children.
	argv := append(append([]string{}, b.argv...), "--cap-add", "CAP_SYS_ADMIN", "--setenv", "LD_BIND_NOW", "1")
	kept := [][2]string{}
	for _, dir := range b.folders {
		if slices.ContainsFunc(writable, func(w string) bool { return within(dir, w) }) {
			source := fmt.Sprintf("/.kept%d", len(kept))
			kept = append(kept, [2]string{source, dir})
			argv = append(argv, "--ro-bind", dir, source)
		}
	}
	order, err := json.Marshal(first{Source: r.source(), Preload: append(usual, preload...), Folders: writable, Kept: kept,
		Tmpfs: fmt.Sprintf("size=%d,nr_inodes=%d,mode=755", diskBytes, diskFiles), Devices: devices,
		Output: r == suspect, Limits: fmt.Sprintf("FSIZE=%d CORE=0 NOFILE=%d", diskBytes, openFiles),
		Filter: hex.EncodeToString(code), Clone: cloneCall})
	if err != nil {
		return nil, err
	}
	ours, theirs, err := controls()
	if err != nil {
		return nil, err
	}
	z := &zygote{control: ours, output: r == suspect, log: &capture{room: 64 << 10}, up: make(chan struct{}), dead: make(chan struct{})}
	argv = append(argv, "--remount-ro", "/", b.python, "-s", "-B", "-u", "-X", "utf8", "-c", zygoteSource)
	z.cmd = exec.Command(b.bwrap, argv...)
	z.cmd.Env = []string{}
	z.cmd.ExtraFiles = []*os.File{theirs} // 3
	z.cmd.Stdout, z.cmd.Stderr = z.log, z.log
	z.cmd.WaitDelay = 2 * time.Second
	z.kill = bindGroup(z.cmd)
	err = z.cmd.Start()
	theirs.Close()
	if err != nil {
		ours.Close()
		return nil, err
	}
	go z.listen()
	err = ours.send(order)
	timer := time.NewTimer(startWall)
	defer timer.Stop()
	if err == nil {
		select {
		case <-z.up:
			return z, nil
		case <-z.dead:
		case <-timer.C:
		case <-ctx.Done():
			z.close()
			return nil, ctx.Err()
		}
	}
	z.close()
	return nil, fmt.Errorf("the jail does not start: %s", bytes.TrimSpace(z.log.bytes()))
}

// listen reads what the zygote says until it hangs up.
func (z *zygote) listen() {
	defer close(z.dead)
	buffer := make([]byte, 4096)
	for {
		n, err := z.control.Read(buffer)
		if err != nil || n == 0 {
			return
		}
		if text := string(buffer[:n]); text == "ready" {
			close(z.up)
		} else {
			z.report(text)
		}
	}
}

// report takes the word on the end of a child.
func (z *zygote) report(text string) {
	z.mu.Lock()
	defer z.mu.Unlock()
	var seq int
	var e ended
	switch {
	case strings.HasPrefix(text, "e "):
		_, e.err = fmt.Sscanf(text, "e %d %d %d", &seq, &e.status, &e.peak)
		e.peak *= 1024
	default:
		if _, err := fmt.Sscanf(text, "x %d", &seq); err == nil {
			e.err = errors.New("a process cannot be started: " + text)
		}
	}
	if c := z.live; c != nil && c.seq == seq {
		c.ended <- e
		z.live = nil
	}
}

// gone tells whether it can serve no more.
func (z *zygote) gone() bool {
	select {
	case <-z.dead:
		return true
	default:
		return false
	}
}

func (z *zygote) close() {
	z.kill()
	z.control.Close()
	_ = z.cmd.Wait() // it was killed
	<-z.dead
}

// spawn has a process forked. Of its output as much is kept.
func (z *zygote) spawn(memory int64, wall time.Duration, output int) (*child, error) {
	c := &child{z: z, out: &capture{room: output}, err: &capture{room: output}, ended: make(chan ended, 1)}
	n := 4
	if !z.output {
		n = 2
	}
	ours, theirs, err := pipes(n)
	if err != nil {
		return nil, err
	}
	defer closeAll(theirs)
	c.output, c.in, c.from = ours[:n-2], ours[n-2], ours[n-1]
	for i, f := range c.output {
		c.wg.Go(func() { []*capture{c.out, c.err}[i].drain(f) })
	}
	c.reader.Reset(c.from)
	z.mu.Lock()
	z.seq++
	c.seq, z.live = z.seq, c
	z.mu.Unlock()
	order := fmt.Appendf(nil, "s %d %d %d %d %d", c.seq, memory, memory+moreAddresses, processes, int(wall.Seconds())+2)
	if err := z.control.send(order, theirs...); err != nil {
		z.kill() // what ended it is found out by end
	}
	return c, nil
}
