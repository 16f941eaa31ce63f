package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// config is what all files say together. Flags, and the variables of environment, win over it.
type config struct {
	files    []*configFile // the strongest first
	settings map[string]setting
	models   map[string]llm.ModelConfig
	refused  []setting // what files in the codebase set and may not
	given    func(key string) bool
	waiting
}

// text is what the files say of a key, "" for nothing.
func (c config) text(key string) string { return c.settings[key].text() }

// userDir is the directory of the user's own configuration and prices.
func userDir() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "deeprepo"), nil
}

// configFiles finds the files that hold for a review of codebase, the strongest first: with --config that one, else those in
// the codebase, then upward to the top of its repository, and the one where the program was started; last the user's.
func (a *app) configFiles(codebase string) ([]*configFile, error) {
	type place struct {
		name string
		by   standing
	}
	var places []place
	if a.configFile != "" {
		places = append(places, place{a.configFile, named})
	} else {
		dirs := repositoryDirs(codebase)
		for _, dir := range dirs {
			places = append(places, place{filepath.Join(dir, configName), inCodebase})
		}
		by := atStart
		if here, err := resolved("."); err == nil && len(dirs) > 0 && within(dirs[len(dirs)-1], here) {
			by = inCodebase
		}
		places = append(places, place{configName, by})
	}
	if dir, err := userDir(); err == nil {
		places = append(places, place{filepath.Join(dir, configName), ofUser})
	}
	var files []*configFile
	for _, p := range places {
		f, err := readConfigFile(p.name, p.by)
		if p.by != named && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(files, func(o *configFile) bool { return o.path == f.path }) {
			files = append(files, f)
		}
	}
	return files, nil
}

// repositoryDirs are the directory of a codebase and those above it, up to the top of its repository; only the directory
// where it stands in none.
func repositoryDirs(codebase string) []string {
	if codebase == "" || strings.Contains(codebase, "://") {
		return nil
	}
	dir, err := resolved(codebase)
	if err != nil {
		return nil // the review says itself that it cannot be read
	}
	dirs := []string{dir}
	for at := dir; ; at = filepath.Dir(at) {
		if at != dir {
			dirs = append(dirs, at)
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return dirs
		}
		if at == filepath.Dir(at) {
			return dirs[:1]
		}
	}
}

// merge says what files say together. given are the keys that a flag or a variable decides; files that stranger names may
// set only what makes a review stricter.
func merge(files []*configFile, given func(key string) bool, stranger func(*configFile) bool) config {
	c := config{files: files, settings: map[string]setting{}, models: map[string]llm.ModelConfig{}, given: given}
	for _, f := range slices.Backward(files) {
		if stranger(f) {
			continue
		}
		for key, s := range f.settings {
			c.settings[key] = s
		}
		for name, m := range f.models {
			c.models[name] = m
		}
	}
	keys, decided := configKeys(), map[string]bool{}
	for _, f := range files {
		if !stranger(f) {
			continue
		}
		for _, key := range sortedKeys(keys) {
			s, ok := f.settings[key]
			if !ok || decided[key] || given(key) {
				continue
			}
			decided[key] = true
			ours := keys[key].DefValue
			if own, ok := c.settings[key]; ok {
				ours = own.text()
			}
			if is := stricter[key]; is == nil {
				c.refused = append(c.refused, s)
			} else if is(s.text(), ours) {
				c.settings[key] = s
			}
		}
		if len(f.models) > 0 {
			c.refused = append(c.refused, setting{key: "model", file: f})
		}
	}
	slices.SortStableFunc(c.refused, func(a, b setting) int {
		return cmp.Or(cmp.Compare(slices.Index(files, a.file), slices.Index(files, b.file)), cmp.Compare(a.line, b.line))
	})
	c.waiting = waitingOf(c)
	return c
}

// waitingOf is what the files say of calls that take long; readConfigFile has tried the values.
func waitingOf(c config) waiting {
	var w waiting
	_, _ = w.Timeout.Set(c.text("timeout")), w.Patience.Set(c.text("patience"))
	return w
}

// refusal is the error for what files in the codebase set and may not, nil where they set nothing of that kind.
func (c config) refusal() error {
	if len(c.refused) == 0 {
		return nil
	}
	file := c.refused[0].file
	var sets []string
	for _, s := range c.refused {
		if s.file == file {
			sets = append(sets, s.key)
		}
	}
	return usageError{fmt.Errorf("%s stands in the codebase under review and sets %s", file.shown, strings.Join(sets, ", ")),
		"a codebase must not choose who reads it, what of it, how long that may take, what it costs, or whether its faults count: " +
			"if the file is yours, add --trust-config; --config FILE takes another in its place"}
}

