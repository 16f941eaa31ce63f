// Package native judges programs with a CPython of the machine, for programs that need packages which the embedded
// interpreter lacks, such as numpy. It gives the verdicts of package sandbox, and uses the same harness: the tests run in
// one process, the candidate in another, and what passes between them is plain data that this package relays.
//
// Each process is in its own jail (bubblewrap: new user, pid, network, ipc and uts namespaces, no capabilities): it
// sees the Python installation and /usr, read-only, an empty environment and an empty folder in memory, and no home
// directory, except where the installation lies in one. A filter of system calls lets it start threads but no
// processes; resource limits bound its memory and its files; a deadline kills it.
//
// What it is not: as strong or as deterministic as the embedded interpreter. The kernel is the only wall, time is real,
// steps are not counted (Limits.Steps has no effect, Judgement.Steps is 0), and that a program without tests reached its
// end is its own process's word: judge programs whose end matters by Tests or Cases. Pythons
// before 3.12 cannot tell what caught a StopIteration, so there the tests get a RuntimeError in its place.
package native
