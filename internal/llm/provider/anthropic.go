package provider

import (
	"context"
	"encoding/json"
	"strings"

	anthropic "github.com/anthropics/anthropic-sdk-go"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/wire"
)

// messages is a model behind Anthropic's messages API. It always streams: the API refuses long replies otherwise.
type messages struct {
	endpoint
	api anthropic.MessageService
}

// Complete sends r, leaving out in turn what the server refuses.
func (m *messages) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if r.Prompt != "" {
		return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Model: m.full,
			Message: "Anthropic's API takes conversations only, no raw prompt", Hints: rawHint}
	}
	return m.complete(ctx, llm.Repair(r), true, m.once)
}

func (m *messages) once(ctx context.Context, r llm.Request, without omitted) (llm.Response, error) {
	s := m.api.NewStreaming(ctx, m.params(r, without))
	if err := s.Err(); err != nil {
		return llm.Response{}, err
	}
	defer s.Close()
	var acc anthropic.Message
	stopped := false
	x, size := exchangeOf(ctx), int64(0)
	for s.Next() {
		event := s.Current()
		if size += sizeOf(event); size > x.reply() {
			return llm.Response{}, x.tooLong(x.reply())
		}
		switch event.Type {
		case "message_stop":
			stopped = true
		case "content_block_stop": // would have the SDK write the whole block as JSON, which nobody reads
		default:
			if err := acc.Accumulate(event); err != nil {
				return llm.Response{}, &llm.Error{Kind: llm.KindInvalid, Model: m.full, Message: m.svc.clean(err.Error())}
			}
		}
		if r.OnDelta != nil && event.Type == "content_block_delta" && event.Delta.Text != "" {
			r.OnDelta(m.svc.secrets.Exact(event.Delta.Text))
		}
	}
	if err := s.Err(); err != nil {
		return llm.Response{}, m.streamError(ctx, err)
	}
	if !stopped || acc.StopReason == "" {
		if ctx.Err() != nil {
			return llm.Response{}, ctx.Err()
		}
		return llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Model: m.full, Message: "the stream ended before the reply did"}
	}
	return m.response(&acc)
}

// sizeOf is how many bytes of an event are kept.
func sizeOf(e anthropic.MessageStreamEventUnion) int64 {
	switch e.Type {
	case "message_start":
		return int64(len(e.Message.RawJSON()))
	case "content_block_start":
		return int64(len(e.ContentBlock.RawJSON()))
	case "content_block_delta":
		return int64(len(e.Delta.Text) + len(e.Delta.PartialJSON) + len(e.Delta.Thinking) + len(e.Delta.Signature) +
			len(e.Delta.Citation.RawJSON()))
	}
	return 0
}

func (m *messages) streamError(ctx context.Context, err error) error {
	const prefix = "received error while streaming: "
	if i := strings.Index(err.Error(), prefix); i >= 0 {
		return m.svc.embedded(m.full, err.Error()[i+len(prefix):])
	}
	if api, ok := err.(*anthropic.Error); ok { // it came as an event of the stream
		return m.svc.embedded(m.full, api.RawJSON())
	}
	return err
}

func (m *messages) response(acc *anthropic.Message) (llm.Response, error) {
	clean := m.svc.secrets.Exact
	u := acc.Usage
	r := llm.Response{Finish: llm.FinishStop, Usage: llm.Usage{
		// Anthropic counts cached tokens beside input_tokens; ours count them within.
		InputTokens:  u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens,
		CachedTokens: u.CacheReadInputTokens, CacheWriteTokens: u.CacheCreationInputTokens, OutputTokens: u.OutputTokens}}
	if !r.Usage.Plausible() {
		r.Usage = llm.Usage{}
	}
	for _, b := range acc.Content {
		switch b.Type {
		case "text":
			r.Text += clean(b.Text)
		case "thinking":
			r.Reasoning += clean(b.Thinking)
		case "tool_use":
			if len(r.ToolCalls) < wire.MaxCalls {
				r.ToolCalls = append(r.ToolCalls, llm.ToolCall{ID: b.ID, Name: b.Name, Arguments: clean(string(b.Input))})
			}
		}
	}
	switch acc.StopReason {
	case anthropic.StopReasonMaxTokens, "model_context_window_exceeded":
		r.Finish = llm.FinishLength
	case anthropic.StopReasonRefusal:
		r.Finish = llm.FinishFilter
	case anthropic.StopReasonToolUse:
		r.Finish = llm.FinishToolCalls
	}
	if err := emptyReply(m.full, r, ""); err != nil {
		return llm.Response{}, err
	}
	return r, nil
}

