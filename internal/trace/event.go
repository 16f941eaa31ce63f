// Package trace is the record of a run: one JSON event a line in trace.jsonl, appended before the event's result is
// used. It is the journal that resume replays, and what reports and pages are drawn from. One schema serves every
// command.
//
// Invariant: sequence numbers start at 1 and have no gap; a line once written is never changed. A torn last line (a
// crash in the middle of a write) is cut off when the file is opened again; any other damage is refused with its line
// number. The package knows nothing of models or sandboxes: it stores what it gets.
package trace

import "time"

// Kind names what an event records.
type Kind string

// The kinds of event, in the order in which a run first meets them.
const (
	KindStart    Kind = "start"    // a run began, or went on after an interruption
	KindRoot     Kind = "root"     // one reply of a root model
	KindCell     Kind = "cell"     // one cell was executed
	KindReserve  Kind = "reserve"  // a call that costs money is about to leave
	KindDispatch Kind = "dispatch" // one prompt was answered (or failed) by a worker
	KindCall     Kind = "call"     // a cell called a name that looks, knows or judges
	KindGate     Kind = "gate"     // an answer was held back for want of coverage
	KindCompact  Kind = "compact"  // old turns of a transcript were folded into a digest
	KindEnd      Kind = "end"      // the run ended
)

// Event is one line of a trace. Exactly one of the pointers is set, the one that Kind names.
type Event struct {
	Seq  int64     `json:"seq"`
	At   time.Time `json:"at"`
	Kind Kind      `json:"kind"`
	// Node says which loop the event belongs to: "" is the root's,
	// the key of the call that began a child otherwise.
	Node string `json:"node,omitempty"`
	Turn int    `json:"turn,omitempty"`
	// Key identifies a journaled call or cell within the run; resume looks it up. It is also the dispatch's ID.
	Key string `json:"key,omitempty"`
	// Hash is a digest of everything that decided the call's reply; a journaled dispatch is only reused when it matches.
	Hash string `json:"hash,omitempty"`

	Start    *Start    `json:"start,omitempty"`
	Root     *Root     `json:"root,omitempty"`
	Cell     *Cell     `json:"cell,omitempty"`
	Reserve  *Reserve  `json:"reserve,omitempty"`
	Dispatch *Dispatch `json:"dispatch,omitempty"`
	Call     *Call     `json:"call,omitempty"`
	Gate     *Gate     `json:"gate,omitempty"`
	Compact  *Compact  `json:"compact,omitempty"`
	End      *End      `json:"end,omitempty"`
}

// Start records what decides a run, so that a resumed run can refuse to continue under other conditions.
type Start struct {
	Run         string `json:"run"`
	Fingerprint string `json:"fingerprint"` // digest of codebase, models, prompts and limits that shape the run
	Resumed     bool   `json:"resumed,omitempty"`
	// System is the system prompt of the loop's root model: with it the exact prompt of every turn can be put together.
	// A resumed run does not repeat it, and a child has its own start event only where its prompt differs from the
	// one of the run. Traces of older versions are without it.
	System string `json:"system,omitempty"`
}

// Usage is what one model call consumed. Tokens are the provider's count; InputTokens includes cached ones.
// CostPico is in pico-dollars (1e-12 USD); nil means that the price is unknown.
type Usage struct {
	InputTokens      int64  `json:"input_tokens"`
	CachedTokens     int64  `json:"cached_tokens,omitempty"`
	CacheWriteTokens int64  `json:"cache_write_tokens,omitempty"`
	OutputTokens     int64  `json:"output_tokens"`
	CostPico         *int64 `json:"cost_pico_usd"`
	// AtMostPico is what the call can have cost, where nobody said what it did: CostPico is the lower end then. nil: it
	// cost CostPico.
	AtMostPico *int64 `json:"at_most_pico_usd,omitempty"`
}

// Reserve says what a call can cost at most, before it leaves. The event of the call's end, under the same key, settles
// it; one that nothing settled was in flight when the process died. With MostPico 0 it is the end itself: the call cost
// nothing.
type Reserve struct {
	Root     bool  `json:"root,omitempty"` // a root model's call
	MostPico int64 `json:"most_pico_usd"`
}

// ToolCall is one call of execute_python in a root's reply.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Root is one call of a root model: the message that was new in it, and the reply; or the error of a failed call that
// was billed all the same.
type Root struct {
	Model     string     `json:"model"`
	Message   string     `json:"message"` // what the engine told the root since its last reply
	Text      string     `json:"text"`
	Error     string     `json:"error,omitempty"`
	Reasoning string     `json:"reasoning,omitempty"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	Finish    string     `json:"finish,omitempty"`
	Usage     Usage      `json:"usage"`
	Synthesis bool       `json:"synthesis,omitempty"` // the reserved last turn, on a shortened transcript
	System    string     `json:"system,omitempty"`    // the system prompt, where it is not that of the start event
	Seconds   float64    `json:"seconds"`
}

// Cell is one block of Python and what the root saw of it.
type Cell struct {
	Index       int      `json:"index"` // within the turn, from 1
	Code        string   `json:"code"`
	Output      string   `json:"output"`
	OutputTotal int      `json:"output_total"` // bytes before the cut
	ErrorType   string   `json:"error_type,omitempty"`
	Error       string   `json:"error,omitempty"` // last line of the traceback
	Stop        CellStop `json:"stop,omitempty"`  // "" when no limit ended it
	Steps       int64    `json:"steps"`
	Seconds     float64  `json:"seconds"` // Python time, host calls not counted
	// Variables are the names that the cell made, changed or deleted, at most [MaxVariables]; VariablesTotal counts them
	// all, and is 0 when none was left out. Package sandbox/heap says what counts as changed.
	Variables      []Variable `json:"variables,omitempty"`
	VariablesTotal int        `json:"variables_total,omitempty"`
}

// MaxVariables and MaxValue bound what is kept of the variables of one cell: their number, and the characters of each
// value.
const (
	MaxVariables = 40
	MaxValue     = 200
)

// Variable is what a cell did to one name of the REPL.
type Variable struct {
	Name string `json:"name"`
	Type string `json:"type"` // name of the class; of the value that was deleted, too
	// Value is the value as Python writes it, cut; "" where that would run code of the program's, and when deleted.
	// Secrets are redacted as in the cell's output.
	Value  string `json:"value"`
	Change string `json:"change"` // ChangeNew, ChangeChanged or ChangeDeleted
}

// Values of Variable.Change.
const (
	ChangeNew     = "new"
	ChangeChanged = "changed"
	ChangeDeleted = "deleted"
)

// Dispatch is one prompt to a worker with its reply or its error.
type Dispatch struct {
	Model    string   `json:"model"`
	Prompt   string   `json:"prompt"` // as sent: secrets are redacted
	Reply    string   `json:"reply,omitempty"`
	Finish   string   `json:"finish,omitempty"` // why the reply ended; "" is in the model's own time
	Purpose  Purpose  `json:"purpose,omitempty"`
	Schema   bool     `json:"schema,omitempty"` // the server was asked to hold the reply to the findings' schema
	Error    string   `json:"error,omitempty"`
	Failure  string   `json:"failure,omitempty"` // what kind of error: llm.Kind; "" in traces of older versions
	Files    []string `json:"files,omitempty"`   // whose lines the prompt held, most lines first, at most MaxFiles
	Usage    Usage    `json:"usage"`
	Cached   bool     `json:"cached,omitempty"` // answered from the content cache: nothing was paid
	Redacted int      `json:"redacted,omitempty"`
	Seconds  float64  `json:"seconds"`
}

// Purpose is what a worker was asked for.
type Purpose string

// The purposes of a dispatch.
const (
	PurposeReview   Purpose = ""         // findings
	PurposeQuestion Purpose = "question" // an answer in its own words
	PurposeVerdict  Purpose = "verdict"  // a second opinion on a finding
)

// MaxFiles bounds Dispatch.Files.
const MaxFiles = 50

// Call is one call of a name of the REPL that asks no model, for those who look at the trace. Both texts are cut.
type Call struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // as JSON
	Result    string `json:"result"`    // in a few words
}

// MaxCall bounds the texts of a Call, in bytes.
const MaxCall = 300

// Gate records an answer that came too early.
type Gate struct {
	Coverage float64 `json:"coverage"`
	Wanted   float64 `json:"wanted"`
	Count    int     `json:"count"`
}

// Compact records that turns From..To were replaced by a digest in the transcript.
type Compact struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Digest string `json:"digest"`
}

// End is the outcome of a run.
type End struct {
	Status     Status     `json:"status"`
	StopReason StopReason `json:"stop_reason"`
}
