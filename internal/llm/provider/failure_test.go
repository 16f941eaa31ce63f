package provider

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

func TestBaseURLs(t *testing.T) {
	tests := []struct {
		name  string
		env   map[string]string
		local string // Config.LocalURL
		svc   string
		base  string
		key   string
		here  bool
	}{
		{name: "openai", svc: "openai", base: "https://api.openai.com/v1/"},
		{name: "openai elsewhere", svc: "openai", env: map[string]string{EnvOpenAIURL: "http://127.0.0.1:9/v1/"}, base: "http://127.0.0.1:9/v1/"},
		{name: "ollama", svc: "ollama", base: "http://127.0.0.1:11434/v1/", here: true},
		{name: "ollama listens on all", svc: "ollama", env: map[string]string{EnvOllamaHost: "0.0.0.0"}, base: "http://127.0.0.1:11434/v1/", here: true},
		{name: "ollama on another machine", svc: "ollama", env: map[string]string{EnvOllamaHost: "gpu:8000"}, base: "http://gpu:8000/v1/"},
		{name: "local", svc: "local", base: "http://127.0.0.1:8080/v1/", here: true},
		{name: "local by OPENAI_BASE_URL takes its key", svc: "local", env: map[string]string{EnvOpenAIURL: "http://localhost:8000/v1", EnvOpenAIKey: "k"}, base: "http://localhost:8000/v1/", key: "k", here: true},
		{name: "local by its own variable does not", svc: "local", env: map[string]string{EnvLocalURL: "http://[::1]:8000/v1", EnvOpenAIKey: "k", EnvOpenAIURL: "x"}, base: "http://[::1]:8000/v1/", here: true},
		{name: "local on another machine is not here", svc: "local", local: "http://10.0.0.5:8000/v1", env: map[string]string{EnvLocalKey: "lk"}, base: "http://10.0.0.5:8000/v1/", key: "lk"},
		{name: "a name that only looks local", svc: "local", local: "http://127.0.0.1.evil.example/v1", base: "http://127.0.0.1.evil.example/v1/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Config{Getenv: func(k string) string { return tt.env[k] }, LocalURL: tt.local}
			for _, s := range c.services() {
				if s.name == tt.svc && (s.base != tt.base || s.key != tt.key || s.local != tt.here) {
					t.Errorf("base %q, key %q, local %v; want %q, %q, %v", s.base, s.key, s.local, tt.base, tt.key, tt.here)
				}
			}
		})
	}
}

func TestNotConfigured(t *testing.T) {
	reg, err := NewRegistry(Config{Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = reg.Open("anthropic/claude-opus-4-6")
	e, ok := err.(*llm.Error)
	if !ok || e.Kind != llm.KindNotConfigured || !strings.Contains(e.Error(), EnvAnthropicKey) ||
		!strings.Contains(e.Hint(), "offline/orchestrator") {
		t.Errorf("%v", err)
	}
	none, err := reg.Known("anthropic/claude-opus-4-6")
	if err != nil || none.Model != nil || none.Name != "anthropic/claude-opus-4-6" {
		t.Errorf("%+v, %v", none, err)
	}
	only := map[string]string{EnvAnthropicKey: "sk-x"}
	if reg, err = NewRegistry(Config{Getenv: func(name string) string { return only[name] }}); err != nil {
		t.Fatal(err)
	}
	keyed, err := reg.Known("anthropic/claude-opus-4-6")
	if keyed.Model == nil || err != nil || keyed.Price == nil || !reflect.DeepEqual(keyed.Price, none.Price) ||
		keyed.Context != none.Context {
		t.Errorf("with a key %+v, without %+v, %v", keyed, none, err)
	}
	if _, err := reg.Known("nobody/x"); llm.KindOf(err) != llm.KindUnknownProvider {
		t.Error(err)
	}
	reg, err = NewRegistry(Config{Getenv: func(string) string { return "" }, LocalURL: "localhost:8000"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = reg.Open("local/x"); llm.KindOf(err) != llm.KindNotConfigured {
		t.Errorf("an address without a scheme: %v", err)
	}
	one := llm.Dollars{USD: money.Dollar}
	if _, err := NewRegistry(Config{Models: map[string]llm.ModelConfig{"a/b": {Input: &one}}}); err == nil {
		t.Error("half a price passes")
	}
}

// TestStatusErrorIsClean: what a server says is shown on one line, short, valid, and without secrets or control bytes.
func TestStatusErrorIsClean(t *testing.T) {
	s := service{kind: kind{name: "local"}, secrets: llm.NewScrubber("0123456789abcdef"), c: Config{Prices: &llm.Prices{}}}
	for _, body := range []string{"\xff\xfe", "a\r\nb\x1b[31mred\x00\u009b1m", strings.Repeat("long ", 10_000), "key 0123456789abcdef",
		`{"error":{"message":"0123456789abcdef\u001b[0m"}}`} {
		for _, e := range []*llm.Error{s.statusError("local/x", 500, http.Header{}, []byte(body)), s.embedded("local/x", body)} {
			if len(e.Message) > maxMessage+10 || !utf8.ValidString(e.Message) || strings.ContainsAny(e.Message, "\n\r\x1b\x00\u009b") ||
				strings.Contains(e.Error(), "0123456789ab") {
				t.Errorf("%q is shown as %q", body[:min(len(body), 40)], e.Message)
			}
		}
	}
}
