package review

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// verifyNode is the stage's name in the trace. Its keys are the findings' own IDs, which no order changes.
const verifyNode = "verify"

// second is the stage that looks at a review's findings again: each is checked against what its own text claims, and
// given to another worker to refute.
type second struct {
	opinions *opinion.Opinions
	base     *claim.Base
	models   *llm.Opener
	verifier string
	cfg      rlm.Config // of the run: trace, past, budget, redaction, limits
	env      Env
}

// verify gives every finding of the report's main list that has no verdict yet its Verification, the worst first, and checks
// the root's document. Its calls are added to res. The error is for a journal that cannot be written; the report is whole
// then, too, and says what was not verified.
func (s *second) verify(ctx context.Context, r *runfile.Report, res *rlm.Result) error {
	h, err := s.models.Worker(s.verifier, s.cfg.Budget)
	if err != nil {
		return err
	}
	r.Verification = &runfile.SecondLook{Verifier: h.Name}
	r.Verification.Claims, r.Verification.Contradicted = s.document(ctx, r.Analysis)

	found := make([]runfile.Verification, len(r.Findings))
	var of []int // which findings are asked about
	for i, f := range r.Findings {
		v, decided := s.opinions.Check(ctx, f)
		switch {
		case decided:
		case opinion.Decided(f):
			v = *f.Verification
		case h.Scripted:
			v.Status, v.Reason = finding.Unverified, h.Name+" is no language model and cannot judge a finding"
		default:
			of = append(of, i)
		}
		found[i] = v
	}
	slices.SortStableFunc(of, func(a, b int) int {
		return cmp.Compare(taxonomy.Rank(r.Findings[b].Severity), taxonomy.Rank(r.Findings[a].Severity))
	})
	if h.Scripted && len(r.Findings) > 0 {
		s.env.Say("--verify: " + h.Name +
			" cannot judge findings; only what their texts claim was checked (--verifier MODEL names a language model)")
	}
	first := make([]inquiry, len(of))
	for k, i := range of {
		first[k] = s.inquire(i, verifyNode+"."+r.Findings[i].ID)
		first[k].Request, first[k].shown = s.opinions.Question(ctx, h, r.Findings[i])
	}
	replies := make([]string, len(of))
	err = s.ask(ctx, first, res, func(k int, d trace.Dispatch) {
		i := of[k]
		found[i] = s.answered(ctx, r.Findings[i], found[i], first[k], d)
		replies[k] = d.Reply
	})
	// Who was unsure for want of code that there is gets it, once; an answer that does not count changes nothing.
	var second []inquiry
	for k, i := range of {
		q := s.inquire(i, rlm.AgainKey(first[k].Key))
		ok := false
		if q.Request, q.shown, ok = s.opinions.Again(ctx, h, r.Findings[i], replies[k]); ok && err == nil {
			second = append(second, q)
		}
	}
	err = cmp.Or(err, s.ask(ctx, second, res, func(k int, d trace.Dispatch) {
		i := second[k].of
		if v := s.answered(ctx, r.Findings[i], found[i], second[k], d); v.Status != finding.Unverified {
			found[i] = v
		}
	}))
	for i := range r.Findings {
		v := found[i]
		r.Findings[i].Verification = &v
	}
	if len(of) > 0 && err == nil {
		err = s.cfg.Trace.AppendDurable(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: res.Status, StopReason: res.StopReason}})
	}
	return err
}

// inquiry is a question about a finding.
type inquiry struct {
	rlm.Question
	of    int      // the finding's index
	shown []string // the files whose code it shows
}

func (s *second) inquire(of int, key string) inquiry {
	return inquiry{Question: rlm.Question{Key: key, Node: verifyNode, Model: s.verifier}, of: of}
}

// settle draws the consequences of the verdicts, those that the root asked for included: refuted findings move to a list of
// their own, others get another confidence or severity.
func settle(r *runfile.Report) {
	kept := []finding.Finding{}
	regraded := false
	for _, f := range r.Findings {
		severity := f.Severity
		f = opinion.Settle(f)
		if f.Verification != nil && f.Verification.Status == finding.Refuted {
			r.Refuted = append(r.Refuted, runfile.Refuted{Finding: f, Proof: f.Verification.Proof})
			continue
		}
		regraded = regraded || f.Severity != severity
		kept = append(kept, f)
	}
	if regraded {
		finding.Sort(kept)
	}
	r.Findings = kept
	if r.Verification == nil {
		return
	}
	r.Verification.Refuted = len(r.Refuted)
	if r.Refuted == nil {
		r.Refuted = []runfile.Refuted{}
	}
}

// document checks the claims of the root's document.
func (s *second) document(ctx context.Context, text string) (runfile.ClaimTally, []runfile.Contradicted) {
	var tally runfile.ClaimTally
	var wrong []runfile.Contradicted
	for _, c := range claim.Extract(text) {
		res := s.base.Check(ctx, c, claim.At{})
		res.Count(&tally)
		if res.Status == claim.Contradicted {
			wrong = append(wrong, runfile.Contradicted{Sentence: c.Sentence, Why: res.Why, Proof: res.Proof})
		}
	}
	return tally, wrong
}

// ask puts questions, and shows how far they are. Its calls are added to res.
func (s *second) ask(ctx context.Context, inquiries []inquiry, res *rlm.Result, take func(int, trace.Dispatch)) error {
	if len(inquiries) == 0 {
		return nil
	}
	questions := make([]rlm.Question, len(inquiries))
	for k, q := range inquiries {
		questions[k] = q.Question
	}
	var mu sync.Mutex
	p := rlm.Progress{Turn: res.Turns, MaxTurns: max(res.Turns, s.cfg.MaxTurns), Doing: "verifying", Dispatches: res.Metrics.Dispatches,
		DispatchesTotal: res.Metrics.Dispatches + len(questions), Failed: res.Metrics.DispatchErrors, Coverage: res.Coverage.Fraction()}
	running := *res
	show := func() {
		p.Spent = running.TotalCost()
		s.env.Observe(p)
	}
	show()
	asked, err := rlm.Ask(ctx, s.cfg, questions, func(i int, d trace.Dispatch) {
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
	res.Add(asked)
	return err
}

// answered makes a verification of a verifier's reply. v is what was known before.
func (s *second) answered(ctx context.Context, f finding.Finding, v runfile.Verification, q inquiry,
	d trace.Dispatch) runfile.Verification {
	switch {
	case rlm.NoMoney(d):
		v.Status, v.Reason = finding.Unverified, "what was left of the budget did not cover the call"
	case d.Error != "" && ctx.Err() != nil:
		v.Status, v.Reason = finding.Unverified, "the run was interrupted"
	case d.Error != "":
		v.Status, v.Reason = finding.Unverified, "the verifier failed: "+termtext.CutWith(d.Error, 300, " ...")
	default:
		v = s.opinions.Weigh(ctx, f, q.shown, d.Reply)
	}
	v.By, v.Source = d.Model, q.Key
	return v
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
