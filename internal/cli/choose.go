package cli

import (
	"errors"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rules"
)

// byKey are the models that are used when a key is set and no model is named: a root that orchestrates well, a worker
// that is cheap. The first key that is set decides.
var byKey = []struct{ variable, root, worker string }{
	{provider.EnvAnthropicKey, "anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5"},
	{provider.EnvOpenAIKey, "openai/gpt-5", "openai/gpt-5-mini"},
	{provider.EnvOpenRouterKey, "openrouter/anthropic/claude-sonnet-4.5", "openrouter/minimax/minimax-m2.5"},
}

// chooseModels names root and worker: what was asked for, else by the keys that are set, else offline. A root that was
// named gets a worker of its own provider: code must not go to a service just because a key for it is set here.
func (a *app) chooseModels(root, worker string, scripted bool) (string, string, error) {
	if scripted {
		if root != "" && root != offline.Name || worker != "" && worker != rules.Name {
			return "", "", usageError{errors.New("--offline and a named model contradict each other"), "leave --offline out, or leave --root and --worker (also in deeprepo.toml) out"}
		}
		return offline.Name, rules.Name, nil
	}
	if root != "" && worker == "" {
		provider, _, _ := strings.Cut(root, "/")
		for _, k := range byKey {
			if strings.HasPrefix(k.worker, provider+"/") {
				return root, k.worker, nil
			}
		}
		if provider == "offline" {
			return root, rules.Name, nil
		}
		return root, root, nil
	}
	for _, k := range byKey {
		if root == "" && a.getenv(k.variable) != "" {
			root = k.root
			if worker == "" {
				worker = k.worker
			}
		}
	}
	return first(root, offline.Name), first(worker, rules.Name), nil
}
