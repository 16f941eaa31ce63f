package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/tomlfile"
	"github.com/spf13/cobra"
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
	Fleet       string   `toml:"fleet"`     // address of the hub that work is sent to
	FleetKey    string   `toml:"fleet_key"` // file with the key
	FleetCA     string   `toml:"fleet_ca"`  // file with certificates
	waiting

	Model map[string]llm.ModelConfig `toml:"model"`

	found string // where it was found by chance; "" where --config named it
}

// setting is a key of deeprepo.toml, and whether the file sets it.
type setting struct {
	name string
	set  bool
}

// decisive are the settings that say who reads a codebase, at what price, what of it, or how long that may take.
func (c config) decisive() []setting {
	return []setting{{"root", c.Root != ""}, {"worker", c.Worker != ""}, {"local_url", c.LocalURL != ""}, {"model", len(c.Model) > 0},
		{"fleet", c.Fleet+c.FleetKey+c.FleetCA != ""},
		{"include", len(c.Include) > 0}, {"exclude", len(c.Exclude) > 0}, {"timeout", c.Timeout > 0}, {"patience", c.Patience > 0}}
}

// trustConfigFlag adds --trust-config, which lets a file be what trusted refuses.
func trustConfigFlag(cmd *cobra.Command, trust *bool) {
	var names []string
	for _, key := range (config{}).decisive() {
		names = append(names, key.name)
	}
	cmd.Flags().BoolVar(trust, "trust-config", false, "let a deeprepo.toml inside the codebase set "+strings.Join(names, ", "))
}

// trusted refuses a file that was found inside the codebase under review and has decisive settings: the codebase's author
// must not choose them.
func (c config) trusted(codebase string) error {
	if c.found == "" || strings.Contains(codebase, "://") {
		return nil
	}
	var sets []string
	for _, key := range c.decisive() {
		if key.set {
			sets = append(sets, key.name)
		}
	}
	if len(sets) == 0 || !within(codebase, c.found) {
		return nil
	}
	return usageError{fmt.Errorf("%s stands in the codebase under review and sets %s", configName, strings.Join(sets, ", ")),
		"a codebase must not choose who reads it, what of it, or how long that may take: if the file is yours, add --trust-config"}
}

// within says whether a file stands in a directory or below it, links resolved.
func within(dir, file string) bool {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return false // the review says itself that it cannot be read
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// maxConfig bounds a configuration or a preset, in bytes.
const maxConfig = 1 << 20

func readConfig(path string) (config, error) {
	var c config
	name := cmp.Or(path, configName)
	data, err := bounded.ReadFile(name, maxConfig)
	if errors.Is(err, fs.ErrNotExist) && path == "" {
		return c, nil
	}
	if err != nil {
		return c, usageError{fmt.Errorf("configuration: %w", err), cmp.Or(hint.Of(err), "--config FILE names a TOML file")}
	}
	if path == "" {
		if c.found, err = filepath.Abs(name); err == nil {
			c.found, err = filepath.EvalSymlinks(c.found)
		}
		if err != nil {
			return c, fmt.Errorf("configuration: %w", err)
		}
	}
	if err := tomlfile.Decode(data, &c); err != nil {
		return c, usageError{fmt.Errorf("%s: %w", name, err), "keys: root, worker, budget, coverage, max_turns, concurrency, " +
			"preset, include, exclude, local_url, fleet, fleet_key, fleet_ca, timeout, patience, and tables [model.\"provider/name\"]"}
	}
	if path == "" && c.LocalURL != "" && !loopback(c.LocalURL) {
		return c, usageError{fmt.Errorf("%s sends code to %s", name, c.LocalURL),
			"a file found by chance may not do that; if it is yours, name it: --config " + name}
	}
	if path == "" && c.Fleet != "" && !loopback(c.Fleet) {
		return c, usageError{fmt.Errorf("%s sends work to %s", name, c.Fleet),
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
