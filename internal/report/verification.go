package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// maxContradicted is how many sentences a report lists.
const maxContradicted = 50

func normalVerification(r *runfile.Report) {
	if r.Refuted != nil {
		refuted := make([]runfile.Refuted, len(r.Refuted))
		for i, f := range r.Refuted {
			f.Finding = normalFinding(f.Finding)
			refuted[i] = f
		}
		r.Refuted = refuted
	}
	if r.Verification == nil {
		return
	}
	v := *r.Verification
	v.Verifier = clip(v.Verifier, maxName)
	if v.Contradicted == nil {
		v.Contradicted = []runfile.Contradicted{}
	}
	r.Verification = &v
	if r.Refuted == nil {
		r.Refuted = []runfile.Refuted{}
	}
}

// normalSecond holds the words of a second look to their vocabulary.
func normalSecond(v *runfile.Verification) *runfile.Verification {
	if v == nil {
		return nil
	}
	n := *v
	switch n.Status {
	case finding.Stands, finding.Partly, finding.ByDesign, finding.Unsure, finding.Refuted:
	default:
		n.Status = finding.Unverified
	}
	n.By, n.Source, n.Severity = clip(n.By, maxName), clip(n.Source, maxName), clip(n.Severity, maxName)
	if n.Proof != nil {
		n.Proof = &runfile.Proof{File: n.Proof.File, Line: n.Proof.Line, Quote: clip(n.Proof.Quote, maxMessage)}
	}
	return &n
}

// secondLook says in one sentence what the verification came to.
func secondLook(v *runfile.SecondLook) string {
	by := cmp.Or(termtext.Inline(v.Verifier), "a second reader")
	parts := []string{fmt.Sprintf("%s tried to refute each finding: %s", by, plural(v.Stands, "stands", "stand"))}
	if v.Stands+v.Partly+v.ByDesign+v.Unsure+v.Refuted == 0 && v.Unverified > 0 {
		parts = []string{fmt.Sprintf("The findings were not verified (%s)", count(v.Unverified))}
	} else {
		for _, p := range []struct {
			n    int
			word string
		}{{v.Partly, "partly true"}, {v.ByDesign, "documented as meant"}, {v.Unsure, "doubted without proof"}, {v.Refuted, "refuted"},
			{v.Unverified, "not verified"}} {
			if p.n > 0 {
				parts = append(parts, count(p.n)+" "+p.word)
			}
		}
	}
	return strings.Join(parts, ", ") + "."
}

// claimsSentence says what of the document could be checked, "" when nothing could.
func claimsSentence(v *runfile.SecondLook) string {
	checked := v.Claims.Supported + v.Claims.Contradicted
	if checked == 0 {
		return ""
	}
	return fmt.Sprintf("%s of the analysis checked against the code: %s supported, %s contradicted.", plural(checked, "claim", "claims"),
		count(v.Claims.Supported), count(v.Claims.Contradicted))
}

// verified says about one finding what its second look came to, "" where there was none.
func verified(f finding.Finding) string {
	v := f.Verification
	if v == nil {
		return ""
	}
	reason := ""
	if v.Reason != "" {
		reason = ": " + strings.TrimSuffix(termtext.Inline(clip(v.Reason, 1500)), ".") + "."
	}
	was := ""
	if f.Regraded != nil && v.Severity == f.Severity {
		was = fmt.Sprintf(" (severity was %s)", termtext.Inline(clip(f.Regraded.From, maxName)))
	}
	switch v.Status {
	case finding.Stands:
		return "Stands" + was + decides(v) + reason
	case finding.Partly:
		return "Partly true" + was + decides(v) + reason
	case finding.ByDesign:
		return "Documented as meant" + wasClaimed(v) + decides(v) + reason
	case finding.Unsure:
		return "Doubted" + wasClaimed(v) + reason
	case finding.Refuted:
		return "Refuted" + reason
	}
	return "Not verified" + reason
}

