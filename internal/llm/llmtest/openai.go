package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// openAI is the chat completions dialect.
type openAI struct{}

func (openAI) key(h http.Header) string {
	return strings.TrimPrefix(h.Get("Authorization"), "Bearer ")
}

func (openAI) fail(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": "error", "param": nil, "code": code}})
}

// text reads a content field: a string, null, or an array of text parts.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct {
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	json.Unmarshal(raw, &parts)
	for _, p := range parts {
		s += p.Text
		if p.Content != nil {
			s += text(p.Content)
		}
	}
	return s
}

func (openAI) parse(body []byte) (ChatRequest, error) {
	var in struct {
		Model    string `json:"model"`
		Messages []struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCallID string          `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string                           `json:"id"`
				Function struct{ Name, Arguments string } `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Function struct{ Name string } `json:"function"`
		} `json:"tools"`
		ToolChoice          json.RawMessage `json:"tool_choice"`
		ResponseFormat      json.RawMessage `json:"response_format"`
		Stream              bool            `json:"stream"`
		MaxTokens           int             `json:"max_tokens"`
		MaxCompletionTokens int             `json:"max_completion_tokens"`
		Temperature         *float64        `json:"temperature"`
		TopP                *float64        `json:"top_p"`
		Seed                *int64          `json:"seed"`
		Stop                []string        `json:"stop"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return ChatRequest{}, err
	}
	r := ChatRequest{API: "openai", Model: in.Model, Schema: len(in.ResponseFormat) > 0, Stream: in.Stream,
		MaxTokens: max(in.MaxTokens, in.MaxCompletionTokens), Temperature: in.Temperature,
		TopP: in.TopP, Seed: in.Seed, Stop: in.Stop}
	json.Unmarshal(in.ToolChoice, &r.ToolChoice)
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	for _, m := range in.Messages {
		if m.Role == "system" || m.Role == "developer" {
			r.System += text(m.Content)
			continue
		}
		msg := Message{Role: m.Role, Content: text(m.Content), ToolCallID: m.ToolCallID}
		for _, c := range m.ToolCalls {
			msg.ToolCalls = append(msg.ToolCalls, ToolCall{c.ID, c.Function.Name, c.Function.Arguments})
		}
		r.Messages = append(r.Messages, msg)
	}
	return r, nil
}

// openAIUsage is the usage object of a reply, nil when it is to be left out.
func openAIUsage(reply Reply) map[string]any {
	if reply.NoUsage {
		return nil
	}
	usage := map[string]any{
		"prompt_tokens": reply.Input, "completion_tokens": reply.Output, "total_tokens": reply.Input + reply.Output,
		"prompt_tokens_details": map[string]any{"cached_tokens": reply.Cached, "cache_write_tokens": reply.CacheWrite},
	}
	if reply.Cost != "" {
		usage["cost"] = json.RawMessage(reply.Cost)
	}
	return usage
}

func (openAI) answer(out *output, r ChatRequest, reply Reply) {
	finish := reply.Finish
	if finish == "" {
		finish = "stop"
		if len(reply.ToolCalls) > 0 {
			finish = "tool_calls"
		}
	}
	usage := openAIUsage(reply)
	head := func(object string, choices []any, u map[string]any) map[string]any {
		v := map[string]any{"id": callID(r.Call, 0), "object": object, "created": 1, "model": r.Model, "choices": choices}
		if u != nil {
			v["usage"] = u
		}
		return v
	}
	if !r.Stream {
		calls := []any{}
		for _, c := range reply.ToolCalls {
			calls = append(calls, map[string]any{"id": c.ID, "type": "function",
				"function": map[string]any{"name": c.Name, "arguments": c.Arguments}})
		}
		message := map[string]any{"role": "assistant", "content": reply.Text}
		if len(calls) > 0 {
			message["tool_calls"] = calls
		}
		if reply.Reasoning != "" {
			message["reasoning_content"] = reply.Reasoning
		}
		choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}
		if reply.Fault == EmptyChoices {
			choices = []any{}
		}
		out.json(head("chat.completion", choices, usage))
		return
	}
	chunk := func(delta map[string]any, finish any) {
		out.event("", head("chat.completion.chunk", []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}, nil))
	}
	if reply.Fault != EmptyChoices {
		chunk(map[string]any{"role": "assistant", "content": ""}, nil)
		for _, p := range pieces(reply.Reasoning) {
			chunk(map[string]any{"reasoning_content": p}, nil)
		}
		for _, p := range pieces(reply.Text) {
			chunk(map[string]any{"content": p}, nil)
		}
		for i, c := range reply.ToolCalls {
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.ID, "type": "function",
				"function": map[string]any{"name": c.Name, "arguments": ""}}}}, nil)
			for _, p := range pieces(c.Arguments) {
				chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
			}
		}
		chunk(map[string]any{}, finish)
	}
	if usage != nil {
		out.event("", head("chat.completion.chunk", []any{}, usage))
	}
	out.raw("data: [DONE]\n\n")
}
