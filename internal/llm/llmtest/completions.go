package llmtest

import "encoding/json"

// completions is the dialect for base models: a prompt, and the text that continues it. It is never streamed.
type completions struct{ openAI }

func (c completions) parse(body []byte) (ChatRequest, error) {
	r, err := c.openAI.parse(body)
	if err != nil {
		return ChatRequest{}, err
	}
	var in struct{ Prompt string }
	if err := json.Unmarshal(body, &in); err != nil {
		return ChatRequest{}, err
	}
	r.API, r.Prompt = "completions", in.Prompt
	return r, nil
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
