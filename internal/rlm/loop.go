package rlm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Run lets a root model work on a codebase until it hands in its answer, its turns or its money are spent, or ctx ends.
// Whatever happens, the Result holds everything that was found. The error is for what makes a result worthless: a bad
// Config, a trace that cannot be written, a sandbox that does not start.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Result{}, err
	}
	worker, err := cfg.Models.Worker("", cfg.Budget)
	if err != nil {
		return Result{}, err
	}
	r := newRun(cfg, worker)
	n := &node{run: r, maxTurns: cfg.MaxTurns, pool: cfg.Budget}
	if n.handle, err = cfg.Models.Root(n.pool); err != nil {
		return Result{}, err
	}
	lastTurn := r.earmark(n.handle)
	start := trace.Event{Kind: trace.KindStart, Start: &trace.Start{
		Run: cfg.RunID, Fingerprint: cfg.Fingerprint, Resumed: len(cfg.Past) > 0}}
	if err := r.record(start, true); err != nil {
		return Result{}, err
	}
	end := n.loop(ctx)
	if end.reason == stopBudget {
		n.synthesise(ctx, lastTurn)
	}
	result := r.result(n, end)
	closing := trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: result.Status, StopReason: result.StopReason}}
	return result, errors.Join(end.fatal, r.record(closing, true))
}

// ending says why a loop stopped.
type ending struct {
	reason string
	fatal  error // the engine itself failed
}

// Reasons why a loop stops. A failed root model has a reason of its own text.
const (
	stopAnswer      = "answer"
	stopTurns       = "turns"
	stopBudget      = "budget"
	stopInterrupted = "interrupted"
)

// loop is the recursion's body: ask the root, run its cells, show it what they printed.
func (n *node) loop(ctx context.Context) ending {
	session, err := n.open(ctx)
	if err != nil {
		return n.stopped(ctx, fmt.Errorf("open the sandbox: %w", err), true)
	}
	defer session.Close()

	n.turn = 1
	n.first = n.opening() + "\n" + n.countdown()
	n.messages = []llm.Message{{Role: llm.RoleUser, Content: n.first}}
	for ; n.turn <= n.maxTurns; n.turn++ {
		n.progress("thinking")
		response, err := n.askRoot(ctx)
		if err != nil {
			return n.stopped(ctx, err, false)
		}
		blocks := extract(response)
		outputs, err := n.runCells(ctx, session, blocks)
		if err != nil {
			return n.stopped(ctx, err, true)
		}
		if err := n.run.journal.w.Sync(); err != nil {
			return ending{reason: err.Error(), fatal: err}
		}
		if n.accepted {
			return ending{reason: stopAnswer}
		}
		if n.turn == n.maxTurns {
			n.answer = prose(response.Text)
			break
		}
		n.tell(response, blocks, outputs)
		if err := n.compact(); err != nil {
			return ending{reason: err.Error(), fatal: err}
		}
	}
	n.turn = n.maxTurns
	return ending{reason: stopTurns}
}

// open starts the node's REPL.
func (n *node) open(ctx context.Context) (*sandbox.Session, error) {
	setup, err := n.setup()
	if err != nil {
		return nil, err
	}
	return n.run.cfg.Sandbox.NewSession(ctx, sandbox.SessionConfig{
		Limits:  sandbox.Limits{Wall: n.run.cfg.CellWall},
		Prelude: prelude, Setup: setup, Host: n.host,
	})
}

// askRoot gets the root's next reply, out of the journal if it is there.
func (n *node) askRoot(ctx context.Context) (llm.Response, error) {
	key := turnKey(n.id, n.turn)
	if e, ok := n.run.journal.lookup(key, trace.KindRoot); ok {
		n.replayed(e.Root.Usage)
		n.run.charge(&n.run.root, e.Root.Usage, false)
		return recorded(e.Root), nil
	}
	request := llm.Request{
		System:    systemPrompt(n.run.cfg.Preset.Root, n.handle.Tools, n.run.cfg.MaxDepth > depth(n.id), n.run.cfg.OutputChars),
		Messages:  n.messages,
		MaxTokens: n.run.cfg.RootTokens,
	}
	if n.handle.Tools {
		request.Tools = []llm.Tool{executePython}
		if n.turn >= n.maxTurns-1 {
			request.ToolChoice = llm.ToolChoiceRequired
		}
	}
	return n.paidReply(ctx, key, n.handle, request, n.lastMessage(), false)
}

