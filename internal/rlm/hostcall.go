package rlm

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// surface is the names that a node's cells see. loop runs a child to its end.
type surface struct {
	*node
	loop func(context.Context, *node) ending
}

// hostCall answers one call of a cell.
type hostCall func(ctx context.Context, n surface, payload []byte) (any, error)

// prompts are the arguments of the calls that ask models.
type prompts struct {
	Prompts []string `json:"prompts"`
	Model   *string  `json:"model"`
}

func (p prompts) model() string {
	if p.Model == nil {
		return ""
	}
	return *p.Model
}

// taking is a host call with its arguments decoded.
func taking[T any](serve func(surface, context.Context, T) (any, error)) hostCall {
	return func(ctx context.Context, n surface, payload []byte) (any, error) {
		var arguments T
		if err := json.Unmarshal(payload, &arguments); err != nil {
			return nil, fmt.Errorf("bad arguments: %w", err)
		}
		return serve(n, ctx, arguments)
	}
}

// answered is what a call that asks no worker for a reading gives: the data, and a few words on it for the trace.
type answered struct {
	data any
	note string
}

// noted is a host call that stands in the trace.
func noted[T any](name string, serve func(surface, context.Context, T) (answered, error)) hostCall {
	return func(ctx context.Context, n surface, payload []byte) (any, error) {
		var arguments T
		if err := json.Unmarshal(payload, &arguments); err != nil {
			return nil, fmt.Errorf("bad arguments: %w", err)
		}
		got, err := serve(n, ctx, arguments)
		note := got.note
		if err != nil {
			note = err.Error()
		}
		n.calls++
		key := hostKey(cellKey(turnKey(n.id, n.turn), n.cell), n.calls)
		e := trace.Event{Kind: trace.KindCall, Node: n.id, Turn: n.turn, Key: key, Call: &trace.Call{Name: name,
			Arguments: cut(n.redacted(string(payload)), trace.MaxCall), Result: cut(n.redacted(note), trace.MaxCall)}}
		if err := n.recordOnce(e); err != nil {
			n.run.fault(err)
		}
		return got.data, err
	}
}
