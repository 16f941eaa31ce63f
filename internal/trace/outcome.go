package trace

// Status says how a run ended. The words stand in traces, reports and summaries.
type Status string

// The statuses.
const (
	StatusCompleted Status = "completed" // the root handed in its answer; all that was asked for was done
	StatusPartial   Status = "partial"   // something that was asked for is missing, and the shortfalls say what; what was found is kept
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

// Shortfall is something that was asked for and is missing from a run.
type Shortfall struct {
	Code ShortfallCode `json:"code"`
	// Count is how often it happened: calls, files or turns, as the code says.
	Count int `json:"count"`
	// Lines counts the lines of source that were not answered because of it; 0 where it does not concern lines.
	Lines int `json:"lines"`
	// Text says it in one sentence for people.
	Text string `json:"text"`
}

// ShortfallCode names what is missing.
type ShortfallCode string

// The codes, in the order in which reports list them.
const (
	ShortRoot       ShortfallCode = "root_failed"      // the root model gave no reply
	ShortNoDispatch ShortfallCode = "no_dispatch"      // the root answered without asking a worker anything
	ShortBudget     ShortfallCode = "budget_refused"   // calls that the budget did not cover
	ShortFailed     ShortfallCode = "dispatch_failed"  // calls that gave no reply
	ShortRefused    ShortfallCode = "reply_refused"    // replies that decline to answer
	ShortCut        ShortfallCode = "reply_cut"        // replies that end in the middle
	ShortUnreadable ShortfallCode = "reply_unreadable" // replies that are not what was asked for
	ShortTurns      ShortfallCode = "turns_spent"      // the root used up its turns without an answer
	ShortStopped    ShortfallCode = "interrupted"      // the user or a deadline ended the run
	ShortCoverage   ShortfallCode = "below_coverage"   // fewer lines were answered than were asked for
	ShortSkipped    ShortfallCode = "skipped_source"   // files of source code that were left out
	ShortNoRules    ShortfallCode = "no_rules"         // files in languages that the static rules cannot judge
	ShortUnparsed   ShortfallCode = "not_parsed"       // files that the static rules could not judge: their parser gave up
)

// ShortfallCodes lists the codes in the order in which reports list them.
func ShortfallCodes() []ShortfallCode {
	return []ShortfallCode{ShortRoot, ShortNoDispatch, ShortBudget, ShortFailed, ShortRefused, ShortCut, ShortUnreadable, ShortTurns,
		ShortStopped, ShortCoverage, ShortSkipped, ShortNoRules, ShortUnparsed}
}

// Bearable says whether a run may be complete in spite of it: what no reader could judge is missing from the coverage, but
// nothing went wrong.
func (c ShortfallCode) Bearable() bool {
	return c == ShortSkipped || c == ShortNoRules || c == ShortUnparsed
}