// trusted refuses a file that stands inside a codebase, though it was found where the program was started, and that sets
// what a codebase must not choose.
func (c config) trusted(codebase string) error {
	dirs := repositoryDirs(codebase)
	if len(dirs) == 0 {
		return nil
	}
	return merge(c.files, c.given, func(f *configFile) bool {
		return f.standing == atStart && within(dirs[len(dirs)-1], f.path)
	}).refusal()
}

// trustConfigFlag adds --trust-config.
func trustConfigFlag(cmd *cobra.Command) {
	cmd.Flags().Bool("trust-config", false, "let a "+configName+" inside the codebase set what a codebase must not choose: models, "+
		"what is read, limits, whether findings count")
}

func trustsConfig(cmd *cobra.Command) bool {
	trust, err := cmd.Flags().GetBool("trust-config")
	return err == nil && trust
}

// configure reads what holds for a review of codebase.
func (a *app) configure(cmd *cobra.Command, codebase string) (config, error) {
	files, err := a.configFiles(codebase)
	if err != nil {
		return config{}, err
	}
	given := func(key string) bool {
		if variable := environment[key]; variable != "" && a.getenv(variable) != "" {
			return true
		}
		f := cmd.Flags().Lookup(flagOf(key))
		return f != nil && f.Changed
	}
	c := merge(files, given, func(f *configFile) bool { return f.standing == inCodebase && !trustsConfig(cmd) })
	c.settle(cmd.Flags())
	return c, nil
}

// settle leaves out what contradicts something stronger, a flag or a nearer file.
func (c config) settle(fl *pflag.FlagSet) {
	rank := func(key string) int { // 0 for a flag, then by file; -1 for what is not set, or off
		s, ok := c.settings[key]
		if f := fl.Lookup(flagOf(key)); f != nil && f.Changed {
			if f.Value.String() == "false" || f.Value.String() == "" {
				return -1
			}
			return 0
		}
		if !ok || s.text() == "false" || s.text() == "" {
			return -1
		}
		return 1 + slices.Index(c.files, s.file)
	}
	for _, pair := range contradicting {
		a, b := rank(pair[0]), rank(pair[1])
		switch {
		case a < 0 || b < 0 || a == b:
		case a < b:
			delete(c.settings, pair[1])
		default:
			delete(c.settings, pair[0])
		}
	}
}

// configured makes a command's flags what the files say, where the command line says nothing: those of keys, or all.
func (a *app) configured(cmd *cobra.Command, codebase string, keys ...string) error {
	c, err := a.configure(cmd, codebase)
	if err != nil {
		return err
	}
	if err := c.refusal(); err != nil {
		return err
	}
	a.settled = &c
	fl := cmd.Flags()
	on := func(key string) bool {
		f := fl.Lookup(flagOf(key))
		return f != nil && (f.Changed && f.Value.String() != "false" || c.text(key) == "true")
	}
	for key, s := range c.settings {
		f := fl.Lookup(flagOf(key))
		if f == nil || f.Changed || len(keys) > 0 && !slices.Contains(keys, key) || needing[key] != "" && !on(needing[key]) {
			continue
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			err = list.Replace(s.values)
		} else {
			err = f.Value.Set(s.text())
		}
		if err != nil {
			return usageError{fmt.Errorf("%s: %s: %w", s.where(), key, err), ""}
		}
	}
	return nil
}

// configuration is the one that was settled for this command, or what holds for a command without a codebase.
func (a *app) configuration() (config, error) {
	a.settling.Lock()
	defer a.settling.Unlock()
	if a.settled != nil {
		return *a.settled, nil
	}
	files, err := a.configFiles("")
	if err != nil {
		return config{}, err
	}
	given := func(key string) bool { return environment[key] != "" && a.getenv(environment[key]) != "" }
	c := merge(files, given, func(*configFile) bool { return false })
	a.settled = &c
	return c, nil
}

// configuredFor is configured for a command that reviews what its arguments name: without any, the current directory. Of several,
// and of files, the codebase is what they stand in, and files that are named win over what the configuration includes.
func (a *app) configuredFor(cmd *cobra.Command, args []string) error {
	fl := cmd.Flags()
	if fl.Changed("list") {
		return a.configured(cmd, "")
	}
	codebase, named, err := scope(args)
	if err != nil {
		return err
	}
	if err := a.configured(cmd, codebase); err != nil || named == nil || fl.Changed("include") {
		return err
	}
	if include, ok := fl.Lookup("include").Value.(pflag.SliceValue); ok {
		return include.Replace(nil)
	}
	return nil
}
