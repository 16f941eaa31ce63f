package review

import (
	"context"
	"fmt"
	"sync"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// verifyNode is the stage's name in the trace. Its keys are the findings' own IDs, which no order changes.
const verifyNode = "verify"

// verifierTokens bounds a verifier's reply.
const verifierTokens = 2048

// second is the stage that looks at a review's findings again: each is checked against what its own text claims, and
// given to another worker to refute.
type second struct {
	code     *codebase.Codebase
	base     *claim.Base
	models   *llm.Opener
	verifier string
	cfg      rlm.Config // of the run: trace, past, budget, redaction, limits
	env      Env
}

// verify gives every finding of the report's main list its Verification, moves the refuted ones apart, and checks the
// root's document. Its calls are added to res. The error is for a journal that cannot be written; the report is whole
// then, too, and says what was not verified.
func (s *second) verify(ctx context.Context, r *runfile.Report, res *rlm.Result) error {
	h, err := s.models.Worker(s.verifier, s.cfg.Budget)
	if err != nil {
		return err
	}
	sum := &runfile.SecondLook{Verifier: h.Name}
	r.Verification = sum
	sum.Claims, sum.Contradicted = s.document(ctx, r.Analysis)

	found := make([]looked, len(r.Findings))
	var questions []rlm.Question
	var of []int // which finding a question is about
	for i, f := range r.Findings {
		found[i] = s.claims(ctx, f)
		switch {
		case found[i].proof != nil:
		case h.Scripted:
			found[i].v.Status, found[i].v.Reason = finding.Unverified, h.Name+" is no language model and cannot judge a finding"
		default:
			q, shown := s.question(ctx, h, f)
			found[i].shown = shown
			questions, of = append(questions, q), append(of, i)
		}
	}
	if h.Scripted && len(r.Findings) > 0 {
		s.env.Say("--verify: " + h.Name +
			" cannot judge findings; only what their texts claim was checked (--verifier MODEL names a language model)")
	}
	var faults error
	if len(questions) > 0 {
		asked, err := s.ask(ctx, questions, res, func(i int, d trace.Dispatch) {
			k := of[i]
			found[k] = s.answered(ctx, r.Findings[k], found[k], questions[i].Key, d)
		})
		res.Add(asked)
		faults = err
	}
	kept, refuted := []finding.Finding{}, []runfile.Refuted{}
	for i, f := range r.Findings {
		v := found[i].v
		f.Verification = &v
		switch v.Status {
		case finding.Refuted:
			sum.Refuted++
			f.Why = v.Reason
			refuted = append(refuted, runfile.Refuted{Finding: f, Proof: found[i].proof})
			continue
		case finding.Stands:
			sum.Stands++
		case finding.Unsure:
			sum.Unsure++
			if f.Confidence > finding.UnsureConfidence {
				v.Claimed = &r.Findings[i].Confidence
				f.Confidence = finding.UnsureConfidence
			}
		default:
			sum.Unverified++
		}
		kept = append(kept, f)
	}
	r.Findings, r.Refuted = kept, refuted
	if len(questions) > 0 && faults == nil {
		faults = s.cfg.Trace.AppendDurable(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: res.Status, StopReason: res.StopReason}})
	}
	return faults
}

// looked is a finding's second look, as far as it has come.
type looked struct {
	v     runfile.Verification
	proof *runfile.Proof // of a refutation
	shown []string       // files that the verifier saw
}

// claims checks what a finding's own text claims. A claim in its title that the code contradicts refutes it, without any
// model: then the finding is about something that is not so.
func (s *second) claims(ctx context.Context, f finding.Finding) looked {
	var l looked
	at := claim.At{File: f.File, Line: f.Line, EndLine: f.EndLine}
	var tally runfile.ClaimTally
	for _, part := range []struct {
		text string
		core bool
	}{{f.Title, true}, {f.Explanation, f.Category == "dead-code"}} {
		for _, c := range claim.Extract(part.text) {
			res := s.base.Check(ctx, c, at)
			count(&tally, res.Status)
			if res.Status == claim.Contradicted && part.core && c.Defect() && res.Proof != nil && l.proof == nil {
				l.proof = res.Proof
				l.v.Status, l.v.By, l.v.Reason = finding.Refuted, finding.ByCheck, res.Why
			}
		}
	}
	if tally != (runfile.ClaimTally{}) {
		l.v.Claims = &tally
	}
	return l
}

func count(t *runfile.ClaimTally, s claim.Status) {
	switch s {
	case claim.Supported:
		t.Supported++
	case claim.Contradicted:
		t.Contradicted++
	default:
		t.NotCheckable++
	}
}

