package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// inForce is what deeprepo config shows.
type inForce struct {
	Files    []shownFile    `json:"files"` // the strongest first
	Settings []shownSetting `json:"settings"`
	// Refused is what a file in the codebase sets and may not. A review ends there, unless --trust-config is given.
	Refused []shownSetting `json:"refused"`
}

type shownFile struct {
	Path     string   `json:"path"`
	Standing standing `json:"standing"` // named, codebase, start or user
	Trusted  bool     `json:"trusted"`
}

type shownSetting struct {
	Key   string `json:"key"`
	Value string `json:"value"` // "" where nothing is set
	From  string `json:"from"`  // default, a variable, or FILE:LINE
}

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [PATH]",
		Short: "Show which settings are in force for a codebase, and where each comes from",
		Long: `Show what holds when the codebase at PATH (default: the current directory) is reviewed without further flags: each key of
` + configName + `, its value, and the file and line, variable or default it comes from.

The file is looked for in the codebase, then upward to the top of its repository, where the program was started, and in
the user's directory; for each key the nearest counts. With --config FILE only that one and the user's are read. What a
file in the codebase may not set is listed by itself; --trust-config takes it.`,
		Example: `  deeprepo config                      # for the current directory
  deeprepo config ~/src/app --json
  deeprepo config ~/src/app --trust-config`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError{fmt.Errorf("config takes one PATH, got %d", len(args)), "deeprepo config PATH"}
			}
			return nil
		},
		ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.configure(cmd, cmp.Or(append(args, ".")...))
			if err != nil {
				return err
			}
			shown := a.inForce(c, trustsConfig(cmd))
			return a.print(shown, func(w io.Writer) error { return shown.write(w) })
		},
	}
	trustConfigFlag(cmd)
	return cmd
}

func (a *app) inForce(c config, trust bool) inForce {
	shown := inForce{Files: []shownFile{}, Settings: []shownSetting{}, Refused: []shownSetting{}}
	for _, f := range c.files {
		shown.Files = append(shown.Files, shownFile{f.shown, f.standing, trust || f.standing != inCodebase})
	}
	keys := configKeys()
	for _, key := range sortedKeys(keys) {
		s := shownSetting{key, defaultOf(keys[key]), "default"}
		if set, ok := c.settings[key]; ok {
			s.Value, s.From = set.text(), set.where()
		}
		if variable := environment[key]; variable != "" && a.getenv(variable) != "" {
			s.Value, s.From = a.getenv(variable), variable
		}
		shown.Settings = append(shown.Settings, s)
	}
	shown.models(a, c)
	for name, m := range c.models {
		shown.Settings = append(shown.Settings, shownSetting{fmt.Sprintf("model.%q", name), modelText(m), modelFile(c, name)})
	}
	slices.SortStableFunc(shown.Settings, func(a, b shownSetting) int { return cmp.Compare(a.Key, b.Key) })
	for _, s := range c.refused {
		shown.Refused = append(shown.Refused, shownSetting{s.key, s.text(), s.where()})
	}
	for _, list := range [][]shownSetting{shown.Settings, shown.Refused} {
		for i, s := range list {
			if s.Key == "local_url" || s.Key == "fleet" {
				list[i].Value = withoutSecrets(s.Value)
			}
		}
	}
	return shown
}

// models puts in the models that a review takes where none is named, and the variable that decides it.
func (shown *inForce) models(a *app, c config) {
	root, worker, err := a.chooseModels(c.text("root"), c.text("worker"), c.text("offline") == "true")
	if err != nil {
		return // the review says it
	}
	from := "default"
	if p := slices.IndexFunc(provider.Proposals(), func(p provider.Proposal) bool { return a.getenv(p.Variable) != "" }); p >= 0 {
		from = provider.Proposals()[p].Variable
	}
	if c.text("offline") == "true" {
		from = "offline"
	}
	for i, s := range shown.Settings {
		if s.From != "default" {
			continue
		}
		switch {
		case s.Key == "root":
			shown.Settings[i] = shownSetting{s.Key, root, from}
		case s.Key == "worker" && c.text("root") != "":
			shown.Settings[i] = shownSetting{s.Key, worker, "root"}
		case s.Key == "worker":
			shown.Settings[i] = shownSetting{s.Key, worker, from}
		}
	}
}

// defaultOf is what a flag that nobody sets comes to: its own default, or what its usage says of it.
func defaultOf(f *pflag.Flag) string {
	if v := f.DefValue; v != "" && v != "0" && v != "[]" {
		return v
	}
	if _, words, ok := strings.Cut(f.Usage, "(default "); ok {
		words, _, _ = strings.Cut(words, ")")
		return words
	}
	return strings.Trim(f.DefValue, "[]")
}

func modelText(m llm.ModelConfig) string {
	var parts []string
	for _, p := range []struct {
		name string
		d    *llm.Dollars
	}{{"input", m.Input}, {"output", m.Output}, {"cached_input", m.CachedInput}, {"cache_write", m.CacheWrite}} {
		if p.d != nil {
			parts = append(parts, p.name+" "+p.d.Decimal())
		}
	}
	if m.Context > 0 {
		parts = append(parts, fmt.Sprintf("context %d", m.Context))
	}
	return strings.Join(parts, ", ")
}

// modelFile is the file that a model's table holds from.
func modelFile(c config, name string) string {
	for _, f := range c.files {
		refused := slices.ContainsFunc(c.refused, func(s setting) bool { return s.file == f && s.key == "model" })
		if _, ok := f.models[name]; ok && !refused {
			return f.shown
		}
	}
	return ""
}

func (shown inForce) write(w io.Writer) error {
	if len(shown.Files) == 0 {
		fmt.Fprintf(w, "no %s was found\n", configName)
	}
	for _, f := range shown.Files {
		what := map[standing]string{named: "named by --config", inCodebase: "in the codebase", atStart: "where deeprepo was started",
			ofUser: "the user's"}[f.Standing]
		if !f.Trusted {
			what += ", not trusted"
		}
		fmt.Fprintf(w, "%s (%s)\n", f.Path, what)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nkey\tvalue\tfrom")
	for _, s := range shown.Settings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Key, cmp.Or(termtext.Inline(s.Value), "-"), s.From)
	}
	if len(shown.Refused) > 0 {
		fmt.Fprintln(t, "\nnot without --trust-config\tvalue\tfrom")
	}
	for _, s := range shown.Refused {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Key, cmp.Or(termtext.Inline(s.Value), "-"), s.From)
	}
	return t.Flush()
}
