package native

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// every is how often the processes of a jail are looked at.
const every = 25 * time.Millisecond

// watch looks at the processes below one, and at that one, until over is closed; it kills them when there are too many,
// or when they hold too much memory together, and says which.
func (c crowd) watch(pid int, over <-chan struct{}, kill func()) error {
	if pid == 0 || c == (crowd{}) {
		return nil
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-over:
			return nil
		case <-ticker.C:
		}
		if err := c.look(pid); err != nil {
			kill()
			return err
		}
	}
}

// look counts.
func (c crowd) look(pid int) error {
	queue, memory := []int{pid}, int64(0)
	for i := 0; i < len(queue); i++ {
		memory += anonymous(queue[i])
		queue = append(queue, children(queue[i])...)
		switch {
		case len(queue) > c.processes:
			return errCrowded
		case memory > c.memory:
			return errHeavy
		}
	}
	return nil
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

// peak is the memory of the largest process that one and its children had, in bytes.
func peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss * 1024
}
