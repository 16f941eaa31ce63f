package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completeModels has every flag that names a model, and knows no words of its own, complete to the models that are known.
func completeModels(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, own := cmd.GetFlagCompletionFunc(f.Name); own || !slices.Contains([]string{"root", "worker", "verifier", "model"}, f.Name) {
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, knownModels); err != nil {
			panic(err) // the flag is there
		}
	})
	for _, sub := range cmd.Commands() {
		completeModels(sub)
	}
}

// knownModels are the models with a price, those that are proposed and those of this program. Nobody is asked.
func knownModels(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	names := []string{offline.Name, offline.LocaliserName, rules.Name}
	for _, p := range provider.Proposals() {
		names = append(names, p.Root, p.Worker)
	}
	if prices, err := (&app{}).prices(); err == nil {
		for _, m := range prices.All() {
			names = append(names, termtext.Inline(m.Name))
		}
	}
	names = beginning(typed, names)
	slices.Sort(names)
	return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
}

// completeRuns completes so many arguments to runs below runs/, the newest first, or to any directory. With ids the arguments
// behind the first are findings of that run.
func completeRuns(most int, ids bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch {
		case ids && len(args) > 0 && len(args) < most:
			return findingIDs(args[0], typed, args[1:]), cobra.ShellCompDirectiveNoFileComp
		case len(args) >= most:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		runs := knownRuns(typed)
		if len(runs) == 0 {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
		return runs, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// knownRuns are the directories of runs/ that hold a run, the newest first.
func knownRuns(typed string) []string {
	manifests, err := filepath.Glob(filepath.Join("runs", "*", "run.json"))
	if err != nil {
		return nil // the pattern is fixed
	}
	written := map[string]int64{}
	var runs []string
	for _, m := range manifests {
		dir := filepath.Dir(m)
		if info, err := os.Lstat(m); err == nil && strings.HasPrefix(dir, typed) && termtext.Inline(dir) == dir {
			runs, written[dir] = append(runs, dir), info.ModTime().UnixNano()
		}
	}
	slices.SortStableFunc(runs, func(a, b string) int { return cmp.Compare(written[b], written[a]) })
	return runs
}

// findingIDs are the IDs of a run's findings that were not typed yet, each with its place and title.
func findingIDs(run, typed string, taken []string) []string {
	r, err := readReview(run)
	if err != nil {
		return nil // what is wrong with it is said when the command runs
	}
	var ids []string
	add := func(f runfile.Finding) {
		if strings.HasPrefix(f.ID, typed) && !slices.Contains(taken, f.ID) {
			ids = append(ids, termtext.Inline(f.ID)+"\t"+termtext.Inline(f.File+": "+f.Title))
		}
	}
	for _, f := range r.Findings {
		add(f)
	}
	for _, f := range r.Ungrounded {
		add(f)
	}
	for _, f := range r.Refuted {
		add(f.Finding)
	}
	for _, f := range r.Dismissed {
		add(f.Finding)
	}
	for _, f := range r.Suppressed {
		add(f.Finding)
	}
	return ids
}

// ruleIDs are the static rules, each with its title.
func ruleIDs() (ids []string) {
	for _, r := range rules.All() {
		ids = append(ids, r.ID+"\t"+r.Title)
	}
	return ids
}

// completeRules completes so many arguments to rules that were not typed yet.
func completeRules(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) (ids []string, _ cobra.ShellCompDirective) {
		if len(args) < most {
			ids = slices.DeleteFunc(beginning(typed, ruleIDs()), func(s string) bool {
				id, _, _ := strings.Cut(s, "\t")
				return slices.Contains(args, id)
			})
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}
