package cli

import "github.com/deeprepo/deeprepo/internal/llm/provider"

// Models that need no network.
const (
	orchestratorName = "offline/orchestrator"
	rulesName        = "offline/rules"
)

// byKey are the models that are used when a key is set and no model is named: a root that orchestrates well, a worker
// that is cheap. The first key that is set decides.
var byKey = []struct{ variable, root, worker string }{
	{provider.EnvAnthropicKey, "anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5"},
	{provider.EnvOpenAIKey, "openai/gpt-5", "openai/gpt-5-mini"},
	{provider.EnvOpenRouterKey, "openrouter/anthropic/claude-sonnet-4.5", "openrouter/minimax/minimax-m2.5"},
}

// chooseModels names root and worker: what was asked for, else by the keys that are set, else offline.
func (a *app) chooseModels(root, worker string, offline bool) (string, string) {
	if !offline {
		for _, k := range byKey {
			if a.getenv(k.variable) == "" {
				continue
			}
			if root == "" {
				root = k.root
			}
			if worker == "" {
				worker = k.worker
			}
			break
		}
	}
	if root == "" {
		root = orchestratorName
	}
	if worker == "" {
		worker = rulesName
	}
	if offline {
		return orchestratorName, rulesName
	}
	return root, worker
}
