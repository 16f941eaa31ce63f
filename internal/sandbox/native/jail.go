package native

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"
)

// tenant is what runs in a jail; the filter of system calls depends on it.
type tenant int

const (
	alone    tenant = iota // a process and its threads
	several                // a process that may start others
	ofZygote               // a process that a zygote forked
)

// errand is a command in a jail of its own.
type errand struct {
	bwrap  string
	argv   []string // of bubblewrap, its program included
	who    tenant
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	report io.Writer // what it writes on file descriptor 3, up to room bytes. Defaults to no such descriptor.
	room   int64
	files  []*os.File // what it has open from firstFile on
	wall   time.Duration
	crowd  crowd // bounds of several processes together
}

// firstFile is the descriptor of an errand's first file.
const firstFile = 6

// crowd bounds the processes of a jail together. The zero value bounds nothing.
type crowd struct {
	processes int
	memory    int64
}

// outcome is what became of an errand.
type outcome struct {
	exit   int  // 0 to 255, 128 and the signal where one ended it, -1 where the errand was cut off
	begun  bool // whether its program ran at all; bubblewrap's word, which it gives only of one that came to its own end
	late   bool
	crowd  error // errCrowded or errHeavy: why it was ended
	wall   time.Duration
	memory int64 // bytes that its processes were seen to hold together, at the most
}

// Why the processes of a jail were ended.
var (
	errCrowded = errors.New("too many processes")
	errHeavy   = errors.New("too much memory")
)

// run runs an errand to its end. An error means that ctx ended or that no process could be started.
func (e errand) run(ctx context.Context) (o outcome, err error) {
	filter, err := filterFile(e.who)
	if err != nil {
		return o, err
	}
	defer filter.Close()
	status, toStatus, err := os.Pipe()
	if err != nil {
		return o, err
	}
	defer status.Close()
	defer toStatus.Close()
	over, toOver, err := os.Pipe()
	if err != nil {
		return o, err
	}
	defer over.Close()
	defer toOver.Close()
	var report, toReport *os.File
	if e.report != nil {
		if report, toReport, err = os.Pipe(); err != nil {
			return o, err
		}
		defer report.Close()
		defer toReport.Close()
	}
	cmd := jailCommand(e.bwrap, append([]string{"--json-status-fd", "4", "--seccomp", "5"}, e.argv...))
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = e.stdin, e.stdout, e.stderr, 2*time.Second
	cmd.ExtraFiles = append([]*os.File{toReport, toStatus, filter}, e.files...) // 3, 4, 5, and from firstFile on
	kill := bindGroup(cmd)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return o, err
	}
	toStatus.Close()
	if toReport != nil {
		toReport.Close()
	}
	var late atomic.Bool
	timer := time.AfterFunc(e.wall, func() { late.Store(true); kill() })
	defer timer.Stop()
	stop := context.AfterFunc(ctx, kill)
	defer stop()
	watched := make(chan struct{})
	lines := json.NewDecoder(io.LimitReader(status, 4096))
	go func() {
		defer close(watched)
		o.memory, o.crowd = e.crowd.watch(saidOf(lines).Child, over, kill)
	}()
	var readErr error
	if report != nil {
		_, readErr = io.Copy(e.report, io.LimitReader(report, e.room))
		_, _ = io.Copy(io.Discard, report) // so that it does not wait for a reader
	}
	err = cmd.Wait()
	o.wall = time.Since(began)
	toOver.Close()
	<-watched
	o.begun = saidOf(lines).Exit != nil
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return o, err
	}
	o.exit, o.late = cmd.ProcessState.ExitCode(), late.Load()
	return o, readErr
}

// said is a line of what bubblewrap says of a jail: its first process, and at the end the status of its program.
type said struct {
	Child int  `json:"child-pid"`
	Exit  *int `json:"exit-code"`
}

// saidOf is the next of them, and empty where there is none.
func saidOf(d *json.Decoder) (one said) {
	if d.Decode(&one) != nil {
		return said{}
	}
	return one
}

// jailCommand is bubblewrap's. Root owns the devices of the machine, and so could change their modes in a jail that has
// them: for root they are mounted read-only first, in a namespace around it.
func jailCommand(bwrap string, argv []string) *exec.Cmd {
	const path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
	if os.Geteuid() != 0 {
		cmd := exec.Command(bwrap, argv...)
		cmd.Env = []string{path}
		return cmd
	}
	script := ""
	for _, device := range devices {
		script += "mount -o bind,ro " + device + " " + device + " && "
	}
	cmd := exec.Command("unshare", append([]string{"--user", "--map-root-user", "--mount", "sh", "-c", script + `exec "$@"`, "sh", bwrap},
		argv...)...)
	cmd.Env = []string{path}
	return cmd
}
