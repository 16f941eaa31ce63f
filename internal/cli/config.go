package cli

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/tomlfile"
)

// configName is what a configuration is called where it is looked for.
const configName = "deeprepo.toml"

// maxConfig bounds a configuration or a preset, in bytes.
const maxConfig = 1 << 20

// standing says who answers for a file, by where it was found.
type standing string

const (
	named      standing = "named"    // by --config
	inCodebase standing = "codebase" // in the codebase under review, or above it in its repository
	atStart    standing = "start"    // in the directory where the program was started
	ofUser     standing = "user"     // in the user's directory
)

// configFile is one deeprepo.toml.
type configFile struct {
	path     string // absolute, links resolved
	shown    string // as it is spoken of
	standing standing
	settings map[string]setting
	models   map[string]llm.ModelConfig
}

// setting is what a file says of a key.
type setting struct {
	key    string
	values []string // one, or those of a list
	file   *configFile
	line   int
}

func (s setting) text() string { return strings.Join(s.values, ",") }

// where is the file and the line, for people.
func (s setting) where() string {
	if s.line == 0 {
		return s.file.shown
	}
	return fmt.Sprintf("%s:%d", s.file.shown, s.line)
}

// readConfigFile reads one file. Unknown keys are errors: a setting that is silently ignored is worse.
func readConfigFile(name string, by standing) (*configFile, error) {
	data, err := bounded.ReadFile(name, maxConfig)
	if err != nil {
		return nil, usageError{fmt.Errorf("configuration: %w", err), cmp.Or(hint.Of(err), "--config FILE names a TOML file")}
	}
	path, err := filepath.Abs(name)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	f := &configFile{path: path, shown: shownPath(name), standing: by, settings: map[string]setting{}}
	if err := f.parse(data); err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", f.shown, err), cmp.Or(hint.Of(err), "deeprepo config shows the keys")}
	}
	if by == named || by == ofUser {
		return f, nil
	}
	for key, what := range map[string]string{"local_url": "code", "fleet": "work"} {
		if s, ok := f.settings[key]; ok && !loopback(s.text()) {
			return nil, usageError{fmt.Errorf("%s sends %s to %s", f.shown, what, withoutSecrets(s.text())),
				"a file found by chance may not do that; if it is yours, name it: --config " + f.shown}
		}
	}
	return f, nil
}

// parse reads what the file sets.
func (f *configFile) parse(data []byte) error {
	keys := configKeys()
	var tables struct {
		Model map[string]llm.ModelConfig `toml:"model"`
	}
	if err := tomlfile.Decode(data, &tables, slices.Collect(maps.Keys(keys))...); err != nil {
		return nearest(err, keys)
	}
	f.models = tables.Model
	var values map[string]any
	if err := tomlfile.Decode(data, &values); err != nil {
		return err
	}
	lines := tomlfile.Lines(data)
	for key, value := range values {
		flag, ok := keys[key]
		if !ok {
			continue // the tables
		}
		texts, err := configTexts(flag, value)
		if err != nil {
			return fmt.Errorf("line %d: %s: %w", lines[key], key, err)
		}
		if slices.Contains(pathKeys, key) && !filepath.IsAbs(texts[0]) && texts[0] != "" {
			texts[0] = filepath.Join(filepath.Dir(f.path), texts[0])
		}
		f.settings[key] = setting{key, texts, f, lines[key]}
	}
	for _, name := range slices.Sorted(maps.Keys(f.models)) {
		if err := f.models[name].Check(name); err != nil {
			return usageError{err, "prices are in USD per million tokens: input = 3.0"}
		}
	}
	return nil
}

// nearest says which key may have been meant by an unknown one.
func nearest[V any](err error, keys map[string]V) error {
	unknown, ok := err.(*tomlfile.UnknownKey)
	if !ok {
		return err
	}
	known := append(slices.Collect(maps.Keys(keys)), "model")
	if table, key, _ := strings.Cut(unknown.Key, "."); table == "model" && key != "" {
		known = []string{"input", "output", "cached_input", "cache_write", "context"}
		return usageError{err, "keys of a model: " + strings.Join(known, ", ")}
	}
	if near := suggest.Nearest(unknown.Key, known); near != "" {
		return usageError{err, fmt.Sprintf("did you mean %s?", near)}
	}
	return usageError{err, "deeprepo config lists the keys"}
}

// shownPath is a path as it is shortest: below the current directory, or absolute.
func shownPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if here, err := filepath.Abs("."); err == nil {
		if rel, err := filepath.Rel(here, abs); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return abs
}

// within says whether a file stands in a directory or below it, links resolved.
func within(dir, file string) bool {
	dir, err := resolved(dir)
	if err != nil {
		return false // the review says itself that it cannot be read
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

func resolved(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
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

// withoutSecrets is an address without the user, the password and the query that it may hold.
func withoutSecrets(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		if before, after, ok := strings.Cut(address, "@"); ok {
			return strings.Repeat("*", min(3, len(before))) + "@" + after
		}
		return address
	}
	if u.User != nil {
		u.User = url.User("***")
	}
	if u.RawQuery != "" {
		u.RawQuery = "***"
	}
	return strings.ReplaceAll(u.String(), "%2A", "*")
}
