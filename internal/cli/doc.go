// Package cli is the command line: one file a command, flags in, exit codes out. What a command does lives in the
// packages below.
//
// Exit codes: 0 success; 1 the answer is "no" (findings at or above --fail-on); 2 wrong usage; 3 an outside failure (no
// key, network, budget, disk) or an interruption, after which what was paid for is saved and can be resumed.
package cli

// Exit codes.
const (
	exitOK      = 0
	exitNo      = 1
	exitUsage   = 2
	exitOutside = 3
)
