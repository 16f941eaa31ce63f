package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

func TestVerifiedGolden(t *testing.T) {
	runtest.Golden(t, "verified.md", markdownOf(t, verifiedSample()))
	runtest.Golden(t, "verified.txt", textOf(t, verifiedSample(), Style{Width: 80}))
	runtest.Golden(t, "verified.sarif", sarifOf(t, verifiedSample()))
}

// A refuted finding stands in the log as suppressed, with who refuted it and how, and fails nothing.
func TestRefutedFindingsAreSuppressedInSARIF(t *testing.T) {
	var log struct {
		Runs []struct {
			Results []struct {
				Message      struct{ Text string }
				Suppressions []struct{ Kind, Status, Justification string }
			}
		}
	}
	d := verifiedSample()
	if err := json.Unmarshal(sarifOf(t, d), &log); err != nil {
		t.Fatal(err)
	}
	results := log.Runs[0].Results
	last := results[len(results)-1]
	if !strings.HasPrefix(last.Message.Text, "Unused import sqlite3") || len(last.Suppressions) != 1 {
		t.Fatalf("the last result is %+v", last)
	}
	s := last.Suppressions[0]
	if s.Kind != "external" || s.Status != "accepted" ||
		s.Justification != "refuted by a check of its own claim: cur is used at app/db.py:5 (app/db.py:6)" {
		t.Errorf("%+v", s)
	}
	d.Report.Findings = nil
	d.Report.Refuted[0].Severity = "critical"
	if FailOn(d.Report, "info", true) {
		t.Error("a refuted finding fails the build")
	}
}

// What is read back is what was written; words outside of the vocabulary become "unverified", never a verdict.
func TestVerificationIsReadBack(t *testing.T) {
	want := jsonOf(t, verifiedSample())
	r, err := Read(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := WriteJSON(&again, r); err != nil || again.String() != string(want) {
		t.Errorf("%v: it does not read back", err)
	}
	r.Findings[0].Verification.Status = "proven"
	if got := normal(r).Findings[0].Verification.Status; got != finding.Unverified {
		t.Errorf("status %q", got)
	}
	if plain := jsonOf(t, sample()); bytes.Contains(plain, []byte(`"refuted"`)) || bytes.Contains(plain, []byte(`"verification"`)) {
		t.Error("a report without a second look speaks of one")
	}
	empty := sample()
	empty.Report.Verification = &runfile.SecondLook{Verifier: "m"}
	if data := jsonOf(t, empty); !bytes.Contains(data, []byte(`"refuted": []`)) || !bytes.Contains(data, []byte(`"contradicted": []`)) {
		t.Error("empty lists are not written as []")
	}
}

// A result has one location; the other places of its defect are related ones, each once, and the way of a value is a code flow.
func TestPlacesAndWaysInSARIF(t *testing.T) {
	d := verifiedSample()
	own := d.Report.Findings[1].Places[0]
	d.Report.Findings[1].Places = append(d.Report.Findings[1].Places, own, d.Report.Findings[1].Places[1])
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID           string
				Locations        []sarifLocation
				RelatedLocations []sarifLocation
				CodeFlows        []sarifCodeFlow
			}
		}
	}
	if err := json.Unmarshal(sarifOf(t, d), &log); err != nil {
		t.Fatal(err)
	}
	first, second := log.Runs[0].Results[0], log.Runs[0].Results[1]
	if second.RuleID != "javascript/inner-html" || len(second.Locations) != 1 || len(second.RelatedLocations) != 1 ||
		second.RelatedLocations[0].PhysicalLocation.ArtifactLocation.URI != "cmd/main.go" || second.CodeFlows != nil {
		t.Errorf("%+v", second)
	}
	way := first.CodeFlows[0].ThreadFlows[0].Locations
	if len(way) != 2 || way[0].Location.PhysicalLocation.Region.StartLine != 4 || way[1].Kinds[0] != "danger" ||
		first.RelatedLocations != nil {
		t.Errorf("%+v", way)
	}
}
