package rlm

import (
	"context"
	"encoding/json"
	"fmt"
	"unsafe"

	"github.com/deeprepo/deeprepo/internal/trace"
)

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
	serve, ok := hostCalls[name]
	if !ok {
		return nil, fmt.Errorf("there is no host call %q", name)
	}
	answer, err := serve(ctx, n, payload)
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

// hostCalls are all that a cell can ask of the host, but for "file".
var hostCalls = map[string]hostCall{
	"dispatch": asking(trace.PurposeReview),
	"ask":      asking(trace.PurposeQuestion),
	"recurse": taking(func(n surface, ctx context.Context, a prompts) (any, error) {
		return map[string]any{"replies": n.recurseAll(ctx, a.Prompts, a.model(), n.loop)}, nil
	}),
	"answer": taking(func(n surface, ctx context.Context, a struct {
		Text string `json:"text"`
	}) (any, error) {
		return n.acceptAnswer(ctx, a.Text)
	}),
	"pack":     taking(surface.pack),
	"review":   taking(surface.review),
	"findings": taking(func(n surface, _ context.Context, _ struct{}) (any, error) { return n.run.found.Show().Findings, nil }),
	"finding":  noted("finding", surface.finding),
	"dismiss":  noted("dismiss", surface.dismiss),
	"regrade":  noted("regrade", surface.regrade),
	"merge":    noted("merge", surface.merge),
	"verify":   noted("verify", surface.verify),
	"budget":   taking(func(n surface, _ context.Context, _ struct{}) (any, error) { return n.budgetView(), nil }),
	"coverage": taking(func(n surface, _ context.Context, _ struct{}) (any, error) { return n.coverageView(), nil }),
	"grep":     noted("grep", surface.grep),
	"show":     noted("show", surface.show),
	"tree":     noted("tree", surface.tree),
	"more":     noted("more", surface.more),

	"add_finding": noted("add_finding", surface.addFinding),

	"symbols":    knowing("symbols", surface.symbols),
	"definition": knowing("definition", surface.definition),
	"callers":    knowing("callers", surface.callers),
	"callees":    knowing("callees", surface.callees),
	"imports":    knowing("imports", surface.imports),
	"importers":  knowing("importers", surface.importers),
	"related":    knowing("related", surface.related),
	"variants":   knowing("variants", surface.variants),
	"outliers":   knowing("outliers", surface.outliers),
	"flows":      noted("flows", surface.flows),
	"localise":   noted("localise", surface.localise),
	"search":     noted("search", surface.search),
}

// asking sends prompts to workers.
func asking(purpose trace.Purpose) hostCall {
	return taking(func(n surface, ctx context.Context, a prompts) (any, error) {
		return map[string]any{"replies": n.dispatchAll(ctx, a.Prompts, a.model(), purpose)}, nil
	})
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
		return verdict{Message: "The answer is empty: call set_answer(text) with your report."}, nil
	}
	if message, err := n.hold(); err != nil || message != "" {
		return verdict{Message: message}, err
	}
	n.answer, n.accepted = text, true
	return verdict{Accepted: true, Message: fmt.Sprintf("answer accepted, %d characters: the run has ended", len(text))}, nil
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
	if left, ok := n.tokensLeft(); ok {
		view["tokens_left"] = left
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