// document checks the claims of the root's document.
func (s *second) document(ctx context.Context, text string) (runfile.ClaimTally, []runfile.Contradicted) {
	var tally runfile.ClaimTally
	var wrong []runfile.Contradicted
	for _, c := range claim.Extract(text) {
		res := s.base.Check(ctx, c, claim.At{})
		count(&tally, res.Status)
		if res.Status == claim.Contradicted {
			wrong = append(wrong, runfile.Contradicted{Sentence: c.Sentence, Why: res.Why, Proof: res.Proof})
		}
	}
	return tally, wrong
}

// question is the verifier's prompt for one finding.
func (s *second) question(ctx context.Context, h llm.Handle, f finding.Finding) (rlm.Question, []string) {
	prompt, shown := verifierPrompt(ctx, s.code, s.base, f, rlm.PromptChars(h))
	check := false
	if s.env.Programs != nil {
		if d, _, ok := s.base.Contained(ctx, f.File, f.Line); ok {
			prompt, check = prompt+fmt.Sprintf(checkRequest, d.Name, d.Name), true
		}
	}
	cold := 0.0
	tokens := verifierTokens
	if h.Context > 0 {
		tokens = min(tokens, h.Context/4)
	}
	return rlm.Question{Key: verifyNode + "." + f.ID, Node: verifyNode, Model: s.verifier, Request: llm.Request{
		System: verifierInstructions, Messages: []llm.Message{{Role: llm.RoleUser, Content: prompt}},
		MaxTokens: tokens, Temperature: &cold, Schema: refutationSchema(check),
	}}, shown
}

// ask puts the questions, and shows how far they are.
func (s *second) ask(ctx context.Context, questions []rlm.Question, res *rlm.Result, take func(int, trace.Dispatch)) (rlm.Asked, error) {
	var mu sync.Mutex
	p := rlm.Progress{Turn: res.Turns, MaxTurns: max(res.Turns, s.cfg.MaxTurns), Doing: "verifying", Dispatches: res.Metrics.Dispatches,
		DispatchesTotal: res.Metrics.Dispatches + len(questions), Failed: res.Metrics.DispatchErrors, Coverage: res.Coverage.Fraction()}
	running := *res
	show := func() {
		p.Spent = running.TotalCost()
		s.env.Observe(p)
	}
	show()
	return rlm.Ask(ctx, s.cfg, questions, func(i int, d trace.Dispatch) {
		mu.Lock()
		defer mu.Unlock()
		take(i, d)
		p.Dispatches++
		if d.Error != "" {
			p.Failed++
		} else if !d.Cached {
			running.Worker.Add(d.Usage)
		}
		show()
	})
}

// answered makes a verification of a verifier's reply.
func (s *second) answered(ctx context.Context, f finding.Finding, l looked, key string, d trace.Dispatch) looked {
	l.v.By, l.v.Source = d.Model, key
	unverified := func(why string) looked {
		l.v.Status, l.v.Reason = finding.Unverified, why
		return l
	}
	switch {
	case rlm.NoMoney(d):
		return unverified("what was left of the budget did not cover the call")
	case d.Error != "" && ctx.Err() != nil:
		return unverified("the run was interrupted")
	case d.Error != "":
		return unverified("the verifier failed: " + termtext.CutWith(d.Error, 300, " ..."))
	}
	r, err := parseRefutation(d.Reply)
	if err != nil {
		return unverified(err.Error())
	}
	l.v.Status, l.v.Reason, l.proof = weigh(ctx, s.code, s.base, f, r, l.shown)
	if l.v.Execution = s.demonstrate(ctx, f, r.Check); l.v.Execution != nil && l.v.Status == finding.Refuted {
		l.v.Status, l.v.Reason, l.proof = finding.Unsure,
			"the verifier calls it wrong, but its own check shows the defect. It says: "+r.Reason, nil
	}
	return l
}

// chooseVerifier chooses the verifier: the worker, or the root where only that is a language model.
func chooseVerifier(o Options, root, worker llm.Handle) Options {
	switch {
	case !o.Verify || o.Verifier != "":
	case worker.Scripted && !root.Scripted:
		o.Verifier = o.Root
	default:
		o.Verifier = o.Worker
	}
	return o
}

// checkVerifier opens the verifier, and refuses a cap that cannot be kept because its price is unknown.
func checkVerifier(models *llm.Opener, o Options) (llm.Handle, error) {
	h, err := models.Worker(o.Verifier, nil)
	if err != nil {
		return h, err
	}
	if o.Budget != nil && h.Price == nil {
		return h, unpriced(h.Name)
	}
	return h, nil
}

// Verifying says what resume is to change of a run's second look.
type Verifying struct {
	Want     bool   // look again, even where the run was not asked to
	Verifier string // another model. Defaults to the run's own, or as for a new run
}

func (v Verifying) apply(o Options) (Options, error) {
	if v.Verifier != "" && !v.Want {
		return o, hint.New("a verifier is named, but nothing is to be verified", "add --verify")
	}
	o.Verify = o.Verify || v.Want
	if v.Verifier != "" {
		o.Verifier = v.Verifier
	}
	return o, nil
}
