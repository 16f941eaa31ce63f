package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	projectURI  = "https://github.com/deeprepo/deeprepo"
	// maxMessage keeps a log within what code hosts accept for one result.
	maxMessage = 8 << 10
)

// WriteSARIF writes report.sarif, SARIF 2.1.0 as GitHub code scanning takes it: static rules under their own IDs, a model's
// findings under "model/" and their category, further places of a finding as related locations, paths relative to
// %SRCROOT%, fingerprints that do not depend on line numbers, suppressed, refuted and dismissed findings marked as suppressed,
// with the reason. Ungrounded findings are left out. version is deeprepo's own, "" when unknown.
func WriteSARIF(w io.Writer, r runfile.Report, version string) error {
	r = normal(r)
	rules, index := sarifRules(r)
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "deeprepo", Version: version, InformationURI: projectURI, Rules: rules}},
		Invocations: []sarifInvocation{sarifInvoked(r)},
		// GitHub takes what stands before the last slash as the category under which a run replaces the one before it.
		AutomationDetails:  sarifAutomation{ID: "deeprepo/" + termtext.Inline(r.Run.ID)},
		OriginalURIBaseIDs: map[string]sarifArtifact{"%SRCROOT%": {Description: &sarifText{Text: "the root of the repository"}}},
		ColumnKind:         "utf16CodeUnits",
		Results:            []sarifResult{},
		Properties:         map[string]any{"root": r.Run.Root, "worker": r.Run.Worker, "coverage": r.Coverage.Fraction},
	}
	if r.Repo.Commit != "" {
		run.Properties["revision"] = r.Repo.Commit
	}
	for _, f := range r.Findings {
		result := sarifResultOf(f, index, nil)
		switch {
		case f.Status == runfile.PreExisting:
			result.BaselineState = "unchanged"
		case r.Known != nil || f.Status == runfile.New:
			result.BaselineState = "new"
		}
		run.Results = append(run.Results, result)
	}
	for _, f := range r.KnownFindings {
		result := sarifResultOf(f, index, nil)
		result.BaselineState = "unchanged" // a code host closes what a log leaves out
		run.Results = append(run.Results, result)
	}
	for _, f := range r.Fixed {
		result := sarifResultOf(f, index, nil)
		result.BaselineState = "absent"
		run.Results = append(run.Results, result)
	}
	for _, s := range r.Suppressed {
		kind := "inSource"
		if s.By != "comment" {
			kind = "external"
		}
		status := "accepted"
		if s.ByChange {
			status = "underReview"
		}
		run.Results = append(run.Results, sarifResultOf(s.Finding, index,
			[]sarifSuppression{{Kind: kind, Status: status, Justification: termtext.Visible(s.Reason)}}))
	}
	for _, d := range r.Dismissed {
		why := "dismissed by " + orUnknown(d.By) + ": " + orUnknown(d.Reason)
		run.Results = append(run.Results, sarifResultOf(d.Finding, index,
			[]sarifSuppression{{Kind: "external", Status: "accepted", Justification: termtext.Visible(clip(why, maxMessage))}}))
	}
	for _, f := range r.Refuted {
		// Section 3.35.3 of the standard: a suppression that is kept outside of the source, accepted, with its justification.
		why := "refuted by " + refuter(f) + ": " + orUnknown(f.Why)
		if f.Proof != nil {
			why += " (" + proofPlace(f.Proof) + ")"
		}
		run.Results = append(run.Results, sarifResultOf(f.Finding, index,
			[]sarifSuppression{{Kind: "external", Status: "accepted", Justification: termtext.Visible(clip(why, maxMessage))}}))
	}
	if err := jsonfile.Write(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}); err != nil {
		return fmt.Errorf("write report.sarif: %w", err)
	}
	return nil
}

func sarifInvoked(r runfile.Report) sarifInvocation {
	inv := sarifInvocation{ExecutionSuccessful: r.Run.Status == trace.StatusCompleted}
	if !r.Run.StartedAt.IsZero() {
		start := r.Run.StartedAt.UTC()
		inv.StartTimeUTC = start.Format(time.RFC3339)
		inv.EndTimeUTC = start.Add(time.Duration(r.Run.DurationS * float64(time.Second))).Format(time.RFC3339)
	}
	if r.Run.Status != trace.StatusCompleted {
		inv.Notifications = []sarifNotification{{Level: "warning", Message: sarifText{Text: StatusSentence(r.Run)}}}
	}
	for _, s := range r.Run.Shortfalls {
		inv.Notifications = append(inv.Notifications, sarifNotification{Level: "warning", Message: sarifText{Text: s.Text},
			Properties: map[string]any{"code": s.Code, "count": s.Count, "lines": s.Lines}})
	}
	return inv
}

