package pairs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Names that other tools give to the fields. The first that is there counts.
var (
	taskNames   = []string{"task_id", "problem_id", "question_id", "id"}
	promptNames = []string{"prompt", "question", "instruction", "prompt_conversation"}
)

// parse reads one row; why is not empty when it is not a pair. The row's bytes may be reused afterwards.
func parse(row []byte) (p Pair, why string) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(row, &fields); err != nil {
		if !json.Valid(row) {
			return p, "not JSON: " + err.Error()
		}
		return p, "not a pair: a row must be a JSON object"
	}
	if fields == nil {
		return p, "not a pair: a row must be a JSON object"
	}
	if why := labeled(fields); why != "" {
		return p, why
	}
	for _, side := range []string{"chosen", "rejected"} {
		if _, ok := fields[side]; !ok {
			if _, kto := fields["completion"]; kto {
				return p, "not a pair: it has one completion and a label (KTO), not a chosen and a rejected one"
			}
			return p, fmt.Sprintf("not a pair: %q is missing", side)
		}
	}
	chosen, chat1, why := messages(fields["chosen"], "chosen", "assistant")
	if why != "" {
		return p, why
	}
	rejected, chat2, why := messages(fields["rejected"], "rejected", "assistant")
	if why != "" {
		return p, why
	}
	p.Chosen, p.Rejected, p.Chat = chosen, rejected, chat1 || chat2
	used := []string{"chosen", "rejected"}
	for _, name := range promptNames {
		raw, ok := fields[name]
		if !ok || isNull(raw) {
			continue
		}
		prompt, chat, why := messages(raw, name, "user")
		if why != "" {
			return p, why
		}
		p.Prompt, p.Chat = prompt, p.Chat || chat
		used = append(used, name)
		break
	}
	p.split()
	for _, name := range taskNames {
		if raw, ok := fields[name]; ok {
			if id, ok := scalar(raw); ok {
				p.TaskID = id
				used = append(used, name)
				break
			}
		}
	}
	for name, raw := range fields {
		if !slices.Contains(used, name) {
			if p.Extra == nil {
				p.Extra = map[string]json.RawMessage{}
			}
			p.Extra[name] = raw
		}
	}
	if len(p.Chosen) == 0 || len(p.Rejected) == 0 {
		return p, "not a pair: a side has no answer behind what both begin with"
	}
	return p, ""
}

// labeled turns a comparison of Tinker's cookbook, {prompt_conversation, completion_A, completion_B, label}, into a pair.
// It stands either alone or as {"comparison": ..., "label": ...}.
func labeled(fields map[string]json.RawMessage) (why string) {
	if raw, ok := fields["comparison"]; ok {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) == nil {
			for _, name := range []string{"prompt_conversation", "completion_A", "completion_B"} {
				if v, ok := inner[name]; ok {
					fields[name] = v
				}
			}
			delete(fields, "comparison")
		}
	}
	a, okA := fields["completion_A"]
	b, okB := fields["completion_B"]
	if !okA || !okB {
		return ""
	}
	var label string
	if json.Unmarshal(fields["label"], &label) != nil {
		return `not a pair: completion_A and completion_B without a label of "A" or "B"`
	}
	switch label {
	case "A":
	case "B":
		a, b = b, a
	case "Tie":
		return "not a pair: a tie prefers neither side"
	default:
		return `not a pair: the label is neither "A" nor "B"`
	}
	fields["chosen"], fields["rejected"] = a, b
	for _, name := range []string{"completion_A", "completion_B", "label"} {
		delete(fields, name)
	}
	return ""
}

// split moves what both sides begin with into the prompt: TRL calls that an implicit prompt.
func (p *Pair) split() {
	if len(p.Prompt) > 0 || !p.Chat {
		return
	}
	n := 0
	for n < len(p.Chosen) && n < len(p.Rejected) && p.Chosen[n] == p.Rejected[n] && p.Chosen[n].Role != "assistant" {
		n++
	}
	p.Prompt, p.Chosen, p.Rejected = p.Chosen[:n:n], p.Chosen[n:], p.Rejected[n:]
}

// messages reads a text, a message, or a list of messages; chat is false for a text.
func messages(raw json.RawMessage, field, role string) (out []Message, chat bool, why string) {
	var text string
	if json.Unmarshal(raw, &text) == nil && !isNull(raw) {
		return []Message{{Role: role, Content: text}}, false, ""
	}
	// ShareGPT's from and value are the older names.
	type turn struct {
		Role    string          `json:"role"`
		From    string          `json:"from"`
		Content json.RawMessage `json:"content"`
		Value   *string         `json:"value"`
	}
	var turns []turn
	if trimmed := bytes.TrimSpace(raw); bytes.HasPrefix(trimmed, []byte("{")) {
		var one turn
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, false, fmt.Sprintf("not a pair: %s is no message: %v", field, err)
		}
		turns = []turn{one}
	} else if err := json.Unmarshal(raw, &turns); err != nil || isNull(raw) {
		return nil, false, fmt.Sprintf("not a pair: %s is neither a text nor a list of messages", field)
	}
	for i, t := range turns {
		m := Message{Role: t.Role}
		if m.Role == "" {
			m.Role = map[string]string{"human": "user", "gpt": "assistant", "system": "system"}[t.From]
		}
		content, ok := content(t.Content)
		if !ok && t.Value != nil {
			content, ok = *t.Value, true
		}
		if m.Role == "" || !ok {
			return nil, false, fmt.Sprintf("not a pair: message %d of %s has no role or no text", i+1, field)
		}
		m.Content = content
		out = append(out, m)
	}
	return out, true, ""
}

// content is a message's text: itself, or the texts of its parts.
func content(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || isNull(raw) {
		return "", false
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", false
	}
	var b strings.Builder
	for _, p := range parts {
		if p.Type != "text" {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

// scalar is a text or a number as text.
func scalar(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil && !isNull(raw) {
		return s, true
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil && n != "" {
		return n.String(), true
	}
	return "", false
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }
