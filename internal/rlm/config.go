package rlm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Models gives the loop its models. The budget, nil when there is no cap, is the pool that the returned model's calls
// must be reserved from: children get their own pools.
type Models interface {
	Root(pool *llm.Budget) (llm.Handle, error)
	// Worker returns the worker of that name; "" is the configured one. An unknown name is an error that the cell sees.
	Worker(name string, pool *llm.Budget) (llm.Handle, error)
}

// Sandbox opens REPLs. *sandbox.Engine satisfies it.
type Sandbox interface {
	NewSession(ctx context.Context, c sandbox.SessionConfig) (*sandbox.Session, error)
}

// Redactor replaces secrets in a text and counts them. *redact.Redactor satisfies it.
type Redactor interface {
	Redact(text string) (string, int)
}

// Opinion asks for second opinions on findings, and weighs them.
type Opinion interface {
	// Check is what the code says of a finding without a model. decided says that nobody has to be asked.
	Check(ctx context.Context, f finding.Finding) (v runfile.Verification, decided bool)
	// Question is the request for an opinion, and the files whose code it shows.
	Question(ctx context.Context, h llm.Handle, f finding.Finding) (request llm.Request, shown []string)
	// Again is the request with the code that a reply says is missing, ok says that there is such. It is asked at most once.
	Again(ctx context.Context, h llm.Handle, f finding.Finding, reply string) (request llm.Request, shown []string, ok bool)
	// Weigh makes a verification of a reply to either.
	Weigh(ctx context.Context, f finding.Finding, shown []string, reply string) runfile.Verification
}

// Config is everything that a run needs. The first block must be given.
type Config struct {
	Codebase *codebase.Codebase
	Models   Models
	Sandbox  Sandbox
	Trace    *trace.Writer
	Preset   Preset

	// Past holds the trace's earlier events: its contents are not done or paid for again. Defaults to none.
	Past []trace.Event
	// Fingerprint digests what decides the run, for the trace's start event. Defaults to "".
	Fingerprint string
	// RunID names the run in its trace. Defaults to "".
	RunID string
	// Budget is the cap on what the run may cost. Defaults to none.
	Budget *llm.Budget
	// Redact removes secrets from text that leaves the machine. Defaults to no redaction.
	Redact Redactor
	// Gate holds early answers back. Defaults to off.
	Gate Gate
	// Graph gives the codebase's code graph, which is built when it is first asked for. Defaults to none.
	Graph func(context.Context) (*graph.Graph, error)
	// Flows gives what untrusted values reach in the codebase, which is found out when it is first asked for. Defaults to none.
	Flows func(context.Context) ([]flow.Hit, error)
	// Locate says how the index that ranks places by a text is made; its Graph is Graph, without which there is none.
	Locate locate.Options
	// Unaided has roots go without localise() and search(). Defaults to false.
	Unaided bool
	// Opinion gives second opinions to roots that ask for them. Defaults to none.
	Opinion Opinion
	// Skipped counts lines of source code that the codebase lacks though nobody asked for that: they count as unanswered.
	Skipped int
	// MaxTurns bounds the root's turns. Defaults to 20.
	MaxTurns int
	// ChildTurns bounds each child's turns. Defaults to 8.
	ChildTurns int
	// MaxDepth is how deep rlm_query may nest; at that depth it becomes llm_query. Zero means no children.
	// Defaults to 0.
	MaxDepth int
	// Concurrency is how many dispatches may be in progress at once, children's included. Defaults to 8.
	Concurrency int
	// OutputChars is how much of a cell's output the root sees. Defaults to 8192.
	OutputChars int
	// RootTokens and WorkerTokens bound the replies. Default to 8192 and 4096.
	RootTokens, WorkerTokens int
	// CellWall bounds a cell's own time; waiting for workers does not count. Defaults to 120 s.
	CellWall time.Duration
	// TranscriptChars is the length at which old turns are folded into a digest. Defaults to what fits 70 % of the
	// root's context window, or 400,000.
	TranscriptChars int
	// Observe sees the run's progress; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(Progress)
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
}

// Gate is the early-finish gate (design: coverage and findings).
type Gate struct {
	Mode     GateMode
	Coverage float64 // share of source lines that must have been answered, 0 to 1
}

// GateMode says what happens to an answer below the wanted coverage.
type GateMode string

// The three modes, which bench can compare.
const (
	GateOff    GateMode = ""       // nothing is asked
	GatePrompt GateMode = "prompt" // the root is told, and trusted to do it
	GateHold   GateMode = "gate"   // the answer is held back, at most three times
)

// Progress is a snapshot for a live view.
type Progress struct {
	Node            string // "" for the root's own loop
	Turn, MaxTurns  int
	Doing           string // "thinking", "running cell", "reading", "writing the report"
	Dispatches      int    // done
	DispatchesTotal int    // done and asked for
	Failed          int
	Coverage        float64
	Spent           *money.USD // nil when something of unknown price was used
}

const defaultWorkerTokens = 4096

func (c Config) withDefaults() (Config, error) {
	if c.Codebase == nil || c.Models == nil || c.Sandbox == nil || c.Trace == nil {
		return c, errors.New("rlm: Config needs Codebase, Models, Sandbox and Trace")
	}
	if c.Preset.Root == "" || c.Preset.Worker == "" {
		return c, errors.New("rlm: Config needs a Preset")
	}
	for _, f := range []struct {
		name  string
		value *int
		def   int
	}{
		{"MaxTurns", &c.MaxTurns, 20}, {"ChildTurns", &c.ChildTurns, 8}, {"Concurrency", &c.Concurrency, 8},
		{"OutputChars", &c.OutputChars, 8192}, {"RootTokens", &c.RootTokens, 8192}, {"WorkerTokens", &c.WorkerTokens, defaultWorkerTokens},
	} {
		if *f.value < 0 {
			return c, fmt.Errorf("rlm: %s is negative", f.name)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	if c.Gate.Coverage < 0 || c.Gate.Coverage > 1 {
		return c, fmt.Errorf("rlm: coverage %v is not a share between 0 and 1", c.Gate.Coverage)
	}
	if c.CellWall == 0 {
		c.CellWall = 120 * time.Second
	}
	if c.Observe == nil {
		c.Observe = func(Progress) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c, nil
}