// paidReply calls a root model and journals the reply before anybody sees it.
func (n *node) paidReply(ctx context.Context, key string, h llm.Handle, request llm.Request, message string, synthesis bool) (llm.Response, error) {
	started := n.run.cfg.Now()
	response, err := h.Model.Complete(ctx, request)
	if err != nil {
		if u := failedUsage(err); billed(u) {
			n.run.charge(&n.run.root, u, false)
		}
		return response, err
	}
	root := &trace.Root{
		Model: h.Name, Message: message, Text: response.Text, Reasoning: response.Reasoning, Finish: response.Finish,
		Usage: usageOf(response), Synthesis: synthesis, Seconds: n.run.cfg.Now().Sub(started).Seconds(),
	}
	for _, c := range response.ToolCalls {
		root.ToolCalls = append(root.ToolCalls, trace.ToolCall(c))
	}
	e := trace.Event{Kind: trace.KindRoot, Node: n.id, Turn: n.turn, Key: key, Hash: request.Hash(h.Name), Root: root}
	if err := n.run.record(e, true); err != nil {
		n.hostErr = err
		return response, err
	}
	n.run.charge(&n.run.root, root.Usage, false)
	return response, nil
}

// runCells executes the cells of one reply in order and stops at the first that fails: the later ones were written in
// the belief that it would work. The outputs are what the root will see, one for each block.
func (n *node) runCells(ctx context.Context, session *sandbox.Session, blocks []block) ([]string, error) {
	outputs := make([]string, len(blocks))
	before := n.run.dispatched()
	failed := false
	for i, b := range blocks {
		n.cell, n.batch = i+1, 0
		switch {
		case b.broken != "":
			outputs[i] = b.broken
		case failed:
			outputs[i] = "not run, because the cell before it failed"
		case n.accepted:
			outputs[i] = "not run, because the answer was handed in"
		default:
			n.progress("running cell")
			cell, err := n.runCell(ctx, session, b.code)
			if err != nil {
				return outputs, err
			}
			outputs[i] = cell.Output
			failed = cell.ErrorType != "" || cell.Stop != ""
		}
	}
	if n.run.dispatched() > before {
		n.run.count(func(m *Metrics) { m.TurnsWithDispatch++ })
	}
	return outputs, nil
}

// runCell executes one cell. A cell that the journal knows runs again, to rebuild the REPL's variables, but the root
// sees what it saw the first time.
func (n *node) runCell(ctx context.Context, session *sandbox.Session, code string) (trace.Cell, error) {
	key := cellKey(turnKey(n.id, n.turn), n.cell)
	past, known := n.run.journal.lookup(key, trace.KindCell)
	if known && past.Cell.Stop == "killed" {
		return n.tookCell(*past.Cell, &sandbox.PyError{Type: past.Cell.ErrorType, Message: past.Cell.Error}), nil
	}
	result, err := session.Run(ctx, code)
	if err != nil {
		return trace.Cell{}, err
	}
	if n.hostErr != nil {
		return trace.Cell{}, n.hostErr
	}
	if ctx.Err() != nil {
		return trace.Cell{}, ctx.Err() // its dispatches were refused: what it printed is not what it would have printed
	}
	cell := n.view(code, result)
	if known {
		cell = *past.Cell
	} else if err := n.run.record(trace.Event{Kind: trace.KindCell, Node: n.id, Turn: n.turn, Key: key, Cell: &cell}, false); err != nil {
		return cell, err
	}
	return n.tookCell(cell, result.Error), nil
}

// tookCell counts a cell's errors.
func (n *node) tookCell(cell trace.Cell, e *sandbox.PyError) trace.Cell {
	run := n.errors.add(e)
	n.run.count(func(m *Metrics) {
		m.Cells++
		if cell.ErrorType != "" || cell.Stop != "" {
			m.CellErrors++
		}
		if run > 1 {
			m.RepeatedErrors++
		}
		m.LongestErrorRun = max(m.LongestErrorRun, run)
	})
	return cell
}

