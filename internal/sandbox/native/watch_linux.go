package native

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// every is how often the processes of a jail are looked at, after a first time.
const every = 25 * time.Millisecond

// watch looks at the processes below one, and at that one, until over can be read or has ended; it kills them when there are
// too many, or when they hold too much memory together, and says which. peak is the most memory that they were seen to hold:
// what the kernel says of processes that have ended counts this one's own memory, whose child they were.
//
// The kernel does not bound the number of root's processes (setrlimit(2), RLIMIT_NPROC), so for root this is the only bound.
// Neither looking nor killing may then wait for what it is to end: it sleeps in the kernel, on a thread that comes before
// others, and so does the end of the jail's first process, after which none begins.
func (c crowd) watch(pid int, over *os.File, kill func()) (peak int64, err error) {
	if pid == 0 || c == (crowd{}) {
		return 0, nil
	}
	runtime.LockOSThread() // for ever: the thread ends with its goroutine
	ahead(0)
	end := []unix.PollFd{{Fd: int32(over.Fd()), Events: unix.POLLIN}}
	for wait := every / 5; ; wait = every {
		if n, _ := unix.Poll(end, int(wait.Milliseconds())); n > 0 {
			return peak, nil
		}
		memory, err := c.look(pid)
		peak = max(peak, memory)
		if err != nil {
			ahead(pid)
			_ = unix.Kill(pid, unix.SIGKILL)
			kill()
			return peak, err
		}
	}
}

// ahead has a thread, or this one for 0, come before all others, where this program may say so: as root.
func ahead(pid int) {
	_ = unix.SchedSetAttr(pid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
}

// look counts.
func (c crowd) look(pid int) (int64, error) {
	queue, memory := []int{pid}, int64(0)
	for i := 0; i < len(queue); i++ {
		memory += anonymous(queue[i])
		queue = append(queue, children(queue[i])...)
		switch {
		case len(queue) > c.processes:
			return memory, errCrowded
		case memory > c.memory:
			return memory, errHeavy
		}
	}
	return memory, nil
}

// children are the processes that one has started, or was left; none if it is gone.
func children(pid int) (all []int) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	for _, thread := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))
		if err != nil {
			continue
		}
		for word := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// anonymous is how many bytes of memory a process holds that no other shares.
func anonymous(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident, shared int64
	if _, err := fmt.Sscan(string(text), &size, &resident, &shared); err != nil {
		return 0
	}
	return (resident - shared) * int64(os.Getpagesize())
}

// watchable says whether the kernel tells which processes one has started.
func watchable() bool {
	_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	return err == nil
}
