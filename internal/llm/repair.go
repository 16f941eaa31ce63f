package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Repair returns the request as every provider accepts it. Empty texts and a wrong order of messages are the known
// causes of HTTP 400 in long tool conversations:
//
//   - messages without text and without tool calls are dropped; an empty tool result says "(no output)";
//   - every tool call is answered right after it, once: a missing answer is filled in, a stray one becomes user text;
//   - without Request.Tools, calls and their answers become plain text;
//   - neighbours of the same role are joined; the first and the last message come from the user (or a tool);
//   - call IDs hold letters, digits, "_" and "-" only, and arguments are a JSON object;
//   - texts are valid UTF-8.
//
// A request with a Prompt has no conversation to repair.
//
// It is deterministic and only looks backwards, except for the very last message, so a transcript that grows keeps
// its prefix and the provider's prompt cache hits. r is not changed.
func Repair(r Request) Request {
	if r.Prompt != "" {
		r.Prompt = strings.ToValidUTF8(r.Prompt, "\uFFFD")
		return r
	}
	r.System = strings.ToValidUTF8(r.System, "\uFFFD")
	msgs := r.Messages
	if len(r.Tools) == 0 {
		msgs = flattenTools(msgs)
	}
	var out []Message
	begin := Message{Role: RoleUser, Content: "Begin."}
	add := func(m Message) {
		if len(out) == 0 && m.Role == RoleAssistant {
			out = append(out, begin)
		}
		if n := len(out); n > 0 && m.Role != RoleTool && out[n-1].Role == m.Role && len(out[n-1].ToolCalls) == 0 {
			last := &out[n-1]
			last.Content = joinTexts(last.Content, m.Content)
			last.ToolCalls = m.ToolCalls
			return
		}
		out = append(out, m)
	}
	for i := 0; i < len(msgs); i++ {
		m := msgs[i]
		m.Content = strings.ToValidUTF8(m.Content, "\uFFFD")
		blank := strings.TrimSpace(m.Content) == ""
		switch {
		case m.Role == RoleTool: // not directly after its call, else the case below had taken it
			if !blank {
				add(Message{Role: RoleUser, Content: m.Content})
			}
		case m.Role == RoleAssistant && len(m.ToolCalls) > 0:
			if blank {
				m.Content = ""
			}
			var answers []Message
			for i+1 < len(msgs) && msgs[i+1].Role == RoleTool {
				i++
				answers = append(answers, msgs[i])
			}
			m.ToolCalls, answers = answerCalls(len(out), m.ToolCalls, answers)
			add(m)
			for _, t := range answers {
				add(t)
			}
		case blank:
		case m.Role == RoleAssistant:
			add(Message{Role: RoleAssistant, Content: m.Content})
		default:
			add(Message{Role: RoleUser, Content: m.Content})
		}
	}
	if len(out) == 0 {
		out = append(out, begin)
	}
	if out[len(out)-1].Role == RoleAssistant {
		out = append(out, Message{Role: RoleUser, Content: "Continue."})
	}
	r.Messages = out
	return r
}

// answerCalls pairs the calls of the message at index at with the tool messages that follow it. What answers no call comes
// last among the results, as text of the user.
func answerCalls(at int, calls []ToolCall, answers []Message) (fixed []ToolCall, results []Message) {
	used := make([]bool, len(answers))
	seen := map[string]bool{}
	for n, c := range calls {
		answer := "(no result: the call was not run)"
		for i, a := range answers {
			if !used[i] && a.ToolCallID == c.ID {
				used[i] = true
				answer = strings.ToValidUTF8(a.Content, "\uFFFD")
				break
			}
		}
		if strings.TrimSpace(answer) == "" {
			answer = "(no output)"
		}
		id := callID(c.ID)
		if id == "" || seen[id] {
			id = fmt.Sprintf("call_%d_%d", at, n)
		}
		seen[id] = true
		fixed = append(fixed, ToolCall{ID: id, Name: c.Name, Arguments: objectArguments(c.Arguments)})
		results = append(results, Message{Role: RoleTool, Content: answer, ToolCallID: id})
	}
	for i, a := range answers {
		if !used[i] && strings.TrimSpace(a.Content) != "" {
			results = append(results, Message{Role: RoleUser, Content: strings.ToValidUTF8(a.Content, "\uFFFD")})
		}
	}
	return fixed, results
}

// callID keeps what Anthropic accepts in an ID.
func callID(id string) string {
	id = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, id)
	return id[:min(len(id), 64)]
}

// objectArguments makes a JSON object of what the model wrote: Anthropic and chat templates refuse anything else.
func objectArguments(args string) string {
	text := strings.ToValidUTF8(strings.TrimSpace(args), "\uFFFD")
	if text == "" {
		return "{}"
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && object != nil {
		return text
	}
	wrapped, _ := json.Marshal(map[string]string{"invalid_arguments": text})
	return string(wrapped)
}

// flattenTools rewrites calls and results as text, for a request that offers no tools.
func flattenTools(msgs []Message) []Message {
	out := make([]Message, 0, len(msgs))
	for _, m := range msgs {
		for _, c := range m.ToolCalls {
			m.Content = joinTexts(m.Content, c.Name+"("+c.Arguments+")")
		}
		m.ToolCalls = nil
		if m.Role == RoleTool {
			m.Role, m.ToolCallID = RoleUser, ""
		}
		out = append(out, m)
	}
	return out
}

func joinTexts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
