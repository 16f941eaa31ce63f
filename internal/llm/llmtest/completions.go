package llmtest

import "encoding/json"

// completions is the dialect for base models: a prompt, and the text that continues it. It is never streamed.
type completions struct{ openAI }

func (completions) parse(body []byte) (ChatRequest, error) {
	var in struct {
		Model       string   `json:"model"`
		Prompt      string   `json:"prompt"`
		MaxTokens   int      `json:"max_tokens"`
		Temperature *float64 `json:"temperature"`
		TopP        *float64 `json:"top_p"`
		Seed        *int64   `json:"seed"`
		Stop        []string `json:"stop"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return ChatRequest{}, err
	}
	return ChatRequest{API: "completions", Model: in.Model, Prompt: in.Prompt, MaxTokens: in.MaxTokens, Temperature: in.Temperature,
		TopP: in.TopP, Seed: in.Seed, Stop: in.Stop}, nil
}

func (completions) answer(out *output, r ChatRequest, reply Reply) {
	finish := reply.Finish
	if finish == "" {
		finish = "stop"
	}
	choices := []any{map[string]any{"index": 0, "text": reply.Text, "finish_reason": finish, "logprobs": nil}}
	if reply.Fault == EmptyChoices {
		choices = []any{}
	}
	v := map[string]any{"id": callID(r.Call, 0), "object": "text_completion", "created": 1, "model": r.Model, "choices": choices}
	if usage := openAIUsage(reply); usage != nil {
		v["usage"] = usage
	}
	out.json(v)
}
