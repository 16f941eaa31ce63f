package native

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"

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

// filter is the seccomp program of a jail, as bubblewrap reads it: an array of struct sock_filter in the machine's byte
// order. A call that it refuses fails with EPERM, clone3 with ENOSYS (its flags lie in memory, where no filter can look;
// the C library then uses clone).
func filter() ([]byte, error) {
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

		number, architecture, firstArgument = 0, 4, 16 // offsets in struct seccomp_data
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
	for _, call := range append(forks(), forbidden...) {
		refuse(equal, call, uint32(unix.EPERM))
	}
	add(equal, 0, 3, unix.SYS_CLONE)
	add(load, 0, 0, firstArgument) // the lower half, little-endian
	add(bits, 1, 0, unix.CLONE_THREAD)
	add(end, 0, 0, unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))
	add(end, 0, 0, unix.SECCOMP_RET_ALLOW)
	return b, nil
}

// filterFile is the filter where bubblewrap can read it.
func filterFile() (*os.File, error) {
	program, err := filter()
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
