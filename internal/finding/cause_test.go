package finding

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// claimed is a grounded finding of a reader's.
func claimed(place, category, severity, title, explanation, source string) Finding {
	file, line, _ := strings.Cut(place, ":")
	f := Finding{File: file, Category: category, Severity: severity, Title: title, Explanation: explanation, Grounded: true,
		Sources: []string{source}, Evidence: "the code of " + place, Confidence: 0.5}
	fmt.Sscan(line, &f.Line)
	f.EndLine = f.Line
	return f
}

func fired(place, rule, category, severity, evidence string) Finding {
	f := claimed(place, category, severity, "A rule fired", "Because of this and that.", "d1")
	f.Rule, f.Reader, f.Evidence = rule, runfile.ReaderRules, evidence
	return f
}

func along(f Finding) Finding {
	f.Path = []runfile.Step{{File: f.File, Line: 1, Kind: "source"}, {File: f.File, Line: f.Line, Kind: "sink"}}
	return f
}

func TestDistinct(t *testing.T) {
	const api, drop = "load_payload() accepts an override and drops it", "load_payload drops the serializer keyword"
	drops := "`serializer` is a named parameter and is not passed on, so load_payload(p, serializer=other) silently uses self.serializer."
	accepts := "`serializer` is captured as a keyword and is not forwarded: load_payload(p, serializer=other) uses self.serializer instead."
	tests := []struct {
		name string
		a, b Finding
		one  bool
	}{
		{"one cause under two categories", claimed("u.py:53", "api-misuse", "medium", api, accepts, "d1"),
			claimed("u.py:53", "logic", "low", drop, drops, "d2"), true},
		{"two defects of one line", claimed("u.py:53", "injection", "high", "SQL built by hand",
			"A quote in name ends the text, and what follows runs.", "d1"),
			claimed("u.py:53", "resource-leak", "low", "Cursor is never closed",
				"After an error the connection stays in use until the pool is empty.", "d2"), false},
		{"one reader saw both", claimed("u.py:53", "api-misuse", "medium", api, accepts, "d1"),
			claimed("u.py:53", "logic", "low", drop, drops, "d1"), false},
		{"the same code elsewhere", claimed("u.py:53", "api-misuse", "medium", api, accepts, "d1"),
			claimed("u.py:90", "logic", "low", drop, drops, "d2"), false},
		{"other code two lines on", claimed("u.py:53", "api-misuse", "medium", api, accepts, "d1"),
			claimed("u.py:55", "logic", "low", drop, drops, "d2"), false},
		{"two rules", fired("u.py:53", "python/a", "off-by-one", "high", "e"), fired("u.py:53", "python/b", "logic", "high", "e"), false},
	}
	last := &tests[len(tests)-1]
	last.a.Explanation = "The loop reads one element past the end, and the program panics."
	last.b.Explanation, last.b.Title, last.b.Sources = last.a.Explanation, "Another rule", []string{"d2"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Distinct(Merge([]Finding{tt.a, tt.b})); (len(got) == 1) != tt.one {
				t.Errorf("%v", got)
			}
		})
	}
	got := Distinct(Merge([]Finding{tests[0].b, tests[0].a}))
	if f := got[0]; f.Category != "api-misuse" || f.Severity != "medium" || len(f.Sources) != 2 || len(f.Explanation) < len(drops) ||
		f.Places != nil {
		t.Errorf("kept %+v", f)
	}
}

