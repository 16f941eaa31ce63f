package cli

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/spf13/pflag"
)

// noKey are the flags of analyze that have no key, and why.
var noKey = map[string]string{
	"config":       "names the file",
	"trust-config": "a file cannot vouch for itself",
	"list":         "says what is reviewed, as PATH does",
	"out":          "a second review would find its directory taken",
	"json":         "belongs to every command: who reads the output asks for it",
	"help":         "is no setting",
}

// extraKeys are the keys that are no flags of analyze: addresses and files that are nobody's business on a command line.
func extraKeys() *pflag.FlagSet {
	fl := pflag.NewFlagSet("keys", pflag.ContinueOnError)
	fl.String("local-url", "", "base URL of provider local (default http://127.0.0.1:8080/v1)")
	fl.String("fleet-key", "", "file with the key for the fleet, not the key")
	fl.String("fleet-ca", "", "file with the certificates that the fleet's stands on")
	return fl
}

// environment are the variables that win over a key.
var environment = map[string]string{"local_url": provider.EnvLocalURL, "fleet_key": envFleetKey, "fleet_ca": envFleetCA}

// pathKeys are files: a relative one is relative to the file that names it.
var pathKeys = []string{"prompt", "suppress", "baseline_report", "fleet_key", "fleet_ca"}

// contradicting keys: the first, where it is on or not empty, and the second. Of two that come from different places the
// stronger holds.
var contradicting = [][2]string{{"offline", "root"}, {"offline", "worker"}, {"prompt", "preset"}}

// needing are keys that say nothing without another flag.
var needing = map[string]string{"verifier": "verify", "fleet": "list", "at_once": "list"}

// stricter are the keys that a codebase's own file may set, and when: where its value is at least as strict as the one that
// would hold without it. A codebase must not choose who reads it, what of it, how long that may take, what it costs, or
// whether its faults count, so every other key needs trust.
var stricter = map[string]func(theirs, ours string) bool{
	"budget":      noMore,
	"max_turns":   noMore,
	"concurrency": noMore,
	"coverage":    func(theirs, ours string) bool { return number(theirs) >= number(ours) },
	"fail_on": func(theirs, ours string) bool {
		order := taxonomy.Severities() // the worst first
		return slices.Index(order, theirs) >= slices.Index(order, ours)
	},
	"all": func(string, string) bool { return true },
}

// noMore says whether theirs is a number above 0 and no more than ours, where ours is one.
func noMore(theirs, ours string) bool {
	return number(theirs) > 0 && (ours == "" || number(theirs) <= number(ours))
}

func number(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
	if err != nil {
		return math.NaN() // at least as strict as nothing
	}
	return v
}

func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }
func flagOf(key string) string { return strings.ReplaceAll(key, "_", "-") }

// configKeys are all keys but the tables: each flag of analyze, its name with underscores, and a few of their own. The flags
// are nobody's: what is set on them is only tried.
func configKeys() map[string]*pflag.Flag {
	keys := map[string]*pflag.Flag{}
	for _, set := range []*pflag.FlagSet{(&app{}).analyzeCommand().Flags(), extraKeys()} {
		set.VisitAll(func(f *pflag.Flag) {
			if noKey[f.Name] == "" {
				keys[keyOf(f.Name)] = f
			}
		})
	}
	return keys
}

// configTexts is a value of a file as its flag takes it.
func configTexts(flag *pflag.Flag, value any) ([]string, error) {
	wanted := map[string]string{"bool": "true or false", "int": "a whole number", "int64": "a whole number", "float64": "a number",
		"stringSlice": `a list of texts, as ["a", "b"]`, "duration": `a duration in quotes, as "10m"`}[flag.Value.Type()]
	if wanted == "" {
		wanted = "a text in quotes"
	}
	text, kind := "", flag.Value.Type()
	switch v := value.(type) {
	case bool:
		text = strconv.FormatBool(v)
		if kind == "bool" {
			return []string{text}, nil
		}
	case int64:
		text = strconv.FormatInt(v, 10)
		if kind == "int" || kind == "int64" || kind == "float64" || flag.Name == "budget" {
			return []string{text}, flag.Value.Set(text)
		}
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
		if kind == "float64" || flag.Name == "budget" {
			return []string{text}, flag.Value.Set(text)
		}
	case string:
		if !slices.Contains([]string{"bool", "int", "int64", "float64", "stringSlice"}, kind) {
			return []string{v}, flag.Value.Set(v)
		}
	case []any:
		texts := []string{}
		for _, e := range v {
			if s, ok := e.(string); ok {
				texts = append(texts, s)
			}
		}
		if _, list := flag.Value.(pflag.SliceValue); list && len(texts) == len(v) {
			return texts, nil
		}
	}
	return nil, errors.New(wanted + " is wanted")
}

// sortedKeys are all keys in the order of the alphabet.
func sortedKeys(keys map[string]*pflag.Flag) []string { return slices.Sorted(maps.Keys(keys)) }
