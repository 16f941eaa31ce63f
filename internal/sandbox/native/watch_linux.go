package native

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// every is how often the processes of a jail are looked at, after a first time.
const every = 25 * time.Millisecond

// watch looks at the processes below one, and at that one, until over is closed; it kills them when there are too many,
// or when they hold too much memory together, and says which. peak is the most memory that they were seen to hold: what the
// kernel says of processes that have ended counts this one's own memory, whose child they were.
func (c crowd) watch(pid int, over <-chan struct{}, kill func()) (peak int64, err error) {
	if pid == 0 || c == (crowd{}) {
		return 0, nil
	}
	timer := time.NewTimer(every / 5)
	defer timer.Stop()
	for {
		select {
		case <-over:
			return peak, nil
		case <-timer.C:
			timer.Reset(every)
		}
		memory, err := c.look(pid)
		peak = max(peak, memory)
		if err != nil {
			kill()
			return peak, err
		}
	}
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