// params translates r; without says how long the reply may be. Seed has no counterpart and is dropped.
func (m *messages) params(r llm.Request, without omitted) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: anthropic.Model(m.model), MaxTokens: without.replyLimit(r, m.most)}
	if r.System != "" {
		block := anthropic.TextBlockParam{Text: r.System, CacheControl: anthropic.NewCacheControlEphemeralParam()}
		p.System = []anthropic.TextBlockParam{block}
	}
	if r.Temperature != nil {
		p.Temperature = anthropic.Float(*r.Temperature)
	}
	if r.TopP != nil {
		p.TopP = anthropic.Float(*r.TopP)
	}
	p.StopSequences = r.Stop
	if r.Schema != nil {
		var schema map[string]any
		if json.Unmarshal(r.Schema.JSON, &schema) == nil {
			p.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: schema}
		}
	}
	for _, t := range r.Tools {
		tool := anthropic.ToolParam{Name: t.Name, InputSchema: inputSchema(t.Parameters)}
		if t.Description != "" {
			tool.Description = anthropic.String(t.Description)
		}
		p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: &tool})
	}
	if len(r.Tools) > 0 {
		switch r.ToolChoice {
		case llm.ToolChoiceRequired:
			p.ToolChoice.OfAny = &anthropic.ToolChoiceAnyParam{}
		case llm.ToolChoiceNone:
			p.ToolChoice.OfNone = &anthropic.ToolChoiceNoneParam{}
		}
	}
	p.Messages = conversation(r.Messages)
	return p
}

// conversation translates repaired messages. Tool results are user content here and go into one message with the user
// text that follows them. The last block carries the cache breakpoint: what was sent up to here is read from the
// cache by the next turn, whose transcript only grows.
func conversation(msgs []llm.Message) []anthropic.MessageParam {
	var out []anthropic.MessageParam
	user := func(b anthropic.ContentBlockParamUnion) {
		if n := len(out); n > 0 && out[n-1].Role == anthropic.MessageParamRoleUser {
			out[n-1].Content = append(out[n-1].Content, b)
			return
		}
		out = append(out, anthropic.NewUserMessage(b))
	}
	for _, m := range msgs {
		switch m.Role {
		case llm.RoleTool:
			user(anthropic.NewToolResultBlock(m.ToolCallID, m.Content, false))
		case llm.RoleAssistant:
			var blocks []anthropic.ContentBlockParamUnion
			// A final text must not end in white space: the API refuses it.
			if text := strings.TrimRight(m.Content, " \t\r\n"); text != "" {
				blocks = append(blocks, anthropic.NewTextBlock(text))
			}
			for _, t := range m.ToolCalls {
				blocks = append(blocks, anthropic.NewToolUseBlock(t.ID, json.RawMessage(t.Arguments), t.Name))
			}
			out = append(out, anthropic.NewAssistantMessage(blocks...))
		default:
			user(anthropic.NewTextBlock(m.Content))
		}
	}
	if n := len(out); n > 0 {
		if k := len(out[n-1].Content); k > 0 {
			if cc := out[n-1].Content[k-1].GetCacheControl(); cc != nil {
				*cc = anthropic.NewCacheControlEphemeralParam()
			}
		}
	}
	return out
}

// inputSchema is a JSON schema of type object in the SDK's form.
func inputSchema(raw json.RawMessage) anthropic.ToolInputSchemaParam {
	var s map[string]any
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return anthropic.ToolInputSchemaParam{Properties: map[string]any{}}
	}
	out := anthropic.ToolInputSchemaParam{Properties: s["properties"], ExtraFields: map[string]any{}}
	if required, ok := s["required"].([]any); ok {
		for _, name := range required {
			if text, ok := name.(string); ok {
				out.Required = append(out.Required, text)
			}
		}
	}
	for k, v := range s {
		if k != "type" && k != "properties" && k != "required" {
			out.ExtraFields[k] = v
		}
	}
	if out.Properties == nil {
		out.Properties = map[string]any{}
	}
	return out
}
