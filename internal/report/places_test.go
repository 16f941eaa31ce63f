package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fired is a finding of a static rule, with the places that were grouped under it.
func fired(places ...runfile.Place) finding.Finding {
	f := finding.Finding{ID: places[0].ID, Title: "File is opened and never closed", Severity: "medium", Category: "resource-leak",
		CWE: "CWE-772", File: places[0].File, Line: places[0].Line, EndLine: places[0].EndLine, Evidence: "fp = open(p)", Grounded: true,
		Reader: runfile.ReaderRules, Rule: "python/unclosed-file"}
	if len(places) > 1 {
		f.Places = places
	}
	return f
}

func at(id, file string, line int) runfile.Place {
	return runfile.Place{ID: id, File: file, Line: line, EndLine: line}
}

func TestSARIFNamesRulesAndPlaces(t *testing.T) {
	byModel := fired(at("4", "d.py", 1))
	byModel.Rule, byModel.Reader, byModel.ID = "", runfile.ReaderModel, "4"
	hostile := fired(at("5", attacks[0], -4), at("6", "a b:c\n"+attacks[0], 1<<40))
	hostile.Rule = "python/<script>"
	doc := Document{Report: runfile.Report{Findings: []finding.Finding{
		fired(at("1", "a.py", 7), at("2", "a.py", 30), at("3", "b.py", 2)), byModel, hostile}}}
	raw := sarifOf(t, doc)
	inst, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := sarifValidator(t).Validate(inst); err != nil {
		t.Error(err)
	}
	var log sarifLog
	if err := json.Unmarshal(raw, &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	first := run.Results[0]
	if first.RuleID != "python/unclosed-file" || first.PartialFingerprints["deeprepo/v1"] != "1" || len(first.Locations) != 1 ||
		len(first.RelatedLocations) != 2 || first.RelatedLocations[1].PhysicalLocation.ArtifactLocation.URI != "b.py" ||
		first.RelatedLocations[0].PhysicalLocation.Region.StartLine != 30 {
		t.Errorf("the rule's result: %+v", first)
	}
	for i, want := range []string{"python/unclosed-file", "model/resource-leak", "model/resource-leak"} {
		if r := run.Results[i]; r.RuleID != want || run.Tool.Driver.Rules[r.RuleIndex].ID != want {
			t.Errorf("result %d: %s, %+v", i, r.RuleID, run.Tool.Driver.Rules)
		}
	}
	rule := run.Tool.Driver.Rules[run.Results[0].RuleIndex]
	if known := knownRules()["python/unclosed-file"]; known.Title == "" || rule.ShortDescription.Text != known.Title ||
		!strings.Contains(rule.Help.Text, known.Suggestion) {
		t.Errorf("the rule: %+v", rule)
	}
}

// A baseline knows places, not groups: it hides what it hid before findings were grouped, and no new place with it.
func TestBaselineKnowsPlaces(t *testing.T) {
	before := runfile.Report{Findings: []finding.Finding{fired(at("1", "a.py", 7)), fired(at("2", "a.py", 30))}}
	grouped := runfile.Report{Findings: []finding.Finding{fired(at("1", "a.py", 7), at("2", "a.py", 30))}}
	now := runfile.Report{Findings: []finding.Finding{fired(at("1", "a.py", 7)), fired(at("2", "a.py", 31)), fired(at("3", "a.py", 50))}}
	again := runfile.Report{Findings: []finding.Finding{fired(at("1", "a.py", 7), at("2", "a.py", 31), at("3", "a.py", 50))}}
	for name, old := range map[string]runfile.Report{"before": before, "grouped": grouped} {
		for which, now := range map[string]runfile.Report{"apart": now, "grouped": again} {
			got := Baseline(old, now)
			if *got.Known != 2 || len(got.Findings) != 1 || got.Findings[0].ID != "3" || len(got.KnownFindings) != 2 {
				t.Errorf("%s, %s: known %d, new %v", name, which, *got.Known, got.Findings)
			}
		}
	}
	if got := Baseline(again, again); *got.Known != 3 || len(got.Findings) != 0 {
		t.Errorf("against itself: %v", got.Findings)
	}
}

func TestReadHoldsPlacesToTheirForm(t *testing.T) {
	raw := `{"schema": 1, "findings": [{"title": "t", "rule": "\u001b[31m", "reader": "root",
		"places": [{"file": "a", "line": -3, "end_line": -9}, {"file": "b"}]},
		{"title": "u", "rule": "go/x", "reader": "rules", "places": [{"file": "a", "line": 1}]}]}`
	r, err := Read(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Findings[0]; f.Rule != "" || f.Reader != runfile.ReaderModel || len(f.Places) != 2 ||
		f.Places[0].Line != 0 || f.Places[0].EndLine != 0 {
		t.Errorf("%+v", f)
	}
	if f := r.Findings[1]; f.Rule != "go/x" || f.Reader != runfile.ReaderRules || f.Places != nil {
		t.Errorf("%+v", f)
	}
}
