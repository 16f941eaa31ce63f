package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRepair(t *testing.T) {
	python := []Tool{{Name: "execute_python"}}
	call := func(id, args string) ToolCall { return ToolCall{ID: id, Name: "execute_python", Arguments: args} }
	user := func(s string) Message { return Message{Role: RoleUser, Content: s} }
	tests := []struct {
		name  string
		tools []Tool
		in    []Message
		want  []Message
	}{
		{"already right", nil, []Message{user("a"), {Role: RoleAssistant, Content: "b"}, user("c")}, []Message{user("a"), {Role: RoleAssistant, Content: "b"}, user("c")}},
		{"nothing", nil, nil, []Message{user("Begin.")}},
		{"empty texts", nil, []Message{user(""), user("a"), {Role: RoleAssistant, Content: " \n"}, user("b")}, []Message{user("a\n\nb")}},
		{"assistant first and last", nil, []Message{{Role: RoleAssistant, Content: "x"}}, []Message{user("Begin."), {Role: RoleAssistant, Content: "x"}, user("Continue.")}},
		{"missing answer", python, []Message{user("a"), {Role: RoleAssistant, ToolCalls: []ToolCall{call("1", "{}"), call("2", "{}")}},
			{Role: RoleTool, ToolCallID: "2", Content: ""}, user("next")},
			[]Message{user("a"), {Role: RoleAssistant, ToolCalls: []ToolCall{call("1", "{}"), call("2", "{}")}},
				{Role: RoleTool, ToolCallID: "1", Content: "(no result: the call was not run)"}, {Role: RoleTool, ToolCallID: "2", Content: "(no output)"}, user("next")}},
		{"stray answer", python, []Message{user("a"), {Role: RoleTool, ToolCallID: "9", Content: "out"}}, []Message{user("a\n\nout")}},
		{"odd IDs and arguments", python, []Message{user("a"),
			{Role: RoleAssistant, ToolCalls: []ToolCall{call("", "print(1)"), call("a.b", "")}}, {Role: RoleTool, ToolCallID: "a.b", Content: "y"}},
			[]Message{user("a"), {Role: RoleAssistant, ToolCalls: []ToolCall{call("call_1_0", `{"invalid_arguments":"print(1)"}`),
				call("a_b", "{}")}},
				{Role: RoleTool, ToolCallID: "call_1_0", Content: "(no result: the call was not run)"}, {Role: RoleTool, ToolCallID: "a_b", Content: "y"}}},
		{"calls without tools", nil, []Message{user("a"), {Role: RoleAssistant, Content: "look",
			ToolCalls: []ToolCall{call("1", `{"code":"1"}`)}}, {Role: RoleTool, ToolCallID: "1", Content: "1"}},
			[]Message{user("a"), {Role: RoleAssistant, Content: "look\n\nexecute_python({\"code\":\"1\"})"}, user("1")}},
		{"invalid UTF-8", nil, []Message{user("a\xffb")}, []Message{user("a\uFFFDb")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Repair(Request{Messages: tt.in, Tools: tt.tools}).Messages
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

// lawful says which rule of the strictest server the messages break, if any.
func lawful(r Request) string {
	msgs := r.Messages
	if len(msgs) == 0 || msgs[0].Role != RoleUser || msgs[len(msgs)-1].Role == RoleAssistant {
		return "begins or ends wrong"
	}
	for i, m := range msgs {
		if !utf8.ValidString(m.Content) {
			return "invalid UTF-8"
		}
		if strings.TrimSpace(m.Content) == "" && len(m.ToolCalls) == 0 {
			return fmt.Sprintf("message %d is empty", i)
		}
		if i > 0 && m.Role == msgs[i-1].Role && m.Role != RoleTool {
			return fmt.Sprintf("messages %d and %d are both from %s", i-1, i, m.Role)
		}
		ids := map[string]bool{}
		for n, c := range m.ToolCalls {
			if ids[c.ID] || c.ID == "" {
				return "repeated or empty call ID"
			}
			ids[c.ID] = true
			var object map[string]any
			if json.Unmarshal([]byte(c.Arguments), &object) != nil {
				return "arguments are no object"
			}
			if i+1+n >= len(msgs) || msgs[i+1+n].Role != RoleTool || msgs[i+1+n].ToolCallID != c.ID {
				return fmt.Sprintf("call %d of message %d has no answer in its place", n, i)
			}
		}
		if m.Role == RoleTool {
			at := i
			for at >= 0 && msgs[at].Role == RoleTool {
				at--
			}
			if at < 0 || i-at > len(msgs[at].ToolCalls) {
				return fmt.Sprintf("tool message %d answers nothing", i)
			}
		}
		if len(r.Tools) == 0 && (len(m.ToolCalls) > 0 || m.Role == RoleTool) {
			return "tool messages without tools"
		}
	}
	return ""
}

// TestRepairProperty: whatever comes in, what goes out is lawful, repairing it again changes nothing, and the
// transcript of one turn more begins with it.
func TestRepairProperty(t *testing.T) {
	text := rapid.SampledFrom([]string{"", " ", "a", "b\n", "x\xff", "<think>"})
	id := rapid.SampledFrom([]string{"", "1", "2", "a.b", "toolu_1"})
	rapid.Check(t, func(t *rapid.T) {
		r := Request{}
		if rapid.Bool().Draw(t, "tools") {
			r.Tools = []Tool{{Name: "f"}}
		}
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			m := Message{Role: rapid.SampledFrom([]string{RoleUser, RoleAssistant, RoleTool, ""}).Draw(t, "role"), Content: text.Draw(t, "text")}
			switch m.Role {
			case RoleAssistant:
				for range rapid.IntRange(0, 2).Draw(t, "calls") {
					m.ToolCalls = append(m.ToolCalls, ToolCall{ID: id.Draw(t, "id"), Name: "f",
						Arguments: rapid.SampledFrom([]string{"", "{}", "null", "[1]", `{"a":1}`, "{"}).Draw(t, "args")})
				}
			case RoleTool:
				m.ToolCallID = id.Draw(t, "answers")
			}
			r.Messages = append(r.Messages, m)
		}
		fixed := Repair(r)
		if problem := lawful(fixed); problem != "" {
			t.Fatalf("%s in %+v", problem, fixed.Messages)
		}
		if diff := cmp.Diff(fixed, Repair(fixed)); diff != "" {
			t.Fatalf("repairing twice changes (-once +twice):\n%s", diff)
		}
		longer := r
		longer.Messages = append(append([]Message(nil), fixed.Messages...), Message{Role: RoleAssistant, Content: "more"},
			Message{Role: RoleUser, Content: "go on"})
		grown := Repair(longer).Messages
		if diff := cmp.Diff(fixed.Messages, grown[:len(fixed.Messages)]); diff != "" {
			t.Fatalf("the prefix changed (-before +after):\n%s", diff)
		}
	})
}

func TestSplitThink(t *testing.T) {
	tests := []struct{ in, reasoning, answer string }{
		{"plain", "", "plain"},
		{"<think>a\nb</think>\n\nanswer", "a\nb", "answer"},
		{"\n<think></think>answer", "", "answer"},
		{"<think>cut off by the limit", "cut off by the limit", ""},
		{"in the template\n</think>\n\nanswer", "in the template", "answer"},
		{"the file holds `</think>` somewhere", "", "the file holds `</think>` somewhere"},
		{"text <think>x</think> y", "", "text <think>x</think> y"},
		{"a\n</think>b", "", "a\n</think>b"},
	}
	for _, tt := range tests {
		if r, a := SplitThink(tt.in); r != tt.reasoning || a != tt.answer {
			t.Errorf("SplitThink(%q) = %q, %q; want %q, %q", tt.in, r, a, tt.reasoning, tt.answer)
		}
	}
}