func wasClaimed(v *runfile.Verification) string {
	if v.Claimed == nil {
		return ""
	}
	return fmt.Sprintf(" (confidence was %s)", confidence(*v.Claimed))
}

// decides names the place that a verdict rests on.
func decides(v *runfile.Verification) string {
	if v.Proof == nil {
		return ""
	}
	return ", decided by " + termtext.Inline(clip(proofPlace(v.Proof), maxName))
}

// workers names the models that the workers' usage is made of.
func workers(r runfile.Report) string {
	if r.Verification == nil || r.Verification.Verifier == "" || r.Verification.Verifier == r.Run.Worker {
		return r.Run.Worker
	}
	return r.Run.Worker + " and " + r.Verification.Verifier
}

// verification says what the second look at a finding came to.
func (m *markdownWriter) verification(f finding.Finding) {
	if text := verified(f); text != "" {
		m.line("**Second look.** %s\n", escaped(text))
		if x := f.Verification.Execution; x != nil {
			m.line("%s\n\n%s\n", escaped(executed(x)), fenced(x.Check, "python"))
		}
	}
}

// refuted lists what the code proves wrong, with the code.
func (m *markdownWriter) refuted() {
	fs := m.r.Refuted
	if len(fs) == 0 {
		return
	}
	m.line("## Refuted\n")
	m.line("%s, and %s not counted above. Each proof is quoted from the codebase; whether it settles the matter is for you to judge.\n",
		plural(len(fs), "finding was refuted", "findings were refuted"), map[bool]string{true: "is", false: "are"}[len(fs) == 1])
	m.line("<details><summary>Show</summary>\n")
	for _, f := range fs[:min(len(fs), maxUngrounded)] {
		m.line("**%s** (%s at %s, by %s). %s\n", escaped(f.Title), f.Severity, codeSpan(place(f.Finding)), escaped(refuter(f)),
			escaped(orUnknown(f.Why)))
		if f.Proof != nil {
			m.line("%s:\n\n%s\n", codeSpan(proofPlace(f.Proof)), fenced(clip(f.Proof.Quote, maxProof), fenceLanguage(f.Proof.File)))
		}
	}
	m.more("And %s more, in report.json.\n", len(fs)-maxUngrounded)
	m.line("</details>\n")
}

// maxProof is how much of a proof people are shown.
const maxProof = 2 << 10

func proofPlace(p *runfile.Proof) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// refuter says who refuted.
func refuter(f runfile.Refuted) string {
	switch {
	case f.Verification == nil || f.Verification.By == "":
		return "nobody named"
	case f.Verification.By == finding.ByCheck:
		return "a check of its own claim"
	}
	return f.Verification.By
}

// executed says what was run.
func executed(x *runfile.Execution) string {
	return fmt.Sprintf("Demonstrated by execution: the verifier's check below passes with %s as it stands at %s:%d, and fails with a "+
		"stand-in that does nothing.",
		termtext.Inline(x.Function), termtext.Inline(x.File), x.Line)
}

// claims says what of the analysis was checked against the code.
func (m *markdownWriter) claims() {
	v := m.r.Verification
	if v == nil || claimsSentence(v) == "" {
		return
	}
	m.line("*%s*\n", claimsSentence(v))
	for _, c := range v.Contradicted[:min(len(v.Contradicted), maxContradicted)] {
		m.line("- \"%s\": %s", escaped(clip(c.Sentence, 400)), escaped(contradiction(c)))
	}
	m.more("- and %s more", len(v.Contradicted)-maxContradicted)
	if len(v.Contradicted) > 0 {
		m.line("")
	}
}

// contradiction says what is wrong with a sentence, and where that stands.
func contradiction(c runfile.Contradicted) string {
	if c.Proof == nil || strings.Contains(c.Why, proofPlace(c.Proof)) {
		return c.Why + "."
	}
	return c.Why + " (" + proofPlace(c.Proof) + ")."
}
