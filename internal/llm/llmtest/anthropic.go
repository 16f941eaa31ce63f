package llmtest

import (
	"encoding/json"
	"net/http"
)

// anthropic is the messages dialect.
type anthropic struct{}

func (anthropic) key(h http.Header) string { return h.Get("X-Api-Key") }

func (anthropic) fail(w http.ResponseWriter, status int, code, message string) {
	kind := map[int]string{400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error",
		429: "rate_limit_error", 529: "overloaded_error"}[status]
	if kind == "" {
		kind = "api_error"
	}
	writeJSON(w, status, map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message, "code": code}})
}

func (anthropic) parse(body []byte) (ChatRequest, error) {
	var in struct {
		Model    string          `json:"model"`
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools        []struct{ Name string }    `json:"tools"`
		ToolChoice   struct{ Type string }      `json:"tool_choice"`
		OutputConfig struct{ Format *struct{} } `json:"output_config"`
		Stream       bool                       `json:"stream"`
		MaxTokens    int                        `json:"max_tokens"`
		Temperature  *float64                   `json:"temperature"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return ChatRequest{}, err
	}
	r := ChatRequest{API: "anthropic", Model: in.Model, System: text(in.System), Schema: in.OutputConfig.Format != nil,
		Stream: in.Stream, MaxTokens: in.MaxTokens, Temperature: in.Temperature, ToolChoice: in.ToolChoice.Type}
	if r.ToolChoice == "any" {
		r.ToolChoice = "required"
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Name)
	}
	for _, m := range in.Messages {
		var blocks []struct {
			Type, Text, ID, Name string
			Input                json.RawMessage `json:"input"`
			ToolUseID            string          `json:"tool_use_id"`
			Content              json.RawMessage `json:"content"`
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			r.Messages = append(r.Messages, Message{Role: m.Role, Content: text(m.Content)})
			continue
		}
		msg := Message{Role: m.Role}
		for _, b := range blocks {
			switch b.Type {
			case "text":
				msg.Content += b.Text
			case "tool_use":
				msg.ToolCalls = append(msg.ToolCalls, ToolCall{b.ID, b.Name, string(b.Input)})
			case "tool_result":
				r.Messages = append(r.Messages, Message{Role: "tool", Content: text(b.Content), ToolCallID: b.ToolUseID})
			}
		}
		if msg.Content != "" || len(msg.ToolCalls) > 0 {
			r.Messages = append(r.Messages, msg)
		}
	}
	return r, nil
}

func (anthropic) answer(out *output, r ChatRequest, reply Reply) {
	stop := map[string]string{"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}[reply.Finish]
	if stop == "" {
		stop = "end_turn"
		if len(reply.ToolCalls) > 0 {
			stop = "tool_use"
		}
	}
	usage := map[string]any{"input_tokens": reply.Input - reply.Cached - reply.CacheWrite, "output_tokens": reply.Output,
		"cache_read_input_tokens": reply.Cached, "cache_creation_input_tokens": reply.CacheWrite}
	if reply.NoUsage {
		usage = map[string]any{}
	}
	type block struct {
		start, full map[string]any
		deltas      []map[string]any
	}
	blocks := []block{}
	add := func(start, full map[string]any, deltas []map[string]any) {
		blocks = append(blocks, block{start, full, deltas})
	}
	if reply.Reasoning != "" {
		var ds []map[string]any
		for _, p := range pieces(reply.Reasoning) {
			ds = append(ds, map[string]any{"type": "thinking_delta", "thinking": p})
		}
		add(map[string]any{"type": "thinking", "thinking": "", "signature": ""},
			map[string]any{"type": "thinking", "thinking": reply.Reasoning, "signature": "s"}, ds)
	}
	if reply.Text != "" {
		var ds []map[string]any
		for _, p := range pieces(reply.Text) {
			ds = append(ds, map[string]any{"type": "text_delta", "text": p})
		}
		add(map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text", "text": reply.Text}, ds)
	}
	for _, c := range reply.ToolCalls {
		var ds []map[string]any
		for _, p := range pieces(c.Arguments) {
			ds = append(ds, map[string]any{"type": "input_json_delta", "partial_json": p})
		}
		add(map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": map[string]any{}},
			map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Arguments)}, ds)
	}
	if reply.Fault == EmptyChoices {
		blocks = nil
	}
	message := func(content []any, stop any) map[string]any {
		return map[string]any{"id": callID(r.Call, 0), "type": "message", "role": "assistant", "model": r.Model,
			"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": usage}
	}
	if !r.Stream {
		content := []any{}
		for _, b := range blocks {
			content = append(content, b.full)
		}
		out.json(message(content, stop))
		return
	}
	out.event("message_start", map[string]any{"type": "message_start", "message": message([]any{}, nil)})
	for i, b := range blocks {
		out.event("content_block_start", map[string]any{"type": "content_block_start", "index": i, "content_block": b.start})
		for _, d := range b.deltas {
			out.event("content_block_delta", map[string]any{"type": "content_block_delta", "index": i, "delta": d})
		}
		out.event("content_block_stop", map[string]any{"type": "content_block_stop", "index": i})
	}
	out.event("message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
		"usage": usage})
	out.event("message_stop", map[string]any{"type": "message_stop"})
}
