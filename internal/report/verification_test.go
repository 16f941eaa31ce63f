package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
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

func TestWordsOfASecondLook(t *testing.T) {
	was := 0.9
	proof := &runfile.Proof{File: "a.py", Line: 3, Quote: "x = 1"}
	tests := []struct {
		v        runfile.Verification
		regraded *runfile.Regraded
		want     string
		first    string // why it comes where it comes
	}{
		{runfile.Verification{Status: finding.Stands, Reason: "It holds.", Proof: proof}, nil, "Stands, decided by a.py:3: It holds.",
			"a verifier found that it stands"},
		{runfile.Verification{Status: finding.Partly, Reason: "Less.", Proof: proof, Severity: "low"}, &runfile.Regraded{From: "high"},
			"Partly true (severity was high), decided by a.py:3: Less.", "a verifier found that it is partly true"},
		{runfile.Verification{Status: finding.Stands, Reason: "Less.", Severity: "low"}, &runfile.Regraded{From: "high"},
			"Stands (severity was high): Less.", "a verifier found that it stands"},
		{runfile.Verification{Status: finding.Partly, Severity: "info"}, &runfile.Regraded{From: "high", By: "root"}, "Partly true",
			"a verifier found that it is partly true"},
		{runfile.Verification{Status: finding.ByDesign, Reason: "So it is meant.", Claimed: &was, Proof: proof}, nil,
			"Documented as meant (confidence was 90%), decided by a.py:3: So it is meant.", "documented as meant"},
		{runfile.Verification{Status: finding.Unsure, Claimed: &was}, nil, "Doubted (confidence was 90%)", "a verifier doubts it"},
		{runfile.Verification{Status: finding.Unverified, Reason: "No money"}, nil, "Not verified: No money.", "confidence"},
	}
	for _, tt := range tests {
		f := finding.Finding{Severity: "low", Verification: normalSecond(&tt.v), Regraded: tt.regraded}
		if got := verified(f); got != tt.want {
			t.Errorf("%s: %q", tt.v.Status, got)
		}
		if got := whyFirst(f, codebase.Production, 0); !strings.Contains(got, tt.first) {
			t.Errorf("%s: %q", tt.v.Status, got)
		}
	}
	sum := secondLook(&runfile.SecondLook{Verifier: "m", Stands: 2, Partly: 1, ByDesign: 3, Unsure: 1})
	if want := "m tried to refute each finding: 2 stand, 1 partly true, 3 documented as meant, 1 doubted without proof."; sum != want {
		t.Errorf("%q", sum)
	}
}
