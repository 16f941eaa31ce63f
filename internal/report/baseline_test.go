package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

func TestBaseline(t *testing.T) {
	f := func(id, file, category, title string) finding.Finding {
		return finding.Finding{ID: id, File: file, Category: category, Title: title, Severity: "high"}
	}
	old := runfile.Report{
		Findings: []finding.Finding{f("1", "a.py", "auth", "No login check on delete"), f("2", "a.py", "xss", "Unescaped name"),
			f("3", "b.py", "logic", "Loop never ends")},
		Suppressed: []runfile.Suppressed{{Finding: f("9", "c.py", "secrets", "Key in code")}},
	}
	now := runfile.Report{Findings: []finding.Finding{
		f("1", "a.py", "auth", "Anything"),                      // same ID
		f("22", "a.py", "xss", "Unescaped name in page"),        // quote changed, title alike
		f("23", "a.py", "xss", "Unescaped name"),                // a second one of that kind: one old finding covers one
		f("33", "b.py", "concurrency", "Loop never ends"),       // other category
		f("34", "moved.py", "logic", "Loop never ends"),         // other file
		f("9", "c.py", "secrets", "Key in code"),                // suppressed then
		f("40", "c.py", "secrets", "Password of the mail host"), // new
	}}
	got := Baseline(old, now)
	var ids []string
	for _, f := range got.Findings {
		ids = append(ids, f.ID)
	}
	if s := strings.Join(ids, " "); s != "23 33 34 40" {
		t.Errorf("new: %s", s)
	}
	if got.Known == nil || *got.Known != 3 {
		t.Errorf("known: %v", got.Known)
	}
	if len(now.Findings) != 7 {
		t.Error("the report passed in was changed")
	}
	if same := Baseline(now, now); len(same.Findings) != 0 || *same.Known != 7 {
		t.Errorf("against itself: %v", same.Findings)
	}
	if first := Baseline(runfile.Report{}, now); len(first.Findings) != 7 || *first.Known != 0 {
		t.Errorf("against nothing: %v", first.Findings)
	}
}

func TestFailOn(t *testing.T) {
	r := runfile.Report{Findings: []finding.Finding{{Severity: "low"}, {Severity: "high"}},
		Ungrounded: []finding.Finding{{Severity: "critical"}}}
	for severity, want := range map[string]bool{"critical": false, "high": true, "medium": true, "info": true, "": false, "none": false} {
		if got := FailOn(r, severity, false); got != want {
			t.Errorf("FailOn(%q) = %v", severity, got)
		}
	}
	by := func(who string) runfile.Report {
		return runfile.Report{Refuted: []runfile.Refuted{{Finding: finding.Finding{Severity: "high",
			Verification: &runfile.Verification{Status: finding.Refuted, By: who}}}}}
	}
	if !FailOn(by("some/model"), "high", false) || FailOn(by("some/model"), "high", true) || FailOn(by(finding.ByCheck), "high", false) {
		t.Error("a model's refutation counts only when it is trusted; the code's own always")
	}
	high := finding.Finding{Severity: "high"}
	low := finding.Finding{Severity: "low", Regraded: &runfile.Regraded{From: "high", By: "some/root"}}
	for what, r := range map[string]runfile.Report{"dismissed": {Dismissed: []runfile.Dismissed{{Finding: high, By: "some/root"}}},
		"graded lower": {Findings: []finding.Finding{low}}} {
		if !FailOn(r, "high", false) || FailOn(r, "high", true) {
			t.Errorf("a finding that a root %s counts, unless models are trusted", what)
		}
	}
}

func TestReadFaults(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "not JSON",
		"{":                           "not JSON",
		"[]":                          "should be",
		"{}":                          `no "schema"`,
		`{"schema":2}`:                "its schema is 2",
		`{"schema":1,"turns":"many"}`: `"turns" should be a int`,
		`{"schema":1} {"schema":1}`:   "not JSON",
	} {
		_, err := Read(strings.NewReader(in))
		var re *ReadError
		if !errors.As(err, &re) || !strings.Contains(err.Error(), want) || re.Hint() == "" {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
	if _, err := Read(io.MultiReader(strings.NewReader(`{"schema":1,"analysis":"`), io.LimitReader(zeros{}, MaxReportBytes))); err == nil ||
		!strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("%v", err)
	}
}

// TestReadHoldsFingerprints: what is none does not reach a triage file or a code host.
func TestReadHoldsFingerprints(t *testing.T) {
	r, err := Read(strings.NewReader(`{"schema":1,"findings":[{"fingerprint":"0123456789abcdef"},{"fingerprint":"../x"},` +
		`{"fingerprint":"0123456789ABCDEF"},{"places":[{"fingerprint":"0123456789abcdef"},{"fingerprint":"\u001b"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{r.Findings[0].Fingerprint, r.Findings[1].Fingerprint, r.Findings[2].Fingerprint,
		r.Findings[3].Places[0].Fingerprint, r.Findings[3].Places[1].Fingerprint}
	if want := []string{"0123456789abcdef", "", "", "0123456789abcdef", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := WriteJSON(&b, sample().Report); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"schema":1,"findings":[{"severity":"x","line":-9,"sources":null}],"suppressed":[{}],"known":-1}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		r, err := Read(bytes.NewReader(in))
		if err != nil {
			return
		}
		for _, f := range r.Findings {
			if taxonomy.Rank(f.Severity) == 0 || f.Line < 0 {
				t.Fatalf("not normal: %+v", f)
			}
		}
		_ = Baseline(r, r)
		if err := Text(io.Discard, r, Style{}); err != nil {
			t.Fatal(err)
		}
	})
}

// A code host closes what a log leaves out: with a baseline, what was known stands in SARIF all the same.
func TestSARIFKeepsWhatTheBaselineKnows(t *testing.T) {
	f := func(id, title string) finding.Finding {
		return finding.Finding{ID: id, Title: title, Severity: "high", Category: "logic", File: "a.py", Line: 1, Evidence: "x"}
	}
	old := runfile.Report{Findings: []finding.Finding{f("1", "an old one")}}
	now := Baseline(old, runfile.Report{Schema: Schema, Findings: []finding.Finding{f("1", "an old one"), f("2", "another matter")}})
	var b bytes.Buffer
	if err := WriteSARIF(&b, now, ""); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				BaselineState       string            `json:"baselineState"`
				PartialFingerprints map[string]string `json:"partialFingerprints"`
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range log.Runs[0].Results {
		got[r.PartialFingerprints["deeprepo/v1"]] = r.BaselineState
	}
	if want := map[string]string{"1": "unchanged", "2": "new"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
