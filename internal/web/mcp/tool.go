package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// call is one call of a tool.
type call struct {
	req   *sdk.CallToolRequest
	roots []string // that its paths must lie in
}

// effect is what a tool does, in the hints that clients show their users.
type effect int

const (
	reads  effect = iota // looks at what is there
	runs                 // leaves a run in the server's directory, and may fetch
	writes               // changes the codebase
)

// add gives the server a tool. The types of its arguments and its result are its schemas.
func add[In, Out any](s *Server, name, about string, does effect, answer func(context.Context, *call, In) (Out, error)) {
	open, destroys := does == runs, does == writes
	t := &sdk.Tool{Name: name, Description: about, Annotations: &sdk.ToolAnnotations{
		ReadOnlyHint: does == reads, DestructiveHint: &destroys, IdempotentHint: does != runs, OpenWorldHint: &open,
	}}
	sdk.AddTool(s.mcp, t, func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		var none, out Out
		roots, ask, err := s.allowed(ctx, req, req.Params.InputResponses)
		if ask {
			return &sdk.CallToolResult{InputRequests: asked()}, none, nil
		}
		if err == nil {
			out, err = answer(ctx, &call{req, roots}, in)
		}
		if err == nil {
			out, err = clean(out)
		}
		if err != nil {
			return nil, none, told(err)
		}
		return nil, out, nil
	})
}

func (s *Server) addTools() {
	add(s, "review", "Review a codebase: every line is read, offline by static rules unless the server has a budget. "+
		"Gives the run's name, counts and what to do first; it can take minutes and tells its progress.", runs, s.review)
	add(s, "findings", "List a review's findings, the most important first, in pages.", reads, s.findings)
	add(s, "show", "Show one finding of a review with its code, explanation, fix and all its places.", reads, s.show)
	add(s, "dismiss", "Decide about a finding: accepted, false-positive, wont-fix, fixed or open. Writes .deeprepo/triage.json of the "+
		"codebase; refused unless the server was started with --allow-write.", writes, s.dismiss)
	add(s, "graph", "Ask the code graph of a codebase: definition, callers, callees (of name); imports, importers, related, symbols "+
		"(of file).", reads, s.graph)
	add(s, "locate", "Rank the files and functions of a codebase by how likely a text (an issue, an error message, a stack trace) asks for a "+
		"change there. No model is asked.", reads, s.locate)
	add(s, "coverage", "Say which lines of a codebase a review has read and judged; the files that lack the most first.", reads, s.coverage)
	add(s, "run_program", "Run a Python program in the sandbox, without network or files, optionally with tests. "+
		"The standard library is there.", reads, s.runProgram)
	add(s, "judge", "Judge a file of code samples (JSON Lines of task_id and completion or solution) by the tests of a dataset such as "+
		"humaneval or mbpp.", runs, s.judge)
}

// progress tells the client how far its call is, if it asked: the latest word only, not more often than it can be read, and
// nothing after end. done must grow, or nothing is told; a total of 0 is unknown.
func (c *call) progress(ctx context.Context) (tell func(done, total float64, message string), end func()) {
	token := c.req.Params.GetProgressToken()
	if token == nil {
		return func(float64, float64, string) {}, func() {}
	}
	words, ended := make(chan *sdk.ProgressNotificationParams, 1), make(chan struct{})
	stop, cancel := context.WithCancel(ctx)
	go func() {
		defer close(ended)
		last := -1.0
		for {
			select {
			case <-stop.Done():
				return
			case word := <-words:
				if word.Progress > last {
					last = word.Progress
					_ = c.req.Session.NotifyProgress(stop, word) // a client that is gone does not miss it
				}
			}
			select {
			case <-stop.Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	tell = func(done, total float64, message string) {
		word := &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total, Message: message}
		for {
			select {
			case words <- word:
				return
			default:
			}
			select { // an older word makes room
			case <-words:
			default:
			}
		}
	}
	return tell, func() { cancel(); <-ended }
}
