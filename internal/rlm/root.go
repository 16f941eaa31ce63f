package rlm

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// askRoot gets the root's next reply, out of the journal if it is there.
func (n *node) askRoot(ctx context.Context) (llm.Response, error) {
	key := turnKey(n.id, n.turn)
	// A run that spent its budget wrote its report; resumed with a larger one, it continues, and that report is still billed.
	n.settle(synthesisKey(key))
	if reply := n.settle(key); reply != nil {
		return recorded(reply), nil
	}
	request := llm.Request{
		System:    n.system(),
		Messages:  n.messages,
		MaxTokens: n.run.cfg.RootTokens,
		Turn:      true,
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
func (n *node) paidReply(ctx context.Context, key string, h llm.Handle, request llm.Request, message string,
	synthesis bool) (llm.Response, error) {
	started := n.run.cfg.Now()
	response, err := h.Model.Complete(ctx, llm.Reserving(n.run.journal.w, request, key, true))
	if err != nil {
		u, ok := BilledFailure(err, h.Price)
		if !ok {
			if err := llm.Settled(n.run.journal.w, key); err != nil {
				n.run.fault(err)
			}
			return response, err
		}
		n.run.charge(&n.run.root, u, false)
		failed := &trace.Root{Model: h.Name, Message: message, Error: err.Error(), Usage: u, Synthesis: synthesis}
		e := trace.Event{Kind: trace.KindRoot, Node: n.id, Turn: n.turn, Key: key, Hash: request.Hash(h.Name), Root: failed}
		if err := n.run.record(e, true); err != nil {
			n.run.fault(err)
		}
		n.heard = n.turn
		return response, err
	}
	root := toRecord(response, h.Name, message, n.run.cfg.Now().Sub(started))
	if root.Synthesis = synthesis; synthesis {
		root.System = request.System
	}
	e := trace.Event{Kind: trace.KindRoot, Node: n.id, Turn: n.turn, Key: key, Hash: request.Hash(h.Name), Root: root}
	if err := n.run.record(e, true); err != nil {
		n.run.fault(err)
		return response, err
	}
	n.heard = n.turn
	n.run.charge(&n.run.root, root.Usage, false)
	return response, nil
}

func (n *node) lastMessage() string {
	var parts []string
	for i := len(n.messages) - 1; i >= 0 && n.messages[i].Role != llm.RoleAssistant; i-- {
		parts = append([]string{n.messages[i].Content}, parts...)
	}
	return strings.Join(parts, "\n")
}

// executePython is the tool for roots that call tools.
var executePython = llm.Tool{
	Name: ToolName, Description: "Run one cell of Python in the REPL. Variables stay between cells.",
	Parameters: json.RawMessage(
		`{"type":"object","properties":{"code":{"type":"string","description":"the cell"}},"required":["code"],"additionalProperties":false}`),
}

// toRecord is a root model's reply as the trace holds it.
func toRecord(r llm.Response, model, message string, took time.Duration) *trace.Root {
	root := &trace.Root{Model: model, Message: message, Text: r.Text, Reasoning: r.Reasoning, Finish: string(r.Finish), Usage: llm.UsageOf(r),
		Seconds: took.Seconds()}
	for _, c := range r.ToolCalls {
		root.ToolCalls = append(root.ToolCalls, trace.ToolCall(c))
	}
	return root
}

// recorded is a reply out of the trace.
func recorded(root *trace.Root) llm.Response {
	r := llm.Response{Text: root.Text, Reasoning: root.Reasoning, Finish: llm.Finish(root.Finish), Model: root.Model}
	for _, c := range root.ToolCalls {
		r.ToolCalls = append(r.ToolCalls, llm.ToolCall(c))
	}
	return r
}
