package provider

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	openai "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// chat is a model behind the chat completions API.
type chat struct {
	endpoint
	api   openai.ChatCompletionService
	texts openai.CompletionService
}

// Complete sends r, leaving out in turn what the server refuses.
func (c *chat) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	return c.complete(ctx, llm.Repair(r), r.OnDelta != nil && r.Prompt == "", c.once)
}

func (c *chat) once(ctx context.Context, r llm.Request, without omitted) (llm.Response, error) {
	if r.Prompt != "" {
		return c.continued(ctx, r, without)
	}
	params, opts := c.params(r, without)
	if r.OnDelta != nil {
		return c.stream(ctx, params, opts, r.OnDelta)
	}
	res, err := present(c.api.New(ctx, params, opts...))
	if err != nil {
		return llm.Response{}, err
	}
	if raw := res.JSON.ExtraFields["error"].Raw(); raw != "" && raw != "null" {
		return llm.Response{}, c.svc.embedded(c.full, `{"error":`+raw+`}`)
	}
	var a answer
	a.usage(res.Usage)
	if len(res.Choices) == 0 {
		return a.finish(c, "the reply holds no choice")
	}
	choice := res.Choices[0]
	a.finishReason = choice.FinishReason
	a.text.WriteString(choice.Message.Content)
	a.refusal.WriteString(choice.Message.Refusal)
	a.reasoning.WriteString(reasoningOf(choice.Message.JSON.ExtraFields))
	for i, t := range choice.Message.ToolCalls {
		a.calls.Add(int64(i), t.ID, t.Function.Name, t.Function.Arguments)
	}
	return a.finish(c, "")
}

func (c *chat) stream(ctx context.Context, params openai.ChatCompletionNewParams, opts []option.RequestOption,
	onDelta func(string)) (llm.Response, error) {
	s := c.api.NewStreaming(ctx, params, opts...)
	defer s.Close()
	var a answer
	x := exchangeOf(ctx)
	for s.Next() {
		chunk := s.Current()
		if chunk.JSON.Usage.Valid() {
			a.usage(chunk.Usage)
		}
		for _, choice := range chunk.Choices {
			if choice.Index != 0 {
				continue
			}
			if choice.FinishReason != "" {
				a.finishReason = choice.FinishReason
			}
			a.text.WriteString(choice.Delta.Content)
			a.refusal.WriteString(choice.Delta.Refusal)
			a.reasoning.WriteString(reasoningOf(choice.Delta.JSON.ExtraFields))
			for _, t := range choice.Delta.ToolCalls {
				a.calls.Add(t.Index, t.ID, t.Function.Name, t.Function.Arguments)
			}
			if a.size() > x.reply() {
				return llm.Response{}, x.tooLong(x.reply())
			}
			if choice.Delta.Content != "" {
				onDelta(c.svc.secrets.Exact(choice.Delta.Content))
			}
		}
	}
	if err := s.Err(); err != nil {
		return llm.Response{}, c.streamError(ctx, err)
	}
	if a.finishReason == "" && !(a.sawUsage && a.any()) {
		if ctx.Err() != nil {
			return llm.Response{}, ctx.Err()
		}
		return llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Model: c.full, Message: "the stream ended before the reply did"}
	}
	return a.finish(c, "")
}

// params translates r; without names what this server does not take, beyond what r lacks already.
func (c *chat) params(r llm.Request, without omitted) (openai.ChatCompletionNewParams, []option.RequestOption) {
	p := openai.ChatCompletionNewParams{Model: c.model}
	if r.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(r.System))
	}
	for _, m := range r.Messages {
		p.Messages = append(p.Messages, chatMessage(m))
	}
	maxTokens := without.replyLimit(r, c.most)
	if without.maxTokens {
		p.MaxCompletionTokens = openai.Int(maxTokens)
	} else {
		p.MaxTokens = openai.Int(maxTokens)
	}
	p.Temperature, p.TopP, p.Seed = optional(r.Temperature), optional(r.TopP), optional(r.Seed)
	p.Stop.OfStringArray = r.Stop
	if r.Schema != nil {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: r.Schema.Name, Schema: r.Schema.JSON}}
	}
	for _, t := range r.Tools {
		f := shared.FunctionDefinitionParam{Name: t.Name}
		if t.Description != "" {
			f.Description = openai.String(t.Description)
		}
		if json.Unmarshal(t.Parameters, &f.Parameters) != nil || f.Parameters == nil {
			f.Parameters = shared.FunctionParameters{"type": "object", "properties": map[string]any{}}
		}
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(f))
	}
	if len(r.Tools) > 0 && r.ToolChoice != "" {
		p.ToolChoice.OfAuto = param.NewOpt(r.ToolChoice)
	}
	var opts []option.RequestOption
	if r.OnDelta != nil && !without.streamOptions {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	if c.svc.askUsage {
		opts = append(opts, option.WithJSONSet("usage", map[string]any{"include": true}))
	}
	return p, opts
}

// optional is a value in the SDK's form; nil is none.
func optional[T comparable](v *T) (o param.Opt[T]) {
	if v != nil {
		o = param.NewOpt(*v)
	}
	return o
}

func chatMessage(m llm.Message) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case llm.RoleTool:
		return openai.ToolMessage(m.Content, m.ToolCallID)
	case llm.RoleAssistant:
		a := openai.ChatCompletionAssistantMessageParam{}
		if m.Content != "" {
			a.Content.OfString = openai.String(m.Content)
		}
		for _, t := range m.ToolCalls {
			a.ToolCalls = append(a.ToolCalls,
				openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
					ID: t.ID, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: t.Name, Arguments: t.Arguments}}})
		}
		return openai.ChatCompletionMessageParamUnion{OfAssistant: &a}
	default:
		return openai.UserMessage(m.Content)
	}
}

func (c *chat) streamError(ctx context.Context, err error) error {
	const prefix = "received error while streaming: "
	if i := strings.Index(err.Error(), prefix); i >= 0 {
		return c.svc.embedded(c.full, `{"error":`+quoteIfNeeded(err.Error()[i+len(prefix):])+`}`)
	}
	return c.svc.failure(ctx, c.full, err)
}

func quoteIfNeeded(text string) string {
	if json.Valid([]byte(text)) {
		return text
	}
	quoted, _ := json.Marshal(text)
	return string(quoted)
}
