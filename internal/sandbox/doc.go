// Package sandbox runs untrusted Python: CPython 3.13 compiled to WebAssembly, embedded in this binary, run by wazero
// in worker processes which the caller's process can kill.
//
// An [Engine] owns the worker processes. A [Session] is one interpreter with its own memory: a REPL whose cells share
// a namespace. Python reaches the caller only through the module _host:
//
//	_host.call(name: str, payload: bytes) -> bytes
//
// which is served by [SessionConfig].Host in the caller's process.
//
// [Engine.Exec] judges a [Program]. The candidate runs in one interpreter, the suspect; its tests in another, the judge,
// where the candidate's functions are stand-ins whose calls carry plain data to the suspect and back, inside the worker.
// Nothing that a candidate does to its own interpreter reaches what decides. Package harness is the Python of both
// sides; docs/sandbox.md says what a verdict is proof against.
//
// # Invariants
//
//   - No file, network, environment, process or memory of the host is reachable from a cell. The guest sees a
//     read-only standard library, a virtual clock and a fixed random source.
//   - The same prelude, setup, cells and host replies give the same outputs and the same step counts, bit for bit, in
//     every process (unless a wall limit strikes, which counts real time).
//   - A cell ends within 100 ms of its wall limit. Python code is interrupted and keeps its state; one long operation
//     inside C code (which cannot be interrupted) is ended by killing the worker process.
//   - A verdict "passed" is the judge's word, given with a nonce that the suspect never holds, or, where there are no
//     tests, the word of the interpreter's C code or of a comparison in Go. Interpreters are used again after their
//     memory, clock and random source are back in their first state; verdicts and steps do not depend on what ran before.
//   - Only the offending cell notices a kill. Sessions that lived in the killed process are rebuilt by running
//     their completed cells again with the host replies that were recorded the first time; when that would take long,
//     from a checkpoint of their memory.
//
// # What programs see
//
// Cells run in __main__; an expression at the end of a cell shows its repr, await works at the top level, sys.exit is an
// exception. Time is virtual: it starts in 2026, moves a microsecond with each look and by as much as a program sleeps,
// and sleeping costs nothing. There are no threads: threading.Thread and the executors of concurrent.futures do their
// work at once. asyncio works, without sockets. Only the standard library can be imported.
//
// # What it is not
//
// It is not a container for native code, and not the only wall that should stand between an attacker and precious
// data: a defect in wazero's compiler would be an escape into a process without privileges beyond its user's.
package sandbox
