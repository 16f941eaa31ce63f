package rlm

import (
	"context"
	"encoding/json"
	"fmt"
	"unsafe"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// surface is the names that a node's cells see. loop runs a child to its end.
type surface struct {
	*node
	loop func(context.Context, *node) ending
}

// host serves the calls that repl.py makes. Everything in a payload was written by a model.
func (n surface) host(ctx context.Context, name string, payload []byte) ([]byte, error) {
	if name == "file" {
		text, ok := n.run.cfg.Codebase.Text(string(payload))
		if !ok {
			return nil, fmt.Errorf("%q is not in the codebase", payload)
		}
		// The sandbox keeps the reply unchanged, so it may share the string's memory: a codebase of 50 MB is not copied.
		return unsafe.Slice(unsafe.StringData(text), len(text)), nil
	}
	answer, err := n.serve(ctx, name, payload)
	if err != nil {
		return nil, err
	}
	if err := n.run.faulty(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return data, nil
}

func (n surface) serve(ctx context.Context, name string, payload []byte) (any, error) {
	var call struct {
		Prompts []string `json:"prompts"`
		Model   *string  `json:"model"`
		Text    string   `json:"text"`
		finding.Finding
	}
	if err := json.Unmarshal(payload, &call); err != nil {
		return nil, fmt.Errorf("%s: bad arguments: %w", name, err)
	}
	model := ""
	if call.Model != nil {
		model = *call.Model
	}
	switch name {
	case "dispatch":
		return map[string]any{"replies": n.dispatchAll(ctx, call.Prompts, model)}, nil
	case "recurse":
		return map[string]any{"replies": n.recurseAll(ctx, call.Prompts, model, n.loop)}, nil
	case "answer":
		return n.acceptAnswer(ctx, call.Text)
	case "finding":
		return n.addFinding(call.Finding), nil
	case "findings":
		return n.findingsView(), nil
	case "budget":
		return n.budgetView(), nil
	case "coverage":
		return n.coverageView(), nil
	}
	return nil, fmt.Errorf("there is no host call %q", name)
}

// acceptAnswer accepts a report, or holds it back.
func (n *node) acceptAnswer(ctx context.Context, text string) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err // its dispatches were refused: this is not the answer that the root meant
	}
	type verdict struct {
		Accepted bool   `json:"accepted"`
		Message  string `json:"message"`
	}
	if len(text) < 2 {
		return verdict{Message: "the answer is empty: call set_answer(text) with your report"}, nil
	}
	if message, err := n.hold(); err != nil || message != "" {
		return verdict{Message: message}, err
	}
	n.answer, n.accepted = text, true
	return verdict{Accepted: true, Message: fmt.Sprintf("answer accepted, %d characters", len(text))}, nil
}

// addFinding records the root's own finding. It is held to the same proof as a worker's: its evidence must stand in
// the file. Of raw only what add_finding takes counts.
func (n *node) addFinding(raw finding.Finding) any {
	n.batch++
	key := callKey(cellKey(turnKey(n.id, n.turn), n.cell), n.batch, 0)
	cwe := finding.NormalCWE(raw.CWE)
	f := finding.Finding{
		File: raw.File, Line: raw.Line, EndLine: raw.EndLine, Title: raw.Title, Severity: finding.NormalSeverity(raw.Severity),
		Category: finding.NormalCategory(raw.Category, cwe), CWE: cwe, Evidence: raw.Evidence, Explanation: raw.Explanation,
		Suggestion: raw.Suggestion, Confidence: max(0, min(1, raw.Confidence)), Sources: []string{key},
	}
	var h harvested
	h.grounded, h.ungrounded = finding.Ground(n.run.cfg.Codebase, []finding.Finding{f}, []string{raw.File})
	message := ""
	for i := range h.grounded {
		if n.narrow(&h.grounded[i]) {
			message = fmt.Sprintf("only the first %d lines of the quotation are kept: a finding names a place, not a region", ownLines)
		}
	}
	n.run.mu.Lock()
	n.run.harvest[key] = h
	n.run.mu.Unlock()
	if len(h.grounded) == 0 {
		message = "finding not grounded: its evidence does not stand in that file; quote the code exactly"
		if len(h.ungrounded) > 0 && h.ungrounded[0].Why != "" {
			message = "finding not grounded: " + h.ungrounded[0].Why
		}
	}
	return map[string]any{"grounded": len(h.grounded) > 0, "message": message}
}

// ownLines is how many lines a root's own finding may span. Findings that touch are merged into the strongest one, so a
// wide one could take in, under its own name, all that workers claimed of a stretch of code: right or wrong.
const ownLines = 6

// narrow cuts a grounded finding to its first lines, and says whether it had to.
func (n *node) narrow(f *finding.Finding) bool {
	if f.EndLine-f.Line < ownLines {
		return false
	}
	text, _ := n.run.cfg.Codebase.Text(f.File)
	kept, ok := finding.Quote(text, f.Line, f.Line+ownLines-1)
	if !ok {
		return false
	}
	f.EndLine = f.Line + ownLines - 1
	if len(kept) < len(f.Evidence) { // a quotation that was cut to size stays so
		f.Evidence = kept
	}
	return true
}

// findingsView lists what was found so far. Roots get it as data, so that none has to parse workers' replies.
func (n *node) findingsView() any {
	grounded, _ := n.run.found()
	if grounded == nil {
		grounded = []finding.Finding{}
	}
	return grounded
}

func (n *node) budgetView() any {
	view := map[string]any{"turns_left": n.maxTurns - n.turn, "usd_left": nil, "usd_spent": nil, "tokens_left": nil}
	if left, ok := n.pool.Remaining(); ok {
		view["usd_left"] = json.Number(left.Decimal())
	}
	n.run.mu.Lock()
	spent := total(n.run.root, n.run.worker)
	n.run.mu.Unlock()
	if spent != nil {
		view["usd_spent"] = json.Number(spent.Decimal())
	}
	if n.handle.Context > 0 {
		view["tokens_left"] = max(0, n.handle.Context-int(llm.EstimateTokens(n.chars())))
	}
	return view
}

func (n *node) coverageView() any {
	missing := n.run.ledger.Uncovered()
	const most = 500
	return map[string]any{
		"fraction": n.run.ledger.Fraction(), "uncovered": missing[:min(len(missing), most)], "uncovered_files": len(missing),
		"files_total": n.run.metadata.TotalFiles,
	}
}
