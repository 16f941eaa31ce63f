package report

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// ruleTexts is what a static rule says of itself.
type ruleTexts struct{ Title, Explanation, Suggestion string }

// knownRules are the texts of this version's static rules, by ID.
var knownRules = sync.OnceValue(func() map[string]ruleTexts {
	all := map[string]ruleTexts{}
	for _, r := range rules.All() {
		all[r.ID] = ruleTexts{r.Title, r.Explanation, r.Suggestion}
	}
	return all
})

// ruleID is a finding's rule in SARIF: the static rule that made the claim, else "model/" and the category.
func ruleID(f finding.Finding) string {
	if f.Rule != "" {
		return f.Rule
	}
	return "model/" + f.Category
}

// sarifKind is what the findings of one SARIF rule have in common.
type sarifKind struct {
	rule, category string
	cwes           map[string]bool
	worst          int
	confidence     float64
}

// sarifRules makes one rule of each static rule, and of each category that a model found something in.
func sarifRules(r runfile.Report) ([]sarifRule, map[string]int) {
	kinds := map[string]*sarifKind{}
	see := func(f finding.Finding) {
		id := ruleID(f)
		k := kinds[id]
		if k == nil {
			k = &sarifKind{rule: f.Rule, category: f.Category, cwes: map[string]bool{}}
			kinds[id] = k
		}
		if f.CWE != "" {
			k.cwes[f.CWE] = true
		}
		k.worst = max(k.worst, taxonomy.Rank(f.Severity))
		k.confidence = max(k.confidence, f.Confidence)
	}
	for _, f := range slices.Concat(r.Findings, r.KnownFindings, r.Fixed) {
		see(f)
	}
	for _, s := range r.Suppressed {
		see(s.Finding)
	}
	for _, f := range r.Refuted {
		see(f.Finding)
	}
	for _, d := range r.Dismissed {
		see(d.Finding)
	}
	list, index := []sarifRule{}, map[string]int{}
	for i, id := range slices.Sorted(maps.Keys(kinds)) {
		index[id] = i
		list = append(list, sarifRuleOf(id, kinds[id]))
	}
	return list, index
}

func sarifRuleOf(id string, k *sarifKind) sarifRule {
	about := taxonomy.About(k.category)
	title, sentence, more := about.Title, about.Sentence, "Each result quotes the code it speaks of."
	if known, ok := knownRules()[k.rule]; ok {
		title, sentence, more = known.Title, known.Explanation, known.Suggestion
	}
	rule := sarifRule{
		ID: id, Name: pascal(id), ShortDescription: sarifText{Text: title}, FullDescription: sarifText{Text: sentence},
		Help:                 sarifText{Text: sentence + " " + more, Markdown: escaped(sentence) + "\n\n" + escaped(more)},
		DefaultConfiguration: sarifLevel{levelOf(k.worst)},
	}
	tags := []string{k.category}
	props := map[string]any{"precision": precisionOf(k.confidence)}
	if about.Security {
		tags = append(tags, "security")
		props["security-severity"] = securitySeverity(k.worst)
	} else {
		props["problem.severity"] = map[string]string{"error": "error", "warning": "warning", "note": "recommendation"}[levelOf(k.worst)]
	}
	cwes := slices.Sorted(maps.Keys(k.cwes))
	for _, cwe := range cwes {
		tags = append(tags, "external/cwe/"+strings.ToLower(cwe))
	}
	if len(cwes) == 1 {
		rule.HelpURI = "https://cwe.mitre.org/data/definitions/" + strings.TrimPrefix(cwes[0], "CWE-") + ".html"
	}
	props["tags"] = tags
	rule.Properties = props
	return rule
}