func sarifResultOf(f finding.Finding, index map[string]int, suppressions []sarifSuppression) sarifResult {
	text := termtext.Inline(f.Title) + "."
	if f.Explanation != "" {
		text += "\n\n" + termtext.Visible(f.Explanation)
	}
	if f.Suggestion != "" {
		text += "\n\nSuggestion: " + termtext.Visible(f.Suggestion)
	}
	res := sarifResult{
		RuleID: ruleID(f), RuleIndex: index[ruleID(f)], Level: levelOf(taxonomy.Rank(f.Severity)),
		Message:             sarifText{Text: plainMessage(clip(text, maxMessage))},
		Locations:           []sarifLocation{sarifLocated(f.File, f.Line, f.EndLine)},
		PartialFingerprints: map[string]string{"deeprepo/v1": f.ID},
		Suppressions:        suppressions,
		Fixes:               fixesOf(f),
		Rank:                min(100, max(0, f.Confidence*100)),
		Properties:          map[string]any{"severity": f.Severity, "category": f.Category, "confidence": f.Confidence},
	}
	res.Locations[0].PhysicalLocation.Region.Snippet = &sarifText{Text: f.Evidence}
	named := map[sarifPlace]bool{sarifLocated(f.File, f.Line, f.EndLine).PhysicalLocation: true}
	for _, p := range finding.Places(f)[1:] {
		at := sarifLocated(p.File, p.Line, p.EndLine)
		if named[at.PhysicalLocation] || len(named) > maxSARIFPlaces {
			continue
		}
		at.ID, at.Message = len(named), &sarifText{Text: "The same cause, here."}
		named[at.PhysicalLocation] = true
		res.RelatedLocations = append(res.RelatedLocations, at)
	}
	if f.CWE != "" {
		res.Properties["cwe"] = f.CWE
	}
	if f.Reader != "" {
		res.Properties["reader"] = f.Reader
	}
	if len(f.Path) > 0 {
		var flow sarifThreadFlow
		for _, step := range f.Path[:min(len(f.Path), maxSARIFPlaces)] {
			at := sarifLocated(step.File, step.Line, step.Line)
			at.Message = &sarifText{Text: plainMessage(termtext.Inline(clip(step.Text, maxName)))}
			one := sarifFlowLocation{Location: at}
			if kind := stepKind(step); kind != "step" {
				one.Kinds = []string{map[string]string{"source": "taint", "sink": "danger"}[kind]}
			}
			flow.Locations = append(flow.Locations, one)
		}
		res.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{flow}}}
	}
	if in := f.Introduced; in != nil {
		res.Properties["introduced"] = in
	}
	if v := f.Verification; v != nil {
		res.Properties["verification"] = v.Status
	}
	if f.Fingerprint != "" { // without the path, for who follows renamed files
		res.PartialFingerprints["deeprepoCode/v1"] = f.Fingerprint
	}
	if f.ID != "" {
		res.PartialFingerprints["primaryLocationLineHash"] = f.ID + ":1"
	}
	return res
}

// maxSARIFPlaces is up to how many places, and steps of a path, one result names.
const maxSARIFPlaces = 200

func sarifLocated(file string, line, end int) sarifLocation {
	return sarifLocation{PhysicalLocation: sarifPlace{
		ArtifactLocation: sarifArtifact{URI: relativeURI(file), URIBaseID: "%SRCROOT%"},
		Region:           sarifRegion{StartLine: max(1, line), EndLine: max(1, line, end)},
	}}
}

// pascal is the rule's ID in the form that the standard asks of names.
func pascal(id string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(id, func(r rune) bool { return r == '-' || r == '/' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

func levelOf(rank int) string {
	switch {
	case rank >= 4:
		return "error"
	case rank == 3:
		return "warning"
	}
	return "note"
}

// securitySeverity is a score within the band that GitHub gives each word: critical above 9.0, high from 7.0, medium from
// 4.0, low below.
func securitySeverity(rank int) string {
	return [...]string{"0.0", "1.0", "2.5", "5.5", "8.0", "9.5"}[min(5, max(0, rank))]
}

func precisionOf(confidence float64) string {
	switch {
	case confidence >= 0.9:
		return "very-high"
	case confidence >= 0.7:
		return "high"
	case confidence >= 0.4:
		return "medium"
	}
	return "low"
}

// plainMessage keeps a message plain: "[text](target)" in one is a link by section 3.11.6 of the standard, unless its
// brackets are escaped.
func plainMessage(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`).Replace(s)
}

// relativeURI percent-encodes a path by RFC 3986; a colon too, or the first segment would read as a scheme.
func relativeURI(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return strings.TrimLeft(b.String(), "/")
}
