package provider_test

import (
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/google/go-cmp/cmp"
)

// TestStatus is what `deeprepo models` shows: a provider without a key, one that is down, and ones that answer.
func TestStatus(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Models: []string{"zeta", "alpha"}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down := "http://" + l.Addr().String() + "/v1"
	l.Close()
	in := llm.Dollars{USD: money.Dollar}
	reg, err := provider.NewRegistry(provider.Config{
		Models: map[string]llm.ModelConfig{"local/alpha": {Input: &in, Output: &in, Context: 77}, "openai/my-root": {Context: 5}},
		Getenv: func(name string) string {
			switch name {
			case "OPENROUTER_API_KEY":
				return ""
			case "OPENAI_BASE_URL":
				return down
			}
			return env(srv.URL)(name)
		}})
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Configured, Reachable, Local bool
		Missing                      string
		Served                       []string
	}
	got := map[string]row{}
	for _, s := range reg.List(t.Context()) {
		got[s.Provider] = row{s.Configured, s.Reachable, s.Local, s.Missing, s.Served}
		known := map[string]llm.ModelInfo{}
		for i, m := range s.Models {
			known[m.Name] = m
			if i > 0 && s.Models[i-1].Name >= m.Name {
				t.Errorf("%s: models are not sorted, or repeated: %s", s.Provider, m.Name)
			}
		}
		switch s.Provider {
		case "openai":
			if !strings.Contains(s.Problem, "refused") {
				t.Errorf("problem %q", s.Problem)
			}
			if m := known["openai/my-root"]; m.Context != 5 || m.Price != nil {
				t.Errorf("configured model without a price: %+v", m)
			}
			if m := known["openai/gpt-5"]; m.Price == nil || m.Price.Date == "" || m.Context == 0 {
				t.Errorf("snapshot model: %+v", m)
			}
		case "local":
			if a, z := known["local/alpha"], known["local/zeta"]; a.Price.Source != "config" || a.Context != 77 || z.Price == nil ||
				!z.Price.Free() {
				t.Errorf("local models: %+v %+v", a, z)
			}
		}
	}
	both := []string{"alpha", "zeta"}
	want := map[string]row{
		"anthropic":  {Configured: true, Reachable: true, Served: both},
		"openai":     {Configured: true},
		"openrouter": {Missing: "OPENROUTER_API_KEY"},
		"ollama":     {Configured: true, Reachable: true, Local: true, Served: both},
		"local":      {Configured: true, Reachable: true, Local: true, Served: both},
	}
	for name := range got {
		if _, ok := want[name]; !ok { // a provider beyond these is a row that lacks its key here
			want[name] = row{Missing: strings.ToUpper(name) + "_API_KEY"}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

// TestStatusDoesNotHang: a server that accepts and stays silent is given up.
func TestStatusDoesNotHang(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	reg, err := provider.NewRegistry(provider.Config{LocalURL: "http://" + l.Addr().String(), ListTimeout: 20 * time.Millisecond,
		Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range reg.List(t.Context()) {
		if s.Provider == "local" && (s.Reachable || !strings.Contains(s.Problem, "no answer within")) {
			t.Errorf("%+v", s)
		}
	}
}

// TestAnthropicCacheBreakpoints: the system text and the last block of the last turn carry one, and nothing else.
func TestAnthropicCacheBreakpoints(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{})
	m := open(t, provider.Config{Getenv: env(srv.URL)}, "anthropic/claude-opus-4-6").Model
	r := llm.Request{System: "s", Tools: []llm.Tool{{Name: "f"}}, Messages: []llm.Message{
		{Role: "user", Content: "a"}, {Role: "assistant", Content: "b ", ToolCalls: []llm.ToolCall{{ID: "1", Name: "f", Arguments: "{}"}}}, {Role: "tool", ToolCallID: "1", Content: "out"}}}
	if _, err := m.Complete(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	type block struct {
		Type         string `json:"type"`
		Text         string `json:"text"`
		CacheControl *struct {
			Type string `json:"type"`
		} `json:"cache_control"`
	}
	var body struct {
		System   []block `json:"system"`
		Messages []struct {
			Content []block `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(srv.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	var marked []string
	for _, b := range body.System {
		if b.CacheControl != nil {
			marked = append(marked, "system "+b.CacheControl.Type)
		}
	}
	for _, msg := range body.Messages {
		for _, b := range msg.Content {
			if b.CacheControl != nil {
				marked = append(marked, b.Type+" "+b.CacheControl.Type)
			}
		}
	}
	if diff := cmp.Diff([]string{"system ephemeral", "tool_result ephemeral"}, marked); diff != "" {
		t.Errorf("breakpoints (-want +got):\n%s\n%s", diff, srv.Requests()[0].Body)
	}
	if text := body.Messages[1].Content[0].Text; text != "b" {
		t.Errorf("text %q: trailing white space is refused by the API", text)
	}
}
