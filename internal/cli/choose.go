package cli

import (
	"cmp"
	"errors"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rules"
)

// chooseModels names root and worker: what was asked for, else by the keys that are set, else offline. A root that was
// named gets a worker of its own provider: code must not go to a service just because a key for it is set here.
func (a *app) chooseModels(root, worker string, scripted bool) (string, string, error) {
	if scripted {
		if root != "" && root != offline.Name || worker != "" && worker != rules.Name {
			return "", "", usageError{errors.New("--offline and a named model contradict each other"),
				"leave --offline out, or leave --root and --worker (also in deeprepo.toml) out"}
		}
		return offline.Name, rules.Name, nil
	}
	if root != "" && worker == "" {
		name, _, _ := strings.Cut(root, "/")
		for _, p := range provider.Proposals() {
			if p.Provider == name {
				return root, p.Worker, nil
			}
		}
		if name == "offline" {
			return root, rules.Name, nil
		}
		return root, root, nil
	}
	for _, p := range provider.Proposals() {
		if root == "" && a.getenv(p.Variable) != "" {
			root = p.Root
			worker = cmp.Or(worker, p.Worker)
		}
	}
	return cmp.Or(root, offline.Name), cmp.Or(worker, rules.Name), nil
}
