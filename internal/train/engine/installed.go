package engine

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
)

// modules are what Python must have for an engine.
var modules = map[string][]string{
	TRL:    {"deeprepo_train", "trl", "peft", "openenv"},
	Verl:   {"verl", "vllm", "deeprepo_train", "openenv"},
	Tinker: {"tinker_cookbook", "deeprepo_train", "openenv"},
}

// installed says what an engine lacks on this machine, with a hint; nil where it can be started.
func installed(ctx context.Context, o Options, c Config) error {
	if o.Engine == PrimeRL {
		if _, err := exec.LookPath("uv"); err != nil {
			return hint.Wrap(fmt.Errorf("prime-rl is started by uv, which is not on PATH"), needs[PrimeRL])
		}
		data, err := bounded.ReadFile(filepath.Join(c.Home, "pyproject.toml"), 1<<20)
		if err != nil || !strings.Contains(string(data), `name = "prime-rl"`) {
			return hint.Wrap(fmt.Errorf("%s is no checkout of prime-rl", cmp.Or(c.Home, "this directory")), needs[PrimeRL])
		}
		return nil
	}
	if o.Engine == Tinker && !slices.ContainsFunc(c.Env, func(v string) bool { return strings.HasPrefix(v, "TINKER_API_KEY=") }) {
		return hint.Wrap(fmt.Errorf("tinker trains on its own machines, and TINKER_API_KEY is not set"), needs[Tinker])
	}
	// Finding a module runs nothing of it: importing TRL would take seconds.
	const find = "import importlib.util as u, sys; print(' '.join(m for m in sys.argv[1:] if u.find_spec(m) is None))"
	cmd := exec.CommandContext(ctx, c.Python, append([]string{"-c", find}, modules[o.Engine]...)...)
	cmd.Env, cmd.Dir = c.Env, c.Home
	said, err := cmd.Output()
	if err != nil {
		return hint.Wrap(fmt.Errorf("%s cannot be run: %w", c.Python, err),
			"--python with the interpreter that has "+o.Engine+"; "+needs[o.Engine])
	}
	if missing := strings.Fields(string(said)); len(missing) > 0 {
		return hint.Wrap(fmt.Errorf("%s lacks %s", c.Python, strings.Join(missing, ", ")), needs[o.Engine])
	}
	return nil
}
