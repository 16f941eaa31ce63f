package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// matches are what one rule finds in a text.
func matches(t *testing.T, r rule.Rule, path, text string) []rule.Match {
	t.Helper()
	found, err := rules.NewSet(runtest.Parser(t), []rule.Rule{r}).Check(context.Background(), path, language.Parsed(path), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// applied is a text with the changes of a SARIF result, which a reader of that standard makes.
func applied(t *testing.T, text string, fixes []sarifFix) string {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, r := range fixes[0].Changes[0].Replacements {
		at := r.Deleted
		if at.StartLine != at.EndLine {
			t.Fatalf("%+v", at)
		}
		units := utf16.Encode([]rune(lines[at.StartLine-1]))
		lines[at.StartLine-1] = string(utf16.Decode(units[:at.StartColumn-1])) + r.Inserted.Text + string(utf16.Decode(units[at.EndColumn-1:]))
	}
	return strings.Join(lines, "\n")
}

// Every rule that has a safe fix finds nothing any more where it was applied, in each of its samples of one line and behind
// characters of any width.
func TestFixesEndTheFinding(t *testing.T) {
	if len(safeFixes) < 5 {
		t.Fatal("fixes are gone")
	}
	for _, r := range rules.All() {
		if safeFixes[r.ID] == nil {
			continue
		}
		fixed := 0
		for _, s := range r.Bad {
			path := cmp.Or(s.Path, map[string]string{"python": "a.py", "javascript": "a.js"}[r.Languages[0]])
			for _, text := range []string{s.Source, strings.ReplaceAll(s.Source, "    ", "\t")} {
				for i := 0; ; i++ {
					found := matches(t, r, path, text)
					if len(found) == 0 || i > 5 {
						break
					}
					m := found[0]
					code, _ := finding.Quote(text, m.Line, m.EndLine)
					fixes := fixesOf(finding.Finding{Rule: r.ID, File: path, Line: m.Line, EndLine: m.EndLine, Evidence: code, Grounded: true})
					if fixes == nil {
						break
					}
					if text = applied(t, text, fixes); len(matches(t, r, path, text)) >= len(found) {
						t.Errorf("%s is still there:\n%s", r.ID, text)
					}
					fixed++
				}
			}
		}
		if fixed < 2 {
			t.Errorf("%s: %d samples were fixed", r.ID, fixed)
		}
	}
}

func TestFixesAreSafe(t *testing.T) {
	f := finding.Finding{Rule: "python/is-literal", File: "a b.py", Line: 3, EndLine: 3, Grounded: true,
		Evidence: `    if "😀ü" and mode is "x":`}
	fixes := fixesOf(f)
	if fixes == nil || applied(t, "\n\n"+f.Evidence, fixes) != "\n\n"+`    if "😀ü" and mode == "x":` {
		t.Errorf("%+v", fixes)
	}
	for what, change := range map[string]func(f *finding.Finding){
		"two of them":         func(f *finding.Finding) { f.Evidence = `if a is "x" or b is c:` },
		"one in a comment":    func(f *finding.Finding) { f.Evidence = `if a is "x":  # that is it` },
		"several lines":       func(f *finding.Finding) { f.EndLine = 4 },
		"a line break":        func(f *finding.Finding) { f.Evidence = "if (a is\n\"x\")" },
		"not in the code":     func(f *finding.Finding) { f.Grounded = false },
		"another rule":        func(f *finding.Finding) { f.Rule = "python/sql-injection" },
		"a model's":           func(f *finding.Finding) { f.Rule = "" },
		"several places":      func(f *finding.Finding) { f.Places = make([]runfile.Place, 2) },
		"a quotation cut off": func(f *finding.Finding) { f.Evidence += strings.Repeat(" ", maxFixed) },
	} {
		other := f
		if change(&other); fixesOf(other) != nil {
			t.Errorf("%s: %q is changed", what, other.Evidence)
		}
	}
	r := sample().Report
	r.Findings = []finding.Finding{f}
	raw := sarifOf(t, Document{Report: r})
	var log sarifLog
	if err := json.Unmarshal(raw, &log); err != nil || len(log.Runs[0].Results[0].Fixes) != 1 {
		t.Errorf("no fix in %s", raw)
	}
	inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = sarifValidator(t).Validate(inst)
	}
	if err != nil {
		t.Error(err)
	}
}
