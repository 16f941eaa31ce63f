package opinion

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// Weigh makes a verification of a reply. What the finding's own text claims is counted in it, and a check that the reply
// holds is run.
func (o *Opinions) Weigh(ctx context.Context, f finding.Finding, shown []string, raw string) runfile.Verification {
	v, _ := o.Check(ctx, f)
	v = runfile.Verification{Claims: v.Claims, Status: finding.Unverified}
	r, err := parse(raw)
	if err != nil {
		v.Reason = err.Error()
		return v
	}
	o.weigh(ctx, f, r, shown, &v)
	if v.Execution = o.demonstrate(ctx, f, r.Check); v.Execution != nil && v.Status == finding.Refuted {
		v.Status, v.Proof = finding.Unsure, nil
		v.Reason = "the verifier calls it wrong, but its own check shows the defect. It says: " + r.Reason
	}
	return v
}

// weigh says what a reply does to its finding. A verdict counts only when the lines that it quotes stand in code that the
// verifier was shown and have something to do with the finding. For all but by_design at least one of them must be code that
// runs, or of the document that the finding is about: what a comment says is only what its author claims; for by_design, one
// must be documentation. A refutation and a lower severity must rest on more than the finding's own evidence.
func (o *Opinions) weigh(ctx context.Context, f finding.Finding, r reply, shown []string, v *runfile.Verification) {
	if r.Verdict == finding.Unsure {
		v.Status, v.Reason = finding.Unsure, r.Reason
		if len(r.Missing) > 0 {
			v.Reason = strings.TrimPrefix(strings.TrimSuffix(r.Reason, ".")+". ", ". ") + "What decides and was not shown: " +
				strings.TrimSuffix(strings.Join(r.Missing, ", "), ".") + "."
		}
		return
	}
	g, fault := o.quoted(ctx, f, r, shown)
	says := map[string]string{finding.Refuted: "wrong", finding.Stands: "right", finding.Partly: "partly true", finding.ByDesign: "meant so"}
	if fault == "" && r.Verdict == finding.Refuted && echoes(f, g) {
		fault = "quotes nothing but what the finding itself quotes"
	}
	if fault == "" && r.Reason == "" && r.Verdict != finding.Stands {
		fault = "gives no reason"
	}
	if fault != "" {
		v.Status, v.Reason = finding.Unverified, fmt.Sprintf("the verifier calls it %s, but %s", says[r.Verdict], fault)
		if r.Verdict == finding.Refuted {
			v.Status = finding.Unsure // it is a doubt, all the same
		}
		if r.Reason != "" {
			v.Reason += ". It says: " + r.Reason
		}
		return
	}
	v.Status, v.Reason, v.Proof = r.Verdict, r.Reason, &runfile.Proof{File: g.File, Line: g.Line, Quote: g.Evidence}
	switch graded := r.Verdict == finding.Partly || r.Verdict == finding.Stands; {
	case !graded || r.Severity == "" || r.Severity == f.Severity:
	case taxonomy.Rank(r.Severity) < taxonomy.Rank(f.Severity) && !echoes(f, g):
		v.Severity = r.Severity
	default:
		v.Reason = strings.TrimSpace(fmt.Sprintf("%s (It would grade it %s.)", v.Reason, r.Severity))
	}
}

// quoted finds what a reply quotes, or says why it does not count.
func (o *Opinions) quoted(ctx context.Context, f finding.Finding, r reply, shown []string) (g finding.Finding, fault string) {
	if strings.TrimSpace(r.Quote) == "" {
		return g, "quotes no code"
	}
	grounded, _ := finding.Ground(o.code, []finding.Finding{{File: cmp.Or(r.File, f.File), Line: r.Line, EndLine: r.Line,
		Evidence: r.Quote}}, shown)
	if len(grounded) == 0 {
		return g, "what it quotes does not stand in the code"
	}
	g = grounded[0]
	switch {
	case !slices.Contains(shown, g.File):
		return g, "what it quotes stands in a file that it was not shown"
	case r.Verdict == finding.ByDesign && !o.documents(ctx, g):
		return g, "what it quotes is no documentation"
	case r.Verdict != finding.ByDesign && !(g.File == f.File && o.prose(g.File)) && o.base.OnlyComment(ctx, g.File, g.Line, g.EndLine):
		return g, "what it quotes is a comment, and no code that runs"
	case !o.touches(ctx, f, g, r.Verdict == finding.ByDesign):
		return g, "what it quotes has nothing to do with the finding: no line or name in common"
	}
	return g, ""
}

// documents reports a quote with a line of documentation in it: a comment, a docstring, or prose in a file of its own.
func (o *Opinions) documents(ctx context.Context, g finding.Finding) bool {
	if o.prose(g.File) {
		return true
	}
	silent := o.base.Silent(ctx, g.File)
	text, _ := o.code.Text(g.File)
	for n := g.Line; n <= min(g.EndLine, len(silent)); n++ {
		if line, _ := finding.Quote(text, n, n); silent[n-1] && strings.TrimSpace(line) != "" {
			return true
		}
	}
	return false
}

// prose reports a document.
func (o *Opinions) prose(path string) bool {
	info, _ := o.code.File(path)
	return slices.Contains([]string{"markdown", "rst", "asciidoc", "text"}, info.Language)
}

var word = regexp.MustCompile(`[A-Za-z_]\w{2,}`)

// touches reports a quote that has to do with the finding: see [claim.Base.Touches]; or it stands in a definition that the
// finding's text names; or, for documentation, it speaks of the function that the finding is in or of what that line names.
func (o *Opinions) touches(ctx context.Context, f, quote finding.Finding, documentation bool) bool {
	quoted := claim.At{File: quote.File, Line: quote.Line, EndLine: quote.EndLine}
	if slices.ContainsFunc(finding.Places(f), func(p runfile.Place) bool {
		return o.base.Touches(ctx, claim.At{File: p.File, Line: p.Line, EndLine: p.EndLine}, quoted)
	}) {
		return true
	}
	g := o.base.Graph(ctx)
	if s := g.At(quote.File, quote.Line); s != nil && slices.Contains(word.FindAllString(f.Title+" "+f.Explanation, -1), s.Name) {
		return true
	}
	if !documentation {
		return false
	}
	names := word.FindAllString(f.Evidence, -1)
	if s := g.At(f.File, f.Line); s != nil {
		names = append(names, s.Name)
	}
	return slices.ContainsFunc(word.FindAllString(quote.Evidence, -1), func(w string) bool { return slices.Contains(names, w) })
}

// echoes reports a quote that holds only what the finding holds: weak readers refute everything with the line that they
// were handed. Within longer evidence a part may say something of its own.
func echoes(f, quote finding.Finding) bool {
	const short = 3 // lines
	return slices.ContainsFunc(finding.Places(f), func(p runfile.Place) bool {
		within := quote.File == p.File && quote.Line >= p.Line && quote.EndLine <= p.EndLine
		return within && (p.EndLine-p.Line < short || quote.EndLine-quote.Line == p.EndLine-p.Line)
	})
}
