package provider

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// Config says where keys, addresses and prices come from.
type Config struct {
	// Getenv reads the environment. Defaults to os.Getenv.
	Getenv func(string) string
	// Client makes the requests. Defaults to one that waits up to ten minutes for a reply to begin.
	Client *http.Client
	// Prices is the price table. Defaults to the embedded snapshot.
	Prices *llm.Prices
	// Models overrides prices and context sizes by full model name. Defaults to none.
	Models map[string]llm.ModelConfig
	// LocalURL is the base URL of provider local. Defaults to $DEEPREPO_LOCAL_URL, then $OPENAI_BASE_URL, then
	// http://127.0.0.1:8080/v1 (llama-server).
	LocalURL string
	// ListTimeout caps each provider's model list in Status. Defaults to 3 s.
	ListTimeout time.Duration
}

// Names of the providers, and the variables that configure them.
const (
	Anthropic  = "anthropic"
	OpenAI     = "openai"
	OpenRouter = "openrouter"
	Ollama     = "ollama"
	Local      = "local"

	EnvAnthropicKey  = "ANTHROPIC_API_KEY"
	EnvAnthropicURL  = "ANTHROPIC_BASE_URL"
	EnvOpenAIKey     = "OPENAI_API_KEY"
	EnvOpenAIURL     = "OPENAI_BASE_URL"
	EnvOpenRouterKey = "OPENROUTER_API_KEY"
	EnvOpenRouterURL = "OPENROUTER_BASE_URL"
	EnvOllamaHost    = "OLLAMA_HOST"
	EnvLocalURL      = "DEEPREPO_LOCAL_URL"
	EnvLocalKey      = "DEEPREPO_LOCAL_KEY"
)

// NewRegistry is a registry with all five providers. The caller adds what runs in this process (offline, nano).
func NewRegistry(c Config) (*llm.Registry, error) {
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = 10 * time.Minute
		t.MaxIdleConnsPerHost = 256
		c.Client = &http.Client{Transport: t}
	}
	if c.ListTimeout == 0 {
		c.ListTimeout = 3 * time.Second
	}
	if c.Prices == nil {
		prices, err := llm.DefaultPrices()
		if err != nil {
			return nil, err
		}
		c.Prices = prices
	}
	for name, m := range c.Models {
		if err := m.Check(name); err != nil {
			return nil, err
		}
	}
	r := llm.NewRegistry(c.Prices)
	for _, s := range c.services() {
		r.RegisterProvider(s.name, s)
	}
	return r, nil
}

// service is one configured provider.
type service struct {
	name    string
	base    string // base URL, ends with "/"
	key     string
	keyVar  string // the variable that must be set; "" when no key is needed
	local   bool   // the server is on this machine
	billed  bool   // tokens cost money
	secrets *llm.Scrubber
	c       Config
}

func (c Config) services() []service {
	env := func(name, otherwise string) string {
		if v := strings.TrimSpace(c.Getenv(name)); v != "" {
			return v
		}
		return otherwise
	}
	ollama := env(EnvOllamaHost, "http://127.0.0.1:11434")
	if !strings.Contains(ollama, "://") {
		ollama = "http://" + ollama
	}
	if u, err := url.Parse(ollama); err == nil {
		if u.Port() == "" && u.Scheme == "http" {
			u.Host = net.JoinHostPort(u.Hostname(), "11434")
		}
		if u.Hostname() == "0.0.0.0" { // where the server listens; not an address to call
			u.Host = net.JoinHostPort("127.0.0.1", u.Port())
		}
		ollama = strings.TrimSuffix(u.String(), "/") + "/v1"
	}
	// The key of an OpenAI account goes to the address that the user paired it with, and to no other.
	local, localKey := c.LocalURL, env(EnvLocalKey, "")
	if local == "" {
		local = env(EnvLocalURL, "")
	}
	if local == "" {
		local = env(EnvOpenAIURL, "")
		if local != "" && localKey == "" {
			localKey = env(EnvOpenAIKey, "")
		}
	}
	if local == "" {
		local = "http://127.0.0.1:8080/v1"
	}
	list := []service{
		{name: Anthropic, base: env(EnvAnthropicURL, "https://api.anthropic.com"), key: env(EnvAnthropicKey, ""), keyVar: EnvAnthropicKey, billed: true},
		{name: OpenAI, base: env(EnvOpenAIURL, openAIURL), key: env(EnvOpenAIKey, ""), keyVar: EnvOpenAIKey, billed: true},
		{name: OpenRouter, base: env(EnvOpenRouterURL, "https://openrouter.ai/api/v1"), key: env(EnvOpenRouterKey, ""), keyVar: EnvOpenRouterKey, billed: true},
		{name: Ollama, base: ollama, local: isLoopback(ollama)},
		{name: Local, base: local, key: localKey, local: isLoopback(local)},
	}
	for i := range list {
		s := &list[i]
		s.base = strings.TrimSuffix(s.base, "/") + "/"
		s.c = c
		secrets := []string{s.key}
		if u, err := url.Parse(s.base); err == nil && u.User != nil {
			password, _ := u.User.Password()
			secrets = append(secrets, password)
		}
		s.secrets = llm.NewScrubber(secrets...)
	}
	return list
}

const openAIURL = "https://api.openai.com/v1"

// isLoopback reports whether a base URL names this machine and nothing else: only then does text stay here.
func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// address is the base URL for people: no user, no password, no query.
func (s service) address() string {
	u, err := url.Parse(s.base)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Scheme+"://"+u.Host+u.Path, "/")
}
