package finding

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMerge(t *testing.T) {
	at := func(line int, category, title, source string) Finding {
		return Finding{File: "a.py", Line: line, EndLine: line, Category: category, Title: title, Severity: "medium", Confidence: 0.5,
			Grounded: true, Sources: []string{source}, Evidence: fmt.Sprintf("code of line %d", line)}
	}
	tests := []struct {
		name string
		a, b Finding
		one  bool
	}{
		{"same place and category", at(10, "injection", "SQL", "d1"), at(10, "injection", "Query built by hand", "d2"), true},
		{"three lines apart", at(10, "injection", "SQL", "d1"), at(13, "injection", "Query", "d2"), true},
		{"four lines apart", at(10, "injection", "SQL", "d1"), at(14, "injection", "SQL", "d2"), false},
		{"similar titles", at(10, "injection", "SQL injection in find_user", "d1"), at(11, "other", "sql injection in the find_user function", "d2"), true},
		{"other matter", at(10, "injection", "SQL injection", "d1"), at(10, "resource-leak", "Cursor is never closed", "d2"), false},
		{"one source saw two", at(10, "weak-crypto", "MD5", "d1"), at(12, "weak-crypto", "MD5", "d1"), false},
		{"one source said it twice", at(10, "weak-crypto", "MD5", "d1"), at(10, "weak-crypto", "MD5", "d1"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Merge([]Finding{tt.a, tt.b})
			if (len(got) == 1) != tt.one {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestMergeKeepsTheBest(t *testing.T) {
	got := Merge([]Finding{
		{File: "a.py", Line: 10, EndLine: 12, Category: "injection", Title: "weak", Severity: "low", Confidence: 0.9, Explanation: "a longer explanation", Sources: []string{"d2"}, CWE: "CWE-89", Grounded: true, Evidence: "one"},
		{File: "a.py", Line: 11, EndLine: 11, Category: "injection", Title: "strong", Severity: "critical", Confidence: 0.4, Explanation: "short", Suggestion: "fix", Sources: []string{"d1"}, Grounded: true, Evidence: "two"},
	})
	want := []Finding{{File: "a.py", Line: 11, EndLine: 11, Category: "injection", Title: "strong", Severity: "critical", Confidence: 0.9,
		Explanation: "a longer explanation", Suggestion: "fix", CWE: "CWE-89", Sources: []string{"d1", "d2"}, Grounded: true, Evidence: "two", ID: got[0].ID,
		Fingerprint: Fingerprint(got[0])}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFingerprintSurvivesDrift(t *testing.T) {
	before := []Finding{
		{File: "a.py", Line: 10, EndLine: 10, Category: "weak-crypto", Title: "md5", Severity: "high", Grounded: true, Evidence: "h = md5(x)"},
		{File: "a.py", Line: 30, EndLine: 30, Category: "weak-crypto", Title: "md5", Severity: "high", Grounded: true, Evidence: "h = md5(x)"},
	}
	after := slices.Clone(before)
	for i := range after {
		after[i].Line += 100
		after[i].EndLine += 100
		after[i].Evidence = "\t" + after[i].Evidence
		after[i].Title = "MD5 is broken"
	}
	a, b := Merge(before), Merge(after)
	if a[0].ID != b[0].ID || a[1].ID != b[1].ID {
		t.Errorf("moved lines changed IDs: %v %v", a, b)
	}
	if a[0].ID == a[1].ID {
		t.Error("two equal lines share an ID")
	}
	if len(a[0].ID) != 16 {
		t.Errorf("ID %q", a[0].ID)
	}
}

func TestMergeIgnoresInputOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fs []Finding
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			line := rapid.IntRange(1, 12).Draw(t, "line")
			fs = append(fs, Finding{
				File: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "file"), Line: line, EndLine: line + rapid.IntRange(0, 3).Draw(t, "span"),
				Category: rapid.SampledFrom([]string{"xss", "auth", "other"}).Draw(t, "category"),
				Severity: rapid.SampledFrom(taxonomy.Severities()).Draw(t, "severity"),
				Title:    rapid.SampledFrom([]string{"one two three", "one two four", "five"}).Draw(t, "title"), Grounded: true,
				Sources: []string{rapid.SampledFrom([]string{"d1", "d2", "d3"}).Draw(t, "source")}, Evidence: "e",
			})
		}
		want := Merge(fs)
		shuffled := slices.Clone(fs)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(shuffled),
			func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(want, Merge(shuffled)); diff != "" {
			t.Fatal(diff)
		}
		ids := map[string]bool{}
		sources := map[string]bool{}
		for _, f := range want {
			if ids[f.ID] {
				t.Fatalf("ID %s twice", f.ID)
			}
			ids[f.ID] = true
			for _, s := range f.Sources {
				sources[s] = true
			}
		}
		for _, f := range fs {
			if !sources[f.Sources[0]] {
				t.Fatalf("source %s is lost", f.Sources[0])
			}
		}
	})
}

func TestMergeUngrounded(t *testing.T) {
	got := Merge([]Finding{
		{Title: "The whole design is wrong", Category: "logic", Severity: "low", Sources: []string{"d1"}, Why: "it quotes no code"},
		{Title: "the whole design is wrong!", Category: "other", Severity: "low", Sources: []string{"d2"}, Why: "it quotes no code"},
		{Title: "Something else", Category: "logic", Severity: "low", Sources: []string{"d1"}, Why: "it quotes no code"},
	})
	if len(got) != 2 || got[0].ID == got[1].ID {
		t.Errorf("%s", strings.Join([]string{fmt.Sprint(got)}, "\n"))
	}
}
