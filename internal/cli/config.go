package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/tomlfile"
)

// configName is the file that is read when --config names none.
const configName = "deeprepo.toml"

// config is deeprepo.toml. Flags win over it. Unknown keys are errors: a setting that is silently ignored is worse.
type config struct {
	Root        string   `toml:"root"`
	Worker      string   `toml:"worker"`
	Budget      *float64 `toml:"budget"` // USD
	Coverage    *float64 `toml:"coverage"`
	MaxTurns    int      `toml:"max_turns"`
	Concurrency int      `toml:"concurrency"`
	Preset      string   `toml:"preset"`
	Include     []string `toml:"include"`
	Exclude     []string `toml:"exclude"`
	LocalURL    string   `toml:"local_url"` // base URL of provider local
	waiting

	Model map[string]llm.ModelConfig `toml:"model"`
}

func readConfig(path string) (config, error) {
	var c config
	name := cmp.Or(path, configName)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && path == "" {
		return c, nil
	}
	if err != nil {
		return c, usageError{fmt.Errorf("configuration: %w", err), "--config FILE names a TOML file"}
	}
	if err := tomlfile.Decode(data, &c); err != nil {
		return c, usageError{fmt.Errorf("%s: %w", name, err), "keys: root, worker, budget, coverage, max_turns, concurrency, " +
			"preset, include, exclude, local_url, timeout, patience, and tables [model.\"provider/name\"]"}
	}
	if path == "" && c.LocalURL != "" && !loopback(c.LocalURL) {
		return c, usageError{fmt.Errorf("%s sends code to %s", name, c.LocalURL),
			"a file found by chance may not do that; if it is yours, name it: --config " + name}
	}
	for name, m := range c.Model {
		if err := m.Check(name); err != nil {
			return c, usageError{err, "prices are in USD per million tokens: input = 3.0"}
		}
	}
	return c, nil
}

// loopback reports an address on this machine.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
