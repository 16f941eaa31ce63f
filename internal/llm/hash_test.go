package llm

import (
	"encoding/json"
	"testing"
)

// TestHash: everything that decides the reply decides the hash, and nothing else does.
func TestHash(t *testing.T) {
	half, one, seed := 0.5, 1.0, int64(7)
	base := func() Request {
		return Request{System: "s", Messages: []Message{{Role: "user", Content: "u"}}, MaxTokens: 10,
			Tools:  []Tool{{Name: "f", Parameters: json.RawMessage(`{"type":"object"}`)}},
			Schema: &Schema{Name: "n", JSON: json.RawMessage(`{"a":1}`)}}
	}
	want := base().Hash("p/m")
	same := map[string]func(*Request){
		"delta":             func(r *Request) { r.OnDelta = func(string) {} },
		"schema whitespace": func(r *Request) { r.Schema.JSON = json.RawMessage("{ \"a\" :1 }\n") },
		"tool whitespace":   func(r *Request) { r.Tools[0].Parameters = json.RawMessage(`{ "type": "object" }`) },
	}
	for name, change := range same {
		r := base()
		change(&r)
		if r.Hash("p/m") != want {
			t.Errorf("%s changes the hash", name)
		}
	}
	seen := map[string]string{want: "base"}
	differs := map[string]func(*Request){
		"system":        func(r *Request) { r.System = "t" },
		"text":          func(r *Request) { r.Messages[0].Content = "v" },
		"role":          func(r *Request) { r.Messages[0].Role = "assistant" },
		"more messages": func(r *Request) { r.Messages = append(r.Messages, Message{Role: "user", Content: "u"}) },
		"no messages":   func(r *Request) { r.Messages = nil },
		"call ID":       func(r *Request) { r.Messages[0].ToolCallID = "1" },
		"calls":         func(r *Request) { r.Messages[0].ToolCalls = []ToolCall{{ID: "1"}} },
		"tool":          func(r *Request) { r.Tools[0].Name = "g" },
		"parameters":    func(r *Request) { r.Tools[0].Parameters = json.RawMessage(`{"type":"array"}`) },
		"not JSON":      func(r *Request) { r.Tools[0].Parameters = json.RawMessage(`{`) },
		"choice":        func(r *Request) { r.ToolChoice = "none" },
		"max tokens":    func(r *Request) { r.MaxTokens = 11 },
		"temperature":   func(r *Request) { r.Temperature = &half },
		"temperature 1": func(r *Request) { r.Temperature = &one },
		"seed":          func(r *Request) { r.Seed = &seed },
		"stop":          func(r *Request) { r.Stop = []string{"x"} },
		"schema":        func(r *Request) { r.Schema.JSON = json.RawMessage(`{"a":2}`) },
		"schema name":   func(r *Request) { r.Schema.Name = "m" },
		"no schema":     func(r *Request) { r.Schema = nil },
	}
	for name, change := range differs {
		r := base()
		change(&r)
		h := r.Hash("p/m")
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[h] = name
	}
	if other, ok := seen[base().Hash("p/n")]; ok {
		t.Errorf("another model has the hash of %s", other)
	}
	r := base()
	r.Hash("p/m")
	if string(r.Tools[0].Parameters) != `{"type":"object"}` {
		t.Error("hashing changed the request")
	}
}