func TestGroup(t *testing.T) {
	const query = `db.Query("SELECT name FROM users WHERE id = '" + id + "'")`
	story := "The branch for a bad signature guards timestamp_to_datetime, this one does not, and fromtimestamp raises OverflowError."
	one := func(place, title, source string) Finding {
		return claimed(place, "error-handling", "medium", title, story, source)
	}
	verified := func(f Finding, status string) Finding {
		f.Verification = &runfile.Verification{Status: status}
		return f
	}
	tests := []struct {
		name string
		a, b Finding
		one  bool
	}{
		{"a rule in one file", fired("p/a.go:3", "go/x", "logic", "medium", "a"), fired("p/a.go:90", "go/x", "logic", "medium", "b"), true},
		{"a rule in siblings", fired("p/a.go:3", "go/x", "logic", "medium", "a"), fired("p/b.go:9", "go/x", "logic", "medium", "b"), true},
		{"a rule elsewhere", fired("p/a.go:3", "go/x", "logic", "medium", "a"), fired("q/b.go:9", "go/x", "logic", "medium", "b"), false},
		{"copied code elsewhere", fired("p/a.go:3", "go/x", "logic", "medium", query), fired("q/b.go:9", "go/x", "logic", "medium", "\t"+query), true},
		{"two rules", fired("p/a.go:3", "go/x", "logic", "medium", "a"), fired("p/a.go:90", "go/y", "logic", "medium", "b"), false},
		{"milder in tests", fired("p/a.go:3", "go/x", "logic", "medium", "a"), fired("p/a_test.go:9", "go/x", "logic", "low", "b"), false},
		{"two injections", fired("p/a.go:3", "go/x", "injection", "high", "db.Query(query)"),
			fired("p/a.go:90", "go/x", "injection", "high", "db.Query(query)"), false},
		{"one injection, copied", fired("p/a.go:3", "go/x", "injection", "high", query),
			fired("p/a.go:90", "go/x", "injection", "high", query), true},
		{"two ways of values", along(fired("p/a.go:3", "go/x", "injection", "medium", query)),
			along(fired("p/a.go:90", "go/x", "injection", "medium", query)), false},
		{"two ways to a log", along(fired("p/a.go:3", "go/x", "injection", "low", "a")),
			along(fired("p/a.go:90", "go/x", "injection", "low", "b")), true},
		{"two ways to logs of two files", along(fired("p/a.go:3", "go/x", "injection", "low", "a")),
			along(fired("p/b.go:90", "go/x", "injection", "low", "b")), false},
		{"one stands, one is doubted", verified(fired("p/a.go:3", "go/x", "logic", "medium", "a"), Stands),
			verified(fired("p/a.go:90", "go/x", "logic", "medium", "b"), Unsure), false},
		{"a story told twice", one("t.py:152", "A timestamp out of range raises OverflowError", "d1"),
			one("t.py:160", "Timestamp out of range raises an OverflowError", "d1"), true},
		{"the line is named",
			claimed("t.py:152", "error-handling", "low", "A timestamp out of range raises", "Line 160 does the same.", "d1"),
			claimed("t.py:160", "error-handling", "low", "Timestamp out of range raises", "Nobody catches what datetime throws at callers.", "d1"), true},
		{"another story",
			claimed("t.py:152", "error-handling", "low", "A timestamp out of range raises", "Validate() lets it through to callers.", "d1"),
			claimed("t.py:160", "error-handling", "low", "Timestamp out of range raises", "Nobody catches what datetime throws at others.", "d1"), false},
		{"about another function", one("t.py:152", "A value out of range in parse_start raises OverflowError", "d1"),
			one("t.py:160", "A value out of range in parse_end raises OverflowError", "d2"), false},
		{"other titles", one("t.py:152", "A timestamp out of range raises an error", "d1"),
			one("t.py:160", "The wrong clock is asked", "d1"), false},
		{"two injections of a model", claimed("a.py:3", "injection", "critical", "SQL built by hand", story, "d1"),
			claimed("a.py:80", "injection", "critical", "SQL built by hand", story, "d2"), false},
		{"definition and call", one("lib/clock.py:5", "Out of range timestamp raises OverflowError", "d1"),
			claimed("app/main.py:90", "error-handling", "medium", "Timestamp out of range raises OverflowError", story+" See clock.py.", "d2"), true},
		{"two files without a word", one("lib/clock.py:5", "Out of range timestamp raises OverflowError", "d1"),
			one("app/main.py:90", "Timestamp out of range raises OverflowError", "d2"), false},
		{"one reader, two files", one("lib/clock.py:5", "Out of range timestamp raises OverflowError", "d1"),
			claimed("app/main.py:90", "error-handling", "medium", "Timestamp out of range raises OverflowError", story+" See clock.py.", "d1"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Group(Distinct(Merge([]Finding{tt.a, tt.b})))
			if (len(got) == 1) != tt.one {
				t.Fatalf("%v", got)
			}
			if tt.one != (len(got[0].Places) == 2) {
				t.Errorf("places %v", got[0].Places)
			}
		})
	}
}

