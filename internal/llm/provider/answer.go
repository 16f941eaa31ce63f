package provider

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/wire"
	"github.com/deeprepo/deeprepo/internal/money"
	openai "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
)

// answer collects a chat reply, whole or in pieces.
type answer struct {
	text, reasoning, refusal strings.Builder
	calls                    wire.Calls
	finishReason             string
	used                     llm.Usage
	cost                     *money.USD
	sawUsage                 bool
}

func (a *answer) usage(u openai.CompletionUsage) {
	if u.PromptTokens == 0 && u.CompletionTokens == 0 {
		return
	}
	a.sawUsage = true
	used := llm.Usage{InputTokens: u.PromptTokens, OutputTokens: u.CompletionTokens, CachedTokens: u.PromptTokensDetails.CachedTokens}
	var extra struct { // what the SDK has no field for
		Hit     int64 `json:"prompt_cache_hit_tokens"` // DeepSeek's name for cached_tokens
		Details struct {
			CacheWrite int64 `json:"cache_write_tokens"`
		} `json:"prompt_tokens_details"`
	}
	if json.Unmarshal([]byte(u.RawJSON()), &extra) == nil {
		used.CacheWriteTokens = extra.Details.CacheWrite
		if used.CachedTokens == 0 {
			used.CachedTokens = extra.Hit
		}
	}
	if a.used = used; !used.Plausible() {
		a.used = llm.Usage{}
	}
	if raw := u.JSON.ExtraFields["cost"].Raw(); raw != "" && raw != "null" {
		if cost, err := wire.Cost(raw); err == nil {
			a.cost = &cost
		}
	}
}

// size is how many bytes came in.
func (a *answer) size() int64 {
	return int64(a.text.Len() + a.reasoning.Len() + a.refusal.Len() + a.calls.Size())
}

func (a *answer) any() bool { return a.text.Len()+a.refusal.Len()+a.calls.Len() > 0 }

// finish makes a response of what came in; problem, when not "", says why there is nothing.
func (a *answer) finish(c *chat, problem string) (llm.Response, error) {
	clean := c.svc.secrets.Exact
	r := llm.Response{Text: clean(a.text.String()), Reasoning: clean(a.reasoning.String()), Usage: a.used, Cost: a.cost,
		Finish: llm.FinishStop}
	if r.Reasoning == "" {
		r.Reasoning, r.Text = llm.SplitThink(r.Text)
	}
	for i, t := range a.calls.List() {
		if t.Name == "" {
			continue
		}
		if t.ID == "" {
			t.ID = fmt.Sprintf("call_%d", i)
		}
		t.Arguments = clean(t.Arguments)
		r.ToolCalls = append(r.ToolCalls, t)
	}
	switch a.finishReason {
	case "length", "max_tokens":
		r.Finish = llm.FinishLength
	case "content_filter":
		r.Finish = llm.FinishFilter
	case "tool_calls", "function_call":
		r.Finish = llm.FinishToolCalls
	case "error": // OpenRouter: the upstream broke off
		return llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Model: c.full, Message: "the upstream provider broke off", Usage: a.used,
			Cost: a.cost}
	}
	if len(r.ToolCalls) > 0 && r.Finish == llm.FinishStop {
		r.Finish = llm.FinishToolCalls
	}
	if a.refusal.Len() > 0 && strings.TrimSpace(r.Text) == "" {
		r.Text, r.Finish = clean(a.refusal.String()), llm.FinishFilter
	}
	if err := emptyReply(c.full, r, problem); err != nil {
		return llm.Response{}, err
	}
	return r, nil
}

// emptyReply is the error for a reply without text and calls, else nil.
func emptyReply(full string, r llm.Response, problem string) error {
	if strings.TrimSpace(r.Text) != "" || len(r.ToolCalls) > 0 {
		return nil
	}
	e := &llm.Error{Kind: llm.KindEmpty, Model: full, Message: "the reply is empty", Usage: r.Usage, Cost: r.Cost}
	switch {
	case problem != "":
		e.Message = problem
	case r.Finish == llm.FinishFilter:
		e.Kind, e.Message = llm.KindFiltered, "the provider's filter withheld the reply"
	case r.Reasoning != "" && r.Finish == llm.FinishLength:
		e.Message = "the reply's token limit went to thinking; no answer came"
	case r.Reasoning != "":
		e.Message = "the reply holds thinking but no answer"
	}
	return e
}

// reasoningOf reads the thinking that vLLM, DeepSeek and llama-server (reasoning_content) and OpenRouter and newer
// vLLM (reasoning) send beside the text.
func reasoningOf(extra map[string]respjson.Field) string {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		var s string
		if raw := extra[name].Raw(); raw != "" && json.Unmarshal([]byte(raw), &s) == nil && s != "" {
			return s
		}
	}
	return ""
}
