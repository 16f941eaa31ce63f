package native

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// forbidden are calls that no program needs and that reach deep into the kernel. Starting a process is among them, since
// a limit on their number does not hold for root; threads are not, since their stacks count as memory.
var forbidden = []uint32{
	unix.SYS_ADD_KEY, unix.SYS_BPF, unix.SYS_CHROOT, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSOPEN, unix.SYS_IO_URING_ENTER,
	unix.SYS_IO_URING_REGISTER, unix.SYS_IO_URING_SETUP, unix.SYS_KEXEC_LOAD, unix.SYS_KEYCTL, unix.SYS_MOUNT, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_OPEN_TREE, unix.SYS_PERF_EVENT_OPEN, unix.SYS_PIVOT_ROOT, unix.SYS_PROCESS_VM_READV,
	unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PTRACE, unix.SYS_REQUEST_KEY, unix.SYS_SETNS, unix.SYS_UMOUNT2, unix.SYS_UNSHARE, unix.SYS_USERFAULTFD,
}

// closed is what is forbidden as well where programs follow each other in one jail, and are there already when they are
// locked in: to become another program, since that one could be dumped by the machine, and all that outlives a process.
var closed = []uint32{
	unix.SYS_ACCT, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_CLOCK_SETTIME, unix.SYS_DELETE_MODULE, unix.SYS_EXECVE,
	unix.SYS_EXECVEAT, unix.SYS_FANOTIFY_INIT, unix.SYS_FINIT_MODULE, unix.SYS_FSPICK, unix.SYS_INIT_MODULE, unix.SYS_KCMP,
	unix.SYS_KEXEC_FILE_LOAD, unix.SYS_MIGRATE_PAGES, unix.SYS_MOUNT_SETATTR, unix.SYS_MOVE_PAGES, unix.SYS_MQ_OPEN, unix.SYS_MSGGET,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_OPEN, unix.SYS_PROCESS_MADVISE, unix.SYS_QUOTACTL, unix.SYS_REBOOT,
	unix.SYS_SEMGET, unix.SYS_SETDOMAINNAME, unix.SYS_SETHOSTNAME, unix.SYS_SETTIMEOFDAY, unix.SYS_SHMGET, unix.SYS_SWAPOFF,
	unix.SYS_SWAPON, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
}

// strict is all that a zygote and its programs may not call. It may mount, and start a process in a new pid namespace; programs
// may not, since the kernel wants a capability for both that they do not have.
func strict() []uint32 {
	calls := append(append([]uint32{}, forbidden...), closed...)
	return slices.DeleteFunc(calls, func(call uint32) bool { return call == unix.SYS_MOUNT || call == unix.SYS_UMOUNT2 })
}

// cloneCall is how a zygote forks: the number of the system call, and its flags.
var cloneCall = [2]uint64{unix.SYS_CLONE, unix.CLONE_NEWPID | unix.CLONE_CHILD_SETTID | unix.CLONE_CHILD_CLEARTID | uint64(unix.SIGCHLD)}

// spaces are the flags of a clone that makes namespaces.
const spaces = unix.CLONE_NEWCGROUP | unix.CLONE_NEWIPC | unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUSER |
	unix.CLONE_NEWUTS

// filter is a seccomp program that refuses calls, as the kernel and bubblewrap read it: an array of struct sock_filter in
// the machine's byte order. A call that it refuses fails with EPERM, clone3 with ENOSYS (its flags lie in memory, where no
// filter can look; the C library then uses clone). For those of a zygote it also refuses sockets but those of the jail's own
// (AF_UNIX), for the state of the others outlives a process; core dumps; and leases on files.
func filter(calls []uint32, who tenant) ([]byte, error) {
	arch, ok := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !ok {
		return nil, fmt.Errorf("there is no filter of system calls for %s", runtime.GOARCH)
	}
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		above = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		bits  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		end   = unix.BPF_RET | unix.BPF_K

		number, architecture, first, second = 0, 4, 16, 24 // offsets in struct seccomp_data; the lower halves, little-endian
	)
	var b []byte
	add := func(code uint16, ifTrue, ifFalse uint8, k uint32) {
		b = binary.NativeEndian.AppendUint16(b, code)
		b = append(b, ifTrue, ifFalse)
		b = binary.NativeEndian.AppendUint32(b, k)
	}
	refuse := func(code uint16, k, errno uint32) { // where the test holds
		add(code, 0, 1, k)
		add(end, 0, 0, unix.SECCOMP_RET_ERRNO|errno)
	}
	add(load, 0, 0, architecture)
	add(equal, 1, 0, arch)
	add(end, 0, 0, unix.SECCOMP_RET_KILL_PROCESS)
	add(load, 0, 0, number)
	refuse(above, 0x40000000, uint32(unix.EPERM)) // amd64's other numbers
	refuse(equal, unix.SYS_CLONE3, uint32(unix.ENOSYS))
	if who != several {
		calls = append(forks(), calls...)
	}
	for _, call := range calls {
		refuse(equal, call, uint32(unix.EPERM))
	}
	// where refuses a call whose argument does not pass, or does, a test; the number is loaded again after that.
	where := func(call, argument uint32, test uint16, k uint32, refused bool, errno uint32) {
		yes, no := uint8(1), uint8(0)
		if refused {
			yes, no = 0, 1
		}
		add(equal, 0, 4, call)
		add(load, 0, 0, argument)
		add(test, yes, no, k)
		add(end, 0, 0, unix.SECCOMP_RET_ERRNO|errno)
		add(load, 0, 0, number)
	}
	if who == ofZygote {
		add(equal, 0, 3, unix.SYS_CLONE)
		add(load, 0, 0, first)
		add(equal, 0, 1, uint32(cloneCall[1]))
		add(end, 0, 0, unix.SECCOMP_RET_ALLOW)
		add(load, 0, 0, number)
	}
	if who == several {
		where(unix.SYS_CLONE, first, bits, spaces, true, uint32(unix.EPERM))
	} else {
		where(unix.SYS_CLONE, first, bits, unix.CLONE_THREAD, false, uint32(unix.EPERM))
	}
	if who == ofZygote {
		for _, call := range []uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR} {
			where(call, first, equal, unix.AF_UNIX, false, uint32(unix.EAFNOSUPPORT))
		}
		where(unix.SYS_PRCTL, first, equal, unix.PR_SET_DUMPABLE, true, uint32(unix.EPERM))
		where(unix.SYS_FCNTL, second, equal, unix.F_SETLEASE, true, uint32(unix.EPERM))
	}
	add(end, 0, 0, unix.SECCOMP_RET_ALLOW)
	return b, nil
}

// filterFile is the filter where bubblewrap can read it.
func filterFile(who tenant) (*os.File, error) {
	program, err := filter(forbidden, who)
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if _, err := w.Write(program); err != nil { // a pipe holds as much
		r.Close()
		return nil, err
	}
	return r, nil
}