func TestGroupKeepsPlacesAndIDs(t *testing.T) {
	a, b, c := fired("p/a.go:3", "go/x", "logic", "medium", "a"), fired("p/a.go:90", "go/x", "logic", "medium", "b"),
		fired("p/b.go:9", "go/x", "logic", "medium", "c")
	a.Title, b.Title, c.Title = "Error dropped: of os.Rename", "Error dropped: of os.Remove", "Error dropped"
	b.Confidence = 0.9
	single := Merge([]Finding{a, b, c})
	got := Group(single)
	if len(got) != 1 {
		t.Fatal(got)
	}
	ids, place := map[string]string{}, map[string]runfile.Place{}
	for _, f := range single {
		at := fmt.Sprint(f.File, f.Line)
		ids[at] = f.ID
		place[at] = runfile.Place{File: f.File, Line: f.Line, EndLine: f.Line, ID: f.ID, Fingerprint: Fingerprint(f)}
	}
	want := []runfile.Place{place["p/a.go90"], place["p/a.go3"], place["p/b.go9"]}
	if diff := cmp.Diff(want, got[0].Places); diff != "" {
		t.Error(diff)
	}
	if f := got[0]; f.Title != "Error dropped" || f.ID != ids["p/a.go90"] || f.Line != 90 || f.Rule != "go/x" {
		t.Errorf("kept %+v", f)
	}
	if diff := cmp.Diff(got, Group(got)); diff != "" {
		t.Errorf("again: %s", diff)
	}
	apart := Apart(got)
	second := runfile.Place{File: apart[1].File, Line: apart[1].Line, EndLine: apart[1].EndLine, ID: apart[1].ID,
		Fingerprint: apart[1].Fingerprint}
	if len(apart) != 3 || second != place["p/a.go3"] || apart[1].Places != nil {
		t.Errorf("apart: %+v", apart)
	}
}

func TestGroupIgnoresInputOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fs []Finding
		for i := range rapid.IntRange(0, 14).Draw(t, "n") {
			file := rapid.SampledFrom([]string{"p/a.go", "p/b.go", "q/a.go"}).Draw(t, "file")
			f := claimed(fmt.Sprintf("%s:%d", file, rapid.IntRange(1, 40).Draw(t, "line")),
				rapid.SampledFrom([]string{"logic", "injection"}).Draw(t, "category"),
				rapid.SampledFrom([]string{"high", "low"}).Draw(t, "severity"),
				rapid.SampledFrom([]string{"one two three", "one two three four", "load_all fails"}).Draw(t, "title"),
				rapid.SampledFrom([]string{"line 7 alpha beta gamma delta", "alpha beta gamma delta b.go", "x"}).Draw(t, "text"),
				rapid.SampledFrom([]string{"d1", "d2", "d3"}).Draw(t, "source"))
			f.Evidence = rapid.SampledFrom([]string{"short", strings.Repeat("a long line of code ", 3)}).Draw(t, "evidence")
			f.Rule = rapid.SampledFrom([]string{"", "go/x", "go/y"}).Draw(t, "rule")
			f.Sources = append(f.Sources, fmt.Sprint("#", i))
			fs = append(fs, f)
		}
		all := func(fs []Finding) []Finding { return Group(Distinct(Merge(fs))) }
		want := all(fs)
		shuffled := slices.Clone(fs)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(shuffled),
			func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(want, all(shuffled)); diff != "" {
			t.Fatal(diff)
		}
		sources := 0
		for _, f := range want {
			for _, s := range f.Sources {
				if strings.HasPrefix(s, "#") {
					sources++
				}
			}
			own := runfile.Place{File: f.File, Line: f.Line, EndLine: f.EndLine, ID: f.ID, Fingerprint: f.Fingerprint}
			if len(f.Places) == 1 || len(f.Places) > 0 && f.Places[0] != own {
				t.Fatalf("places of %+v", f)
			}
		}
		if sources != len(fs) {
			t.Fatalf("%d of %d claims are left", sources, len(fs))
		}
	})
}

// TestPlantedDefectsStayApart takes the 120 defects that were planted for the stored rollouts as claims of as many workers.
func TestPlantedDefectsStayApart(t *testing.T) {
	path := filepath.Join(stored, "rollouts_hard/results.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("%s is not here: the planted defects are not grouped", path)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var row struct{ Answer string }
		var defects []struct {
			Finding
			Description string
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(row.Answer), &defects); err != nil {
			t.Fatal(err)
		}
		var fs []Finding
		for i, d := range defects {
			d.Finding.Title, _, _ = strings.Cut(d.Description, ". ")
			d.Finding.Explanation, d.Finding.Grounded, d.Finding.Sources = d.Description, true, []string{fmt.Sprint("d", i)}
			d.Finding.Evidence = fmt.Sprint("line ", d.Line)
			fs = append(fs, d.Finding)
		}
		n += len(fs)
		if got := Group(Distinct(Merge(fs))); len(got) != len(fs) {
			t.Errorf("%d of %d are left: %v", len(got), len(fs), got)
		}
	}
	if n < 100 {
		t.Errorf("only %d defects", n)
	}
}
