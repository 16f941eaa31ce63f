package trace

// Status says how a run ended. The words stand in traces, reports and summaries.
type Status string

// The statuses.
const (
	StatusCompleted Status = "completed" // the root handed in its answer; all that was asked for was done
	StatusPartial   Status = "partial"   // something ended the run before that; what was found is kept
	StatusFailed    Status = "failed"    // nothing was found
	StatusDiverged  Status = "diverged"  // a training was stopped because it only got worse; the best policy was kept
)

// StopReason says why a loop stopped: one of the words below, or a text of what failed.
type StopReason string

// The reasons that have a word of their own. Rewards and exit codes depend on them.
const (
	StopAnswer      StopReason = "answer"      // the root handed it in
	StopTurns       StopReason = "turns"       // all turns were used up without one
	StopBudget      StopReason = "budget"      // the money was spent
	StopInterrupted StopReason = "interrupted" // the user's doing, or a deadline's
	// StopUnanswered is followed by ": " and the last error.
	StopUnanswered StopReason = "no worker answered"
)

// CellStop says which limit ended a cell; "" is none.
type CellStop string

// The limits. A cell that was killed reacted to none of them, and its variables are as they were before it.
const (
	CellSteps  CellStop = "steps"
	CellWall   CellStop = "wall"
	CellMemory CellStop = "memory"
	CellKilled CellStop = "killed"
)
