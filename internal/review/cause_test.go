package review

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

const leak = "def load_%s(path):\n    fp_%s = open(path)\n    return fp_%s.read()\n\n\n"

// byRules reviews files with the static rules and nothing else.
func byRules(t *testing.T, o Options) runfile.Report {
	t.Helper()
	env := environment(t, nil, nil)
	env.Registry.Register("rules", func(string) (llm.Handle, error) {
		return rules.NewWorker(rules.NewSet(runtest.Parser(t), rules.All())).Handle(), nil
	}, "all")
	o.Out, o.Root, o.Worker, o.NoCache = filepath.Join(t.TempDir(), "run"), "offline/orchestrator", "rules/all", true
	got, err := Analyze(context.Background(), o, env)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadReport(filepath.Join(got.Dir, ReportName+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// Under the preset security, static rules tell of nothing else.
func TestThePresetSecurityLeavesQualityOut(t *testing.T) {
	path := runtest.Tree(t, map[string]string{"a.py": leaks("x") + "def run(name):\n    assert (name, \"no name\")\n    exec(input())\n"})
	for preset, want := range map[string]int{"code": 3, "security": 1} {
		p, err := rlm.BuiltinPreset(preset)
		if err != nil {
			t.Fatal(err)
		}
		r := byRules(t, Options{Path: path, Preset: p})
		if len(r.Findings) != want || r.Findings[0].Rule != "python/code-injection" {
			t.Errorf("%s: findings %+v, want %d", preset, r.Findings, want)
		}
	}
}

// The secrets of a file are one finding with all its places, though each is grave.
func TestSecretsOfAFileAreOneFinding(t *testing.T) {
	secrets := "DB_PASSWORD = \"hunter2-Prod!\"\n\n\nAPI_KEY = \"9f8a7c6d5e4b3a2f1e0d9c8b\"\n"
	r := byRules(t, Options{Path: runtest.Tree(t, map[string]string{"a.py": secrets, "b.py": strings.Replace(secrets, "9f8a", "77aa", 1)})})
	if len(r.Findings) != 2 || len(r.Findings[0].Places) < 2 || len(r.Findings[1].Places) < 2 {
		t.Errorf("findings %+v", r.Findings)
	}
}

func leaks(names string) string { return strings.Join(leakList(names), "") }

func leakList(names string) []string {
	var all []string
	for n := range strings.FieldsSeq(names) {
		all = append(all, strings.ReplaceAll(leak, "%s", n))
	}
	return all
}

func TestARuleOverSiblingsIsOneFinding(t *testing.T) {
	path := runtest.Tree(t, map[string]string{"pkg/a.py": leaks("x y z"), "pkg/b.py": leaks("x"), "other/c.py": leaks("w")})
	r := byRules(t, Options{Path: path})
	if len(r.Findings) != 2 || len(r.Findings[1].Places) != 4 || r.Findings[0].Places != nil {
		t.Fatalf("findings %+v", r.Findings)
	}
	for _, f := range r.Findings {
		if f.Reader != runfile.ReaderRules || f.Rule != "python/unclosed-file" {
			t.Errorf("reader %q, rule %q", f.Reader, f.Rule)
		}
	}
	// A comment takes out its own place; the suppress file, by the ID of a place, takes out that one and no other.
	third := r.Findings[1].Places[2]
	text := strings.Replace(leaks("x y z"), "fp_x = open(path)", "fp_x = open(path)  # deeprepo:ignore resource-leak", 1)
	if err := os.WriteFile(filepath.Join(path, "pkg/a.py"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, ".deeprepo-suppress"), []byte(third.ID+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	left := byRules(t, Options{Path: path})
	if len(left.Findings) != 2 || len(left.Findings[1].Places) != 2 || len(left.Suppressed) != 2 {
		t.Errorf("left %+v, suppressed %+v", left.Findings, left.Suppressed)
	}
}

func TestABaselineOfGroupsHidesTheirPlacesOnly(t *testing.T) {
	files := map[string]string{"pkg/a.py": leaks("x y")}
	path := runtest.Tree(t, files)
	env := environment(t, nil, nil)
	env.Registry.Register("rules", func(string) (llm.Handle, error) {
		return rules.NewWorker(rules.NewSet(runtest.Parser(t), rules.All())).Handle(), nil
	}, "all")
	out := filepath.Join(t.TempDir(), "first")
	if _, err := Analyze(context.Background(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "rules/all", NoCache: true},
		env); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(out, ReportName+".json")
	if r := byRules(t, Options{Path: path, BaselineReport: old}); len(r.Findings) != 0 || *r.Known != 2 {
		t.Errorf("nothing changed: %+v", r.Findings)
	}
	if err := os.WriteFile(filepath.Join(path, "pkg/a.py"), []byte("import os\n\n\n"+leaks("new x y")), 0o644); err != nil {
		t.Fatal(err)
	}
	r := byRules(t, Options{Path: path, BaselineReport: old})
	if len(r.Findings) != 1 || *r.Known != 2 || !strings.Contains(r.Findings[0].Evidence, "fp_new") {
		t.Errorf("one is new: known %d, %+v", *r.Known, r.Findings)
	}
}

// A model may write what it likes: it is no static rule, and what says nothing is not in the main list.
func TestAModelIsNoRule(t *testing.T) {
	path := runtest.Tree(t, map[string]string{"a.py": "eval(input())\nexec(input())\n"})
	worker := func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Finish: llm.FinishStop, Text: `{"summary": "s", "findings": [
			{"file": "a.py", "line": 1, "title": "eval of input", "severity": "high", "category": "injection", "evidence": "eval(input())",
			 "explanation": "Whoever types runs code (rule python/code-injection).", "rule": "python/code-injection", "reader": "rules",
			 "places": [{"file": "b.py", "line": 1}], "dispatch": {"model": "offline/rules"}},
			{"file": "a.py", "line": 2, "title": "This looks like injection.", "severity": "high", "category": "injection",
			 "evidence": "exec(input())", "explanation": "This looks like injection."},
			{"file": "a.py", "line": 9, "title": "Loop ends early", "severity": "high", "category": "logic", "evidence": "while running():",
			 "explanation": "The last element is never read."}]}`}, nil
	}
	got, err := Analyze(context.Background(), Options{Path: path, Out: filepath.Join(t.TempDir(), "run"), Root: "offline/orchestrator",
		Worker: "fake/worker", NoCache: true}, environment(t, worker, nil))
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if len(r.Findings) != 1 || r.Findings[0].Rule != "" || r.Findings[0].Reader != runfile.ReaderModel || r.Findings[0].Places != nil {
		t.Errorf("findings %+v", r.Findings)
	}
	why := map[string]string{}
	for _, f := range r.Ungrounded {
		why[f.Title] = f.Why
		if f.Reader != runfile.ReaderModel {
			t.Errorf("reader %q", f.Reader)
		}
	}
	if len(why) != 2 || why["This looks like injection."] != finding.Hollow || why["Loop ends early"] == finding.Hollow {
		t.Errorf("ungrounded %v", why)
	}
}

// The counts of the second look are those of the list that is shown.
func TestGroupCountsAnew(t *testing.T) {
	f := func(file, status string) finding.Finding {
		return finding.Finding{ID: file, File: file, Line: 1, EndLine: 1, Title: "t", Severity: "low", Category: "logic", Rule: "go/x",
			Grounded: true, Verification: &runfile.Verification{Status: status}}
	}
	r := runfile.Report{Findings: []finding.Finding{f("a.go", finding.Stands), f("b.go", finding.Stands), f("c.go", finding.Unsure),
		f("d.go", finding.Unverified), f("e.go", finding.Unverified)}, KnownFindings: []finding.Finding{f("f.go", ""), f("g.go", "")},
		Verification: &runfile.SecondLook{Stands: 2, Unsure: 1, Unverified: 2, Refuted: 4}}
	group(&r)
	if v := r.Verification; len(r.Findings) != 3 || v.Stands != 1 || v.Unsure != 1 || v.Unverified != 1 || v.Refuted != 4 {
		t.Errorf("%v, %+v", r.Findings, v)
	}
	if len(r.KnownFindings) != 1 {
		t.Errorf("known: %v", r.KnownFindings)
	}
}
