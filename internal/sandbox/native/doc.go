// Package native judges programs with a CPython of the machine, for programs that need packages which the embedded
// interpreter lacks, such as numpy. It gives the verdicts of package sandbox, and uses the same harness: the tests run in
// one process, the candidate in another, and what passes between them is plain data that this package relays.
//
// Each side has a zygote (zygote.py): a Python in a jail (bubblewrap: new user, pid, network, ipc and uts namespaces) that
// is started once, imports what takes long, and forks a process for each program. A jail sees the Python installation and
// /usr, read-only, an empty environment and two empty folders in memory, and no home directory, except where the
// installation lies in one. The process of a program has a pid namespace of its own, no capabilities, and limits; a
// filter of system calls lets it start threads but no processes, become no other program, and leave nothing that outlives
// it. One process at a time is alive in a jail; the folders are made anew once a program has touched them. What it cannot
// do to the zygote, to programs after it and to the machine is tried out by testdata/attacks.txtar.
//
// A [Box] has a lane for each program that runs at once, with zygotes of its own for each set of packages that programs
// import. A zygote that dies is replaced, and the program that it took along is run again. It forks past the C library, which
// must be glibc.
//
// What it is not: as strong or as deterministic as the embedded interpreter. The kernel is the only wall, time is real,
// steps are not counted (Limits.Steps has no effect, Judgement.Steps is 0), and that a program without tests reached its
// end is its own process's word: judge programs whose end matters by Tests or Cases. A program is the first process of its
// namespace, as in a container: signals to itself that it does not handle have no effect. Pythons before 3.12 cannot tell
// what caught a StopIteration, so there the tests get a RuntimeError in its place.
//
// A [Runner] runs programs in a directory, each in a jail of its own, and judges nothing.
package native
