// Package patches tries patches of issues: does one apply to the repository at its base commit, do its files parse, and do
// the tests that came with the fix pass with it.
//
//	lab.go          one issue: its files, with a patch or without, and what their tests said
//	environment.go  the Pythons that tests run with: virtual environments that the user made
//	tests.go        which tests, by the names that SWE-bench gives them; tests.py runs them
//	run.go          many issues, a line of a file each, to be continued
//	summary.go      how many hold, by repository
//
// Invariant: what was not tried is unknown, never false. Whether a patch makes the tests pass is known only where the
// control holds: in the same environment they do not pass before the fix, and all pass after it. Repositories and patches
// are hostile: their code runs in the jail of sandbox/native only, no name out of a record reaches a shell, and what is
// written to disk lies in a directory that goes with the trial.
//
// It is no judge that withstands cheats: tests and patch share one process, as in the official harness, and a patch that
// means to can have them pass. PASS_TO_PASS is not looked at: what else a patch breaks stays unknown.
package patches
