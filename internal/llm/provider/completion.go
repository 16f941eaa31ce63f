package provider

import (
	"context"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	openai "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// rawHint is the advice for a model that cannot continue a text.
const rawHint = "this model only takes conversations: leave the raw prompt (--prompt chat), or name a server with a completions API, " +
	"such as llama-server or vLLM, as provider local"

// continued has the model continue r.Prompt through the completions API. The reply comes in one piece, and r.OnDelta is
// called once.
//
// Ollama puts a model's template around the prompt here, too; those of base models are the prompt alone.
func (c *chat) continued(ctx context.Context, r llm.Request, without omitted) (llm.Response, error) {
	if err := alone(r, c.full); err != nil {
		return llm.Response{}, err
	}
	p := openai.CompletionNewParams{Model: openai.CompletionNewParamsModel(c.model), MaxTokens: openai.Int(without.replyLimit(r, c.most))}
	p.Prompt.OfString = openai.String(r.Prompt)
	p.Stop.OfStringArray = r.Stop
	p.Temperature, p.TopP, p.Seed = optional(r.Temperature), optional(r.TopP), optional(r.Seed)
	var opts []option.RequestOption
	if c.svc.askUsage {
		opts = append(opts, option.WithJSONSet("usage", map[string]any{"include": true}))
	}
	if c.svc.keepSpecial {
		opts = append(opts, option.WithJSONSet("skip_special_tokens", false))
	}
	res, err := present(c.texts.New(ctx, p, opts...))
	if err != nil {
		return llm.Response{}, c.noCompletions(ctx, err)
	}
	if raw := res.JSON.ExtraFields["error"].Raw(); raw != "" && raw != "null" {
		return llm.Response{}, c.svc.embedded(c.full, `{"error":`+raw+`}`)
	}
	var a answer
	a.usage(res.Usage)
	if len(res.Choices) == 0 {
		return a.finish(c, "the reply holds no choice")
	}
	resp := llm.Response{Text: c.svc.secrets.Exact(res.Choices[0].Text), Usage: a.used, Cost: a.cost, Finish: llm.FinishStop}
	switch res.Choices[0].FinishReason {
	case openai.CompletionChoiceFinishReasonLength, "max_tokens":
		resp.Finish = llm.FinishLength
	case openai.CompletionChoiceFinishReasonContentFilter:
		resp.Finish = llm.FinishFilter
	case "error": // OpenRouter: the upstream broke off
		return llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Model: c.full, Message: "the upstream provider broke off", Usage: a.used,
			Cost: a.cost}
	}
	if r.OnDelta != nil && resp.Text != "" {
		r.OnDelta(resp.Text)
	}
	return resp, nil
}

// alone is an error for a request that has a prompt and a conversation.
func alone(r llm.Request, full string) error {
	if r.System == "" && len(r.Messages) == 0 && len(r.Tools) == 0 && r.Schema == nil {
		return nil
	}
	return &llm.Error{Kind: llm.KindBadRequest, Model: full, Message: "a request has a raw prompt or a conversation, not both"}
}

// noCompletions gives the errors of servers and models without this API a hint: 404 and 405 for the path, and OpenAI's
// "This is a chat model and not supported in the v1/completions endpoint".
func (c *chat) noCompletions(ctx context.Context, err error) error {
	e := c.svc.failure(ctx, c.full, err)
	switch {
	case e.Status == 404 || e.Status == 405 || e.Status == 501:
		if e.Kind != llm.KindUnknownModel || mentionsChat(e.Message) {
			e.Kind, e.Hints = llm.KindBadRequest, rawHint
		}
	case e.Kind == llm.KindBadRequest && mentionsChat(e.Message):
		e.Hints = rawHint
	}
	return e
}

func mentionsChat(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "chat model") || strings.Contains(message, "v1/completions") ||
		strings.Contains(message, "chat/completions")
}