// view is a cell as the root sees it: its output, cut, with what helps against its error.
func (n *node) view(code string, result sandbox.Result) trace.Cell {
	cell := trace.Cell{
		Index: n.cell, Code: code, OutputTotal: result.OutputTotal, Stop: result.Stop, Steps: result.Steps,
		Seconds: result.Wall.Seconds(),
	}
	out := result.Output
	if !n.handle.Local && n.run.cfg.Redact != nil {
		out, _ = n.run.cfg.Redact.Redact(out)
	}
	if most := n.run.cfg.OutputChars; len(out) > most || result.OutputTotal > len(out) {
		out = fmt.Sprintf("%s\n[output cut: %d of %d characters are shown]", strings.ToValidUTF8(out[:min(most, len(out))], ""),
			min(most, len(out)), max(result.OutputTotal, len(out)))
	}
	n.run.ledger.Read(out)
	parts := []string{strings.TrimRight(out, "\n")}
	if e := result.Error; e != nil {
		cell.ErrorType, cell.Error = e.Type, cut(e.Message, 500)
		if !strings.Contains(out, e.Type) {
			parts = append(parts, cut(strings.TrimRight(e.Traceback, "\n"), n.run.cfg.OutputChars))
		}
		next := n.errors // a copy: tookCell counts
		if advice := advise(e, next.add(e)); advice != "" {
			parts = append(parts, advice)
		}
	}
	if advice := stopAdvice[result.Stop]; advice != "" {
		parts = append(parts, advice)
	}
	cell.Output = strings.TrimLeft(strings.Join(parts, "\n"), "\n")
	if cell.Output == "" {
		cell.Output = "(no output)"
	}
	return cell
}

// tell appends the root's reply and what came of it to the transcript.
func (n *node) tell(response llm.Response, blocks []block, outputs []string) {
	n.digests = append(n.digests, turnDigest{turn: n.turn, text: digestTurn(n.turn, blocks, outputs), first: len(n.messages)})
	n.messages = append(n.messages, llm.Message{Role: llm.RoleAssistant, Content: response.Text, ToolCalls: response.ToolCalls})
	n.turn++ // the countdown speaks of the coming turn
	status := n.countdown()
	n.turn--
	if len(blocks) == 0 {
		n.run.count(func(m *Metrics) { m.TurnsWithoutCell++ })
		n.messages = append(n.messages, llm.Message{Role: llm.RoleUser, Content: "Your reply held no cell, so nothing was run. " +
			"Write Python in a fence tagged python. To finish, call set_answer(text) in a cell.\n\n" + status})
		return
	}
	if len(response.ToolCalls) > 0 {
		for i, b := range blocks {
			m := llm.Message{Role: llm.RoleTool, ToolCallID: b.callID, Content: outputs[i]}
			if i == len(blocks)-1 {
				m.Content += "\n\n" + status
			}
			n.messages = append(n.messages, m)
		}
		return
	}
	var b strings.Builder
	for i, out := range outputs {
		fmt.Fprintf(&b, "[Output of cell %d]\n%s\n\n", i+1, out)
	}
	n.messages = append(n.messages, llm.Message{Role: llm.RoleUser, Content: b.String() + status})
}

func (n *node) lastMessage() string {
	var parts []string
	for i := len(n.messages) - 1; i >= 0 && n.messages[i].Role != llm.RoleAssistant; i-- {
		parts = append([]string{n.messages[i].Content}, parts...)
	}
	return strings.Join(parts, "\n")
}

// stopped turns an error into the reason why a loop ended.
func (n *node) stopped(ctx context.Context, err error, engine bool) ending {
	switch {
	case n.hostErr != nil:
		return ending{reason: n.hostErr.Error(), fatal: n.hostErr}
	case ctx.Err() != nil:
		return ending{reason: stopInterrupted}
	case errors.Is(err, llm.ErrBudget):
		return ending{reason: stopBudget}
	case engine:
		return ending{reason: err.Error(), fatal: err}
	}
	return ending{reason: "the root model failed: " + err.Error()}
}

// executePython is the tool for roots that call tools.
var executePython = llm.Tool{
	Name: ToolName, Description: "Run one cell of Python in the REPL. Variables stay between cells.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"code":{"type":"string","description":"the cell"}},"required":["code"],"additionalProperties":false}`),
}

func recorded(root *trace.Root) llm.Response {
	r := llm.Response{Text: root.Text, Reasoning: root.Reasoning, Finish: root.Finish, Model: root.Model}
	for _, c := range root.ToolCalls {
		r.ToolCalls = append(r.ToolCalls, llm.ToolCall(c))
	}
	return r
}
