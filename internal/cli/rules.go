package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

func (a *app) rulesCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "rules",
		Short: "The static rules: list them, show one, run their samples",
		Long: `The static rules that read code when no language model does. analyze --skip-rules, or skip_rules in deeprepo.toml, switches
some off, everywhere or in some files.`,
		Example: `  deeprepo rules list --language go --cwe 89
  deeprepo rules show python/weak-random
  deeprepo rules test`,
	}, a.rulesListCommand(), a.rulesShowCommand(), a.rulesTestCommand())
}

// listedRule is a rule in a list.
type listedRule struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Languages []string `json:"languages"`
	CWE       string   `json:"cwe"`
	Severity  string   `json:"severity"`
	Category  string   `json:"category"`
}

func ruleRow(r rule.Rule) listedRule {
	return listedRule{r.ID, r.Title, r.Languages, r.CWE, r.Severity, r.Category}
}

// ruleFilter chooses rules; its zero value all.
type ruleFilter struct{ language, cwe, category string }

func (a *app) rulesListCommand() *cobra.Command {
	var f ruleFilter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the rules",
		Example: `  deeprepo rules list
  deeprepo rules list --language python --category injection
  deeprepo rules list --cwe 89 --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all := rules.All()
			if err := f.check(all); err != nil {
				return err
			}
			chosen := []listedRule{}
			for _, r := range all {
				if f.holds(r) {
					chosen = append(chosen, ruleRow(r))
				}
			}
			return a.print(chosen, func(w io.Writer) error { return writeRules(w, chosen) })
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.language, "language", "", "only rules that read this language")
	fl.StringVar(&f.cwe, "cwe", "", "only rules about this weakness: 89, or CWE-89")
	fl.StringVar(&f.category, "category", "", "only rules of this category")
	completeWith(cmd, "language", func() []string { return ruleLanguages(rules.All()) })
	completeWith(cmd, "category", ruleCategories)
	return cmd
}

// check refuses words that no rule can have, and writes the CWE as rules do.
func (f *ruleFilter) check(all []rule.Rule) error {
	for _, of := range []struct {
		flag, word string
		known      []string
	}{{"--language", f.language, ruleLanguages(all)}, {"--category", f.category, ruleCategories()}} {
		if of.word == "" || slices.Contains(of.known, of.word) {
			continue
		}
		advice := "use " + strings.Join(of.known, ", ")
		if near := suggest.Nearest(of.word, of.known); near != "" {
			advice = "did you mean " + near + "?"
		}
		return usageError{fmt.Errorf("%s %q: no rule has it", of.flag, of.word), advice}
	}
	if f.cwe != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToUpper(f.cwe), "CWE-"), 10, 32)
		if err != nil || n == 0 {
			return usageError{fmt.Errorf("--cwe %q is no number of a weakness", f.cwe), "--cwe 89"}
		}
		f.cwe = fmt.Sprintf("CWE-%d", n)
	}
	return nil
}

func (f ruleFilter) holds(r rule.Rule) bool {
	return (f.language == "" || slices.Contains(r.Languages, f.language)) && (f.cwe == "" || f.cwe == r.CWE) &&
		(f.category == "" || f.category == r.Category)
}

func writeRules(w io.Writer, list []listedRule) error {
	text := termtext.Plural(len(list), "rule") + "\n"
	if len(list) > 0 {
		t := grid.Table{Left: 5, Head: []string{"id", "title", "languages", "cwe", "severity"}}
		for _, r := range list {
			t.Add(r.ID, r.Title, strings.Join(r.Languages, ", "), strings.TrimPrefix(r.CWE, "CWE-"), r.Severity)
		}
		text = t.Text() + text
	}
	_, err := io.WriteString(w, text)
	return err
}

// shownRule is all that a rule says of itself.
type shownRule struct {
	listedRule
	Confidence  float64       `json:"confidence"`
	InTests     string        `json:"in_tests"` // lower, skip or same
	Explanation string        `json:"explanation"`
	Suggestion  string        `json:"suggestion"`
	Bad         []shownSample `json:"bad"`
	Good        []shownSample `json:"good"`
}

type shownSample struct {
	Path   string `json:"path"` // "" for any file of the language
	Source string `json:"source"`
}

func (a *app) rulesShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show what a rule says, and code that it matches and that it does not",
		Example: `  deeprepo rules show python/weak-random
  deeprepo rules show go/ignored-error --json`,
		Args:              one("rules show", "ID", "deeprepo rules list shows them"),
		ValidArgsFunction: completeRules(1),
		RunE: func(_ *cobra.Command, args []string) error {
			chosen, err := rulesNamed(args)
			if err != nil {
				return err
			}
			r := chosen[0]
			shown := shownRule{ruleRow(r), r.Confidence, cmp.Or(string(r.InTests), "lower"), r.Explanation, r.Suggestion, samplesOf(r.Bad),
				samplesOf(r.Good)}
			return a.print(shown, func(w io.Writer) error { return shown.write(w) })
		},
	}
}

func samplesOf(samples []rule.Sample) []shownSample {
	all := []shownSample{}
	for _, s := range samples {
		all = append(all, shownSample(s))
	}
	return all
}

func (r shownRule) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", r.ID, r.Title)
	for _, row := range [][2]string{{"severity", r.Severity}, {"category", r.Category}, {"cwe", r.CWE},
		{"confidence", strconv.FormatFloat(r.Confidence, 'f', -1, 64)}, {"languages", strings.Join(r.Languages, ", ")},
		{"in tests", map[string]string{"lower": "one severity lower", "skip": "silent", "same": "as anywhere"}[r.InTests]},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "%-10s  %s\n", row[0], row[1])
		}
	}
	fmt.Fprintf(&b, "\nWhat is wrong\n%s\n\nFix\n%s\n", r.Explanation, r.Suggestion)
	for _, of := range []struct {
		what    string
		samples []shownSample
	}{{"Matches", r.Bad}, {"Does not match", r.Good}} {
		for i, s := range of.samples {
			fmt.Fprintf(&b, "\n%s (%d of %d)%s\n", of.what, i+1, len(of.samples), strings.TrimRight(" "+s.Path, " "))
			for line := range strings.Lines(s.Source) {
				b.WriteString("    " + line)
			}
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// rulesNamed are the rules with these IDs, or without any all.
func rulesNamed(ids []string) ([]rule.Rule, error) {
	all := rules.All()
	if len(ids) == 0 {
		return all, nil
	}
	var chosen []rule.Rule
	for _, id := range ids {
		i := slices.IndexFunc(all, func(r rule.Rule) bool { return r.ID == id })
		if i < 0 {
			return nil, rules.Unknown(id)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func ruleLanguages(all []rule.Rule) (known []string) {
	for _, r := range all {
		known = append(known, r.Languages...)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

func ruleCategories() []string {
	return slices.DeleteFunc(taxonomy.Categories(), func(c string) bool { return !taxonomy.About(c).Rule })
}
