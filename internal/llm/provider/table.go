package provider

import (
	"net"
	"net/url"
	"strings"
)

// kind is one provider as it is known beforehand. A service that speaks OpenAI's chat completions is one row of [table].
type kind struct {
	name   string
	keyVar string // the variable with the key; a provider without one needs no key
	urlVar string // the variable with another base URL
	url    string // the base URL, without a variable that names another
	billed bool   // tokens cost money
	// root and worker are proposed where the key is set and no model is named: a root that orchestrates well, and a worker
	// that is cheap and sound. Defaults to none.
	root, worker string
	// anthropic: it speaks Anthropic's Messages API, which takes no raw prompt, and charges for writing its prompt cache.
	anthropic bool
	// askUsage: what a call cost stands in the reply when it is asked for ("usage": {"include": true}).
	askUsage bool
	// keepSpecial: vLLM hides special tokens, so that a stop sequence that is one would never be seen, and the file that
	// follows "<file_sep>" would be taken for part of the answer. Services that do not know the field may refuse it.
	keepSpecial bool
	// strict: at its own url, max_completion_tokens is wanted instead of max_tokens, and no more than four stop sequences.
	strict bool
	// find gives address and key where more than one variable decides. Defaults to urlVar, url and keyVar.
	find func(c Config, env func(name, otherwise string) string) (base, key string)
}

// table is the only list of providers, in the order in which their keys decide which models are proposed.
var table = []kind{
	{name: "anthropic", keyVar: EnvAnthropicKey, urlVar: EnvAnthropicURL, url: "https://api.anthropic.com", billed: true, anthropic: true,
		root: "claude-sonnet-4-5", worker: "claude-haiku-4-5"},
	{name: "openai", keyVar: EnvOpenAIKey, urlVar: EnvOpenAIURL, url: "https://api.openai.com/v1", billed: true, strict: true,
		root: "gpt-5", worker: "gpt-5-mini"},
	{name: "openrouter", keyVar: EnvOpenRouterKey, urlVar: EnvOpenRouterURL, url: "https://openrouter.ai/api/v1", billed: true, askUsage: true,
		root: "anthropic/claude-sonnet-4.5", worker: "minimax/minimax-m2.5"},
	{name: "ollama", urlVar: EnvOllamaHost, find: findOllama},
	{name: "local", urlVar: EnvLocalURL, find: findLocal, keepSpecial: true},
}

// Variables that configure the providers.
const (
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

// Proposal is a pair of models, named in full, for users who name none and have set Variable.
type Proposal struct{ Provider, Variable, Root, Worker string }

// Proposals lists them; the first whose variable is set counts.
func Proposals() []Proposal {
	var list []Proposal
	for _, k := range table {
		if k.root != "" {
			list = append(list, Proposal{k.name, k.keyVar, k.name + "/" + k.root, k.name + "/" + k.worker})
		}
	}
	return list
}

// findOllama reads the variable of ollama's own server: a host, a host with a port, or a URL.
func findOllama(_ Config, env func(name, otherwise string) string) (base, key string) {
	base = env(EnvOllamaHost, "http://127.0.0.1:11434")
	if !strings.Contains(base, "://") {
		base = "http://" + base
	}
	if u, err := url.Parse(base); err == nil {
		if u.Port() == "" && u.Scheme == "http" {
			u.Host = net.JoinHostPort(u.Hostname(), "11434")
		}
		if u.Hostname() == "0.0.0.0" { // where the server listens; not an address to call
			u.Host = net.JoinHostPort("127.0.0.1", u.Port())
		}
		base = strings.TrimSuffix(u.String(), "/") + "/v1"
	}
	return base, ""
}

// findLocal gives the key of an OpenAI account to the address that the user paired it with, and to no other.
func findLocal(c Config, env func(name, otherwise string) string) (base, key string) {
	base, key = c.LocalURL, env(EnvLocalKey, "")
	if base == "" {
		base = env(EnvLocalURL, "")
	}
	if base == "" {
		base = env(EnvOpenAIURL, "")
		if base != "" && key == "" {
			key = env(EnvOpenAIKey, "")
		}
	}
	if base == "" {
		base = "http://127.0.0.1:8080/v1"
	}
	return base, key
}
