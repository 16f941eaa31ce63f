package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/spf13/pflag"
)

// Every flag of analyze has a key or a reason to have none, and no key is without a flag, but those of addresses and files.
func TestEveryFlagOfAnalyzeHasAKey(t *testing.T) {
	analyze, _, err := (&app{}).rootCommand().Find([]string{"analyze"})
	if err != nil {
		t.Fatal(err)
	}
	analyze.InitDefaultHelpFlag()
	keys, flags := configKeys(), map[string]bool{}
	add := func(f *pflag.Flag) { flags[f.Name] = true }
	analyze.Flags().VisitAll(add)
	analyze.InheritedFlags().VisitAll(add)
	for name := range flags {
		if _, key := keys[keyOf(name)]; key == (noKey[name] != "") {
			t.Errorf("--%s: key %v, and the reason to have none is %q", name, key, noKey[name])
		}
	}
	for name, why := range noKey {
		if !flags[name] {
			t.Errorf("--%s has no key (%s) and is no flag", name, why)
		}
	}
	extraKeys().VisitAll(add)
	for key := range keys {
		if !flags[flagOf(key)] {
			t.Errorf("key %s has no flag", key)
		}
	}
	named := slices.Concat(pathKeys, slices.Concat(contradicting[0][:], contradicting[1][:], contradicting[2][:]))
	for key := range stricter {
		named = append(named, key)
	}
	for key := range needing {
		named = append(named, key)
	}
	for _, key := range named {
		if keys[key] == nil {
			t.Errorf("a rule names the key %s, which does not exist", key)
		}
	}
}

// example is a value of a key that differs from what holds without it.
func example(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true"
	case "int", "int64":
		return "3"
	case "float64":
		return "0.5"
	case "stringSlice":
		return `["x/**"]`
	case "duration":
		return `"7m"`
	}
	if f.Name == "fail-on" {
		return `"low"`
	}
	if f.Name == "budget" {
		return "2.5"
	}
	return `"x"`
}

// A codebase's own file sets each key in turn: what only makes a review stricter holds, everything else is refused, and all of it
// is what it says with --trust-config.
func TestACodebaseChoosesNothing(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for key, flag := range configKeys() {
		if key == "fleet" || key == "local_url" {
			continue // even trusted they need --config
		}
		dir := t.TempDir()
		runtest.WriteFile(t, filepath.Join(dir, configName), fmt.Sprintf("%s = %s\n", key, example(flag)))
		for _, trust := range []bool{false, true} {
			a := &app{getenv: func(string) string { return "" }}
			cmd := a.analyzeCommand()
			if trust {
				if err := cmd.Flags().Set("trust-config", "true"); err != nil {
					t.Fatal(err)
				}
			}
			before := ""
			if f := cmd.Flags().Lookup(flagOf(key)); f != nil {
				before = f.Value.String()
			}
			err := a.configured(cmd, dir)
			after := ""
			if f := cmd.Flags().Lookup(flagOf(key)); f != nil {
				after = f.Value.String()
			}
			switch {
			case !trust && stricter[key] == nil:
				if err == nil || !strings.Contains(err.Error(), "sets "+key) || after != before {
					t.Errorf("%s: a codebase may set it: %q, %v", key, after, err)
				}
			case err != nil:
				t.Errorf("%s, trusted %v: %v", key, trust, err)
			case after == before && needing[key] == "" && cmd.Flags().Lookup(flagOf(key)) != nil:
				t.Errorf("%s, trusted %v: it is still %q", key, trust, after)
			}
		}
	}
}

func TestStricter(t *testing.T) {
	for _, tt := range []struct {
		key, theirs, ours string
		want              bool
	}{
		{"budget", "1", "", true}, {"budget", "1", "2", true}, {"budget", "2", "1", false}, {"budget", "2", "$1.50", false},
		{"budget", "0", "1", false}, {"budget", "-1", "1", false}, {"budget", "NaN", "1", false}, {"budget", "much", "", false},
		{"max_turns", "3", "20", true}, {"max_turns", "21", "20", false}, {"max_turns", "0", "20", false},
		{"concurrency", "4", "8", true}, {"concurrency", "9", "8", false},
		{"coverage", "0.9", "0", true}, {"coverage", "0.5", "0.9", false}, {"coverage", "NaN", "0", false},
		{"fail_on", "low", "high", true}, {"fail_on", "critical", "high", false}, {"fail_on", "high", "", true}, {"fail_on", "none", "high", false},
	} {
		if got := stricter[tt.key](tt.theirs, tt.ours); got != tt.want {
			t.Errorf("%s = %s where %q holds: %v", tt.key, tt.theirs, tt.ours, got)
		}
	}
}

// A list has one configuration for all: where it lies in one of the codebases, that one must not choose.
func TestAStartFileInsideACodebaseIsNotTrusted(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	t.Chdir(dir)
	runtest.WriteFile(t, filepath.Join(dir, configName), "root = \"offline/orchestrator\"\n")
	runtest.WriteFile(t, filepath.Join(dir, "part", "a.py"), "x = 1\n")
	c, err := (&app{getenv: os.Getenv}).configuration()
	if err != nil {
		t.Fatal(err)
	}
	for codebase, refused := range map[string]bool{dir: true, "part": false, "https://host.example/x.git": false, "nowhere": false} {
		if err := c.trusted(codebase); (err != nil) != refused {
			t.Errorf("%s: %v", codebase, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil { // now part belongs to the repository that has the file
		t.Fatal(err)
	}
	if err := c.trusted("part"); err == nil {
		t.Error("a repository's file decides about a part of it")
	}
}

func TestWithoutSecrets(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8080/v1":            "http://127.0.0.1:8080/v1",
		"https://me:pass@host.example/v1?k=v": "https://***@host.example/v1?***",
		"nats://token@host.example:4222":      "nats://***@host.example:4222",
		"me:pass@host.example:4222":           "***@host.example:4222",
		"":                                    "",
	} {
		if got := withoutSecrets(address); got != want {
			t.Errorf("%s is shown as %s", address, got)
		}
	}
}

// A file of anybody's is read without a panic, and what it sets is a key with a value and a line.
func FuzzConfigFile(f *testing.F) {
	f.Add("root = \"a/b\"\nbudget = 1.5\ninclude = [\"x\"]\n[model.\"a/b\"]\ninput = 1\noutput = 2\n")
	f.Add("budget = inf\ncoverage = nan\nmax_turns = 0x7fffffffffffffff\n")
	f.Add("timeout = \"1h\"\nfail_on = 7\nmodel = 3\n")
	f.Add("include = [1]\n[budget]\nx = 1\n")
	keys := configKeys()
	f.Fuzz(func(t *testing.T, text string) {
		file := &configFile{path: "/x/deeprepo.toml", settings: map[string]setting{}}
		if err := file.parse([]byte(text)); err != nil {
			if err.Error() == "" {
				t.Error("an error without words")
			}
			return
		}
		for key, s := range file.settings {
			if keys[key] == nil || s.line < 1 || s.values == nil {
				t.Errorf("%s: %+v", key, s)
			}
		}
	})
}
