// Package runcode serves the sandbox to trainers and evaluators over SandboxFusion's protocol: POST /run_code takes a
// Python program and answers what it did, as verl, Tinker's recipes and the sandbox-fusion client expect it. POST
// /run_batch, which that protocol lacks, takes many programs at once, each optionally with tests that its own judge
// runs.
//
// Every answer carries two judgements. SandboxFusion's (status, run_result) is that of an operating system: a program
// that exits with 0 is a success. Ours (verdict) is the sandbox's: a program passes when it reached its end, or when its
// tests did in an interpreter that it cannot touch, so sys.exit(0) before the first assertion is not a pass.
//
// A run_timeout buys steps, ten million a second, so that a verdict does not depend on what else the machine does; time is
// a backstop, twice as much.
//
// Invariants: an accepted request is answered, unless its client goes away; nothing is accepted beyond the queue, and
// refused clients are told when to retry. A request that waited longer than its client would is answered with 504,
// which clients repeat. At most Workers programs run at once, in the order in which they came. Nothing of a request
// reaches the machine's files: the files that a program is given, and those that it writes, are in its own memory.
//
// The package judges nothing itself and knows neither datasets nor models.
package runcode
