package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groups are the parts of deeprepo --help, with the commands of each. What is in none comes last.
var groups = []struct {
	id, title string
	commands  []string
}{
	{"review", "Review:", []string{"analyze", "baseline", "resume", "show", "diff", "triage", "history", "rules", "locate", "init", "config", "models"}},
	{"measure", "Measure:", []string{"bench", "env", "eval"}},
	{"verify", "Verify programs, make pairs:", []string{"code", "pairs", "sandbox"}},
	{"train", "Train:", []string{"train"}},
	{"serve", "Serve:", []string{"ui", "fleet", "mcp"}},
}

// arrange puts the commands into their groups, and examples before everything else, and has models complete.
func arrange(root *cobra.Command) {
	of := map[string]string{}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, name := range g.commands {
			of[name] = g.id
		}
	}
	for _, cmd := range root.Commands() {
		cmd.GroupID = of[cmd.Name()]
	}
	completeModels(root)
	usage := root.UsageTemplate()
	before, after, _ := strings.Cut(usage, "{{if .HasExample}}")
	_, after, _ = strings.Cut(after, "{{.Example}}{{end}}")
	root.SetUsageTemplate(before + strings.ReplaceAll(after, "Additional Commands:", "Other:"))
	root.SetHelpTemplate(`{{.Short}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{with .Long}}
{{. | trimTrailingWhitespaces}}
{{end}}
{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}`)
}

// flagFault is the user's mistake with a flag, and what was probably meant.
func flagFault(cmd *cobra.Command, err error) error {
	advice := cmd.CommandPath() + " --help shows the flags"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() == "" {
		name, names := strings.ReplaceAll(unknown.GetSpecifiedName(), "_", "-"), []string{}
		add := func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		}
		cmd.Flags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		near := suggest.Nearest(name, names)
		if slices.Contains(names, name) {
			near = name // as the key is called
		}
		if near != "" {
			advice = fmt.Sprintf("did you mean --%s? %s", near, advice)
		}
	}
	return usageError{flagError(err), advice}
}
