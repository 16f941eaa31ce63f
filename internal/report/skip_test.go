package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

func TestSkippedRules(t *testing.T) {
	for _, tt := range []struct {
		texts      []string
		rule, file string
		off        string // the text that says so, "" for a finding that stays
	}{
		{[]string{"python/weak-random"}, "python/weak-random", "a/b.py", "python/weak-random"},
		{[]string{"python/weak-random"}, "python/xss", "b.py", ""},
		{[]string{"python/weak-random"}, "", "b.py", ""}, // a model's
		{[]string{"*"}, "go/xss", "a/b.go", "*"},
		{[]string{"*"}, "", "a/b.go", ""},
		{[]string{"go/*:internal/legacy/**"}, "go/xss", "internal/legacy/x/a.go", "go/*:internal/legacy/**"},
		{[]string{"go/*:internal/legacy/**"}, "go/xss", "internal/new/a.go", ""},
		{[]string{"go/*:internal/legacy/**"}, "php/xss", "internal/legacy/a.go", ""},
		{[]string{"xss: vendor/"}, "php/xss", "./vendor/a.php", "xss: vendor/"},
		{[]string{"xss:vendor/"}, "php/xss", "src/vendor.php", ""},
		{[]string{"xss:/vendor/"}, "php/xss", "src/vendor/a.php", ""},
		{[]string{"go/xss", "*/off-by-one"}, "c/off-by-one", "a.c", "*/off-by-one"},
		{nil, "go/xss", "a.go", ""},
	} {
		s, err := ParseSkippedRules(tt.texts)
		if err != nil {
			t.Errorf("%q: %v", tt.texts, err)
			continue
		}
		kept, off := s.Apply([]finding.Finding{{ID: "1", Rule: tt.rule, File: tt.file}})
		switch {
		case len(kept)+len(off) != 1 || (tt.off != "") != (len(off) == 1):
			t.Errorf("%q, %s in %s: kept %d, off %d", tt.texts, tt.rule, tt.file, len(kept), len(off))
		case tt.off != "" && (off[0].Reason != tt.off || off[0].By != "skip_rules" || off[0].ID != "1"):
			t.Errorf("%q: %+v", tt.texts, off[0])
		}
	}
}

func TestSkippedRulesFaults(t *testing.T) {
	for text, want := range map[string]struct{ err, hint string }{
		"python/weak-randm":       {`"python/weak-randm": there is no rule`, "did you mean python/weak-random?"},
		"python/weak-randm:a/**":  {"there is no rule", "did you mean python/weak-random?"},
		"swift/*":                 {"there is no rule", "deeprepo rules list"},
		"":                        {"the rule is missing", "RULE:PATH"},
		" :vendor/**":             {"the rule is missing", "RULE:PATH"},
		"go/xss: ":                {"the path pattern is missing", "go/xss alone"},
		"go/xss:\xff":             {"not UTF-8", ""},
		strings.Repeat("a", 2000): {"too long", ""},
	} {
		_, err := ParseSkippedRules([]string{"go/xss", text})
		if err == nil || !strings.Contains(err.Error(), want.err) || !strings.Contains(hint.Of(err), want.hint) {
			t.Errorf("%.40q: %v (%s)", text, err, hint.Of(err))
		}
	}
}

func FuzzParseSkippedRules(f *testing.F) {
	f.Add("go/*:internal/legacy/**", "internal/legacy/a.go")
	f.Add("*:"+strings.Repeat("**/", 300), strings.Repeat("a/", 300))
	f.Add("xss:\xff[^\x00", "\x00")
	f.Add("xss:*\u202e*", "a\u202eb")
	f.Fuzz(func(t *testing.T, text, file string) {
		s, err := ParseSkippedRules([]string{text})
		if err != nil {
			return
		}
		kept, off := s.Apply([]finding.Finding{{Rule: "go/xss", File: file}, {File: file}})
		if len(kept)+len(off) != 2 || len(kept) == 0 {
			t.Fatalf("%d kept, %d off", len(kept), len(off))
		}
		for _, o := range off {
			checkVisible(t, text, o.Reason, false)
		}
	})
}

// What is switched off is counted by itself wherever counts are, and stays what it is when the report is read again.
func TestSwitchedOffIsSaid(t *testing.T) {
	doc := sample()
	doc.Report.Suppressed = []runfile.Suppressed{{Finding: finding.Finding{ID: "1"}, By: "comment"}}
	for _, id := range []string{"2", "3"} {
		doc.Report.Suppressed = append(doc.Report.Suppressed,
			runfile.Suppressed{Finding: finding.Finding{ID: id, Title: "Off", Rule: "go/xss"}, By: BySkip, Reason: "go/xss:old/**"})
	}
	var data bytes.Buffer
	if err := WriteJSON(&data, doc.Report); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&data)
	if err != nil {
		t.Fatal(err)
	}
	doc.Report = again
	var terminal, comment, markdown bytes.Buffer
	if err := Text(&terminal, doc.Report, Style{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteComment(&comment, doc.Report); err != nil {
		t.Fatal(err)
	}
	if err := WriteMarkdown(&markdown, doc); err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"terminal": terminal.String(), "comment": comment.String()} {
		if !strings.Contains(text, "1 suppressed, 2 of rules that are switched off") {
			t.Errorf("%s:\n%s", what, text)
		}
	}
	if !strings.Contains(markdown.String(), `, by skip\_rules: go/xss:old/`) {
		t.Error(markdown.String())
	}
}
