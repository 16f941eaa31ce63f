package opinion

import (
	"context"
	_ "embed" // the verifier's instructions
	"fmt"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

//go:embed verify.md
var instructions string

// Opinions are second opinions on findings in one codebase. They satisfy rlm.Opinion and are safe for concurrent use.
type Opinions struct {
	code     *codebase.Codebase
	base     *claim.Base
	programs Programs
}

var _ rlm.Opinion = (*Opinions)(nil)

// New makes opinions on findings in the codebase of the base. programs runs verifiers' checks; nil asks for none.
func New(code *codebase.Codebase, base *claim.Base, programs Programs) *Opinions {
	return &Opinions{code: code, base: base, programs: programs}
}

// replyTokens bounds a verifier's reply.
const replyTokens = 2048

// Question is the request for an opinion, and the files whose code it shows.
func (o *Opinions) Question(ctx context.Context, h llm.Handle, f finding.Finding) (request llm.Request, shown []string) {
	request, e := o.question(ctx, h, f, nil)
	return request, e.files
}

// question is the request for an opinion, and the evidence that it shows. missing is code that a verifier lacked before.
func (o *Opinions) question(ctx context.Context, h llm.Handle, f finding.Finding, missing []stretch) (llm.Request, *evidence) {
	prompt, e := o.prompt(ctx, f, rlm.PromptChars(h), missing)
	check := false
	if o.programs != nil {
		if d, _, ok := o.base.Contained(ctx, f.File, f.Line); ok {
			prompt, check = prompt+fmt.Sprintf(checkRequest, d.Name, d.Name), true
		}
	}
	cold := 0.0
	tokens := replyTokens
	if h.Context > 0 {
		tokens = min(tokens, h.Context/4)
	}
	return llm.Request{System: instructions, Messages: []llm.Message{{Role: llm.RoleUser, Content: prompt}}, MaxTokens: tokens,
		Temperature: &cold, Schema: schema(check)}, e
}

// Check compares what a finding's own text claims with the code, without a model. decided says that a claim in its title is
// contradicted: then the finding is about something that is not so, and nobody has to be asked.
func (o *Opinions) Check(ctx context.Context, f finding.Finding) (v runfile.Verification, decided bool) {
	at := claim.At{File: f.File, Line: f.Line, EndLine: f.EndLine}
	var tally runfile.ClaimTally
	for _, part := range []struct {
		text string
		core bool
	}{{f.Title, true}, {f.Explanation, f.Category == "dead-code"}} {
		for _, c := range claim.Extract(part.text) {
			res := o.base.Check(ctx, c, at)
			res.Count(&tally)
			if res.Status == claim.Contradicted && part.core && c.Defect() && res.Proof != nil && !decided {
				decided = true
				v.Status, v.By, v.Reason, v.Proof = finding.Refuted, finding.ByCheck, res.Why, res.Proof
			}
		}
	}
	if tally != (runfile.ClaimTally{}) {
		v.Claims = &tally
	}
	return v, decided
}

// Decided reports a finding on which there is a verdict of a model or of the code already.
func Decided(f finding.Finding) bool {
	return f.Verification != nil && f.Verification.Status != finding.Unverified && f.Verification.Status != ""
}

// Settle gives a finding what its verification says of it: a lower confidence where it was doubted or is meant so, a lower
// severity where it was overstated. Its place and its text stay. A grade that the root gave it stays, too.
func Settle(f finding.Finding) finding.Finding {
	if f.Verification == nil {
		return f
	}
	v := *f.Verification
	switch v.Status {
	case finding.Unsure, finding.ByDesign:
		if f.Confidence > finding.UnsureConfidence {
			claimed := f.Confidence
			v.Claimed, f.Confidence = &claimed, finding.UnsureConfidence
		}
	case finding.Stands, finding.Partly:
		if v.Severity != "" && f.Regraded == nil {
			f.Regraded = &runfile.Regraded{From: f.Severity, Reason: v.Reason, By: v.By}
			f.Severity = v.Severity
		}
	case finding.Refuted:
		f.Why = v.Reason
	}
	f.Verification = &v
	return f
}
