package rlm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// SingleChars is how much source one call is given at most, as in the reference (180,000 characters).
const SingleChars = 180_000

// singleTokens caps the reply, as in the reference.
const singleTokens = 16_384

// Single is the strategy of one call, without a REPL: the baseline for the recursion. It takes the same Config
// (Sandbox, Gate and the limits of turns mean nothing to it), and leaves the same trace and the same kind of result.
func Single(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Result{}, err
	}
	h, err := cfg.Models.Root(cfg.Budget)
	if err != nil {
		return Result{}, err
	}
	ledger := coverage.New(cfg.Codebase)
	ledger.SetScope(coverage.Scope{Judges: h.Judges, Skipped: cfg.Skipped})
	limit := SingleChars
	if h.Context > 0 {
		limit = min(limit, max(4_000, 3*(h.Context-min(singleTokens, h.Context/4)-1_000)))
	}
	prompt, left := wholePrompt(cfg.Codebase, limit)
	sent := prompt
	if !h.Local && cfg.Redact != nil {
		sent, _ = cfg.Redact.Redact(prompt)
	}
	request := llm.Request{
		System:    singleSystem(cfg.Preset),
		Messages:  []llm.Message{{Role: llm.RoleUser, Content: sent}},
		MaxTokens: singleTokens,
	}
	if h.Context > 0 {
		request.MaxTokens = min(singleTokens, h.Context/4)
	}
	var killed RoleUsage
	replaying(cfg.Budget, cfg.Past)
	bookLost(cfg.Past, cfg.Budget, &killed, &killed)
	cfg.Observe(Progress{Turn: 1, MaxTurns: 1, Doing: "thinking", Spent: new(money.USD)})
	root, failed, callErr := askOnce(ctx, cfg, h, request)
	res := Result{Status: trace.StatusFailed, Coverage: ledger, Turns: 1}
	if root != nil { // also where it could not be journaled: it was paid for
		res = judge(cfg, ledger, prompt, h, root, left)
	}
	res.Transcript = append([]llm.Message{{Role: llm.RoleSystem, Content: request.System}}, request.Messages...)
	if root != nil {
		res.Transcript = append(res.Transcript, llm.Message{Role: llm.RoleAssistant, Content: root.Text})
	}
	switch {
	case callErr == nil:
	case root != nil:
		res.Status, res.StopReason = trace.StatusPartial, trace.StopReason(callErr.Error())
		res.Lack(trace.ShortRoot, 1, 0)
	case ctx.Err() != nil:
		res.StopReason = trace.StopInterrupted
		res.Lack(trace.ShortStopped, 1, ledger.Totals().LinesTotal)
	case errors.Is(callErr, llm.ErrBudget):
		res.StopReason = trace.StopBudget
		res.Lack(trace.ShortBudget, 1, ledger.Totals().LinesTotal)
	default:
		res.StopReason, res.Cause = trace.StopReason("the model failed: "+callErr.Error()), callErr
		res.Lack(trace.ShortRoot, 1, ledger.Totals().LinesTotal)
	}
	for _, u := range failed {
		res.Root.Add(u)
	}
	res.Root.AtMost = money.AddUSD(res.Root.AtMost, killed.AtMost)
	return res, cfg.Trace.AppendDurable(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: res.Status, StopReason: res.StopReason}})
}

// askOnce makes the call, or takes its reply out of the journal. failed is what calls without a reply were billed, those
// of earlier executions included; a reply that comes with an error is not in the journal.
func askOnce(ctx context.Context, cfg Config, h llm.Handle, request llm.Request) (reply *trace.Root, failed []trace.Usage, err error) {
	// Also where the reply is known: stages after this one ask more, and a new execution begins with a start.
	start := &trace.Start{Run: cfg.RunID, Fingerprint: cfg.Fingerprint, Resumed: len(cfg.Past) > 0,
		System: unrecorded(cfg.Past, request.System)}
	if err := cfg.Trace.AppendDurable(trace.Event{Kind: trace.KindStart, Start: start}); err != nil {
		return nil, failed, err
	}
	for _, e := range cfg.Past {
		switch {
		case e.Kind != trace.KindRoot || e.Key != "t001":
		case e.Root.Error == "":
			Replayed(cfg.Budget, e.Root.Usage)
			return e.Root, failed, nil
		default:
			Replayed(cfg.Budget, e.Root.Usage)
			failed = append(failed, e.Root.Usage)
		}
	}
	event := trace.Event{Kind: trace.KindRoot, Turn: 1, Key: "t001", Hash: request.Hash(h.Name)}
	started := cfg.Now()
	response, err := h.Model.Complete(ctx, llm.Reserving(cfg.Trace, request, event.Key, true))
	if err != nil {
		u, ok := BilledFailure(err, h.Price)
		if !ok {
			return nil, failed, errors.Join(err, llm.Settled(cfg.Trace, event.Key))
		}
		failed = append(failed, u)
		event.Root = &trace.Root{Model: h.Name, Message: request.Messages[0].Content, Error: err.Error(), Usage: u, Synthesis: true}
		err = errors.Join(err, cfg.Trace.AppendDurable(event))
		return nil, failed, err
	}
	event.Root = toRecord(response, h.Name, request.Messages[0].Content, cfg.Now().Sub(started))
	event.Root.Synthesis = true
	return event.Root, failed, cfg.Trace.AppendDurable(event)
}

// judge makes a result of the one reply, which h gave.
func judge(cfg Config, ledger *coverage.Ledger, prompt string, h llm.Handle, root *trace.Root, left []string) Result {
	var unjudged []string
	if h.Unjudged != nil {
		unjudged = h.Unjudged(root.Text)
	}
	code := cfg.Codebase
	held := ledger.Match(prompt)
	ledger.Sent(held)
	res := Result{Status: trace.StatusCompleted, StopReason: trace.StopAnswer, Turns: 1, Coverage: ledger}
	res.Root.Add(root.Usage)
	claims, parsed, err := harvestOf(cfg, root.Text, "t001", held.Files, h.Rules)
	got := readingOf(trace.Dispatch{Reply: root.Text, Finish: root.Finish}, parsed, err, held)
	if got.short == "" {
		ledger.Answered(held, unjudged...)
	} else {
		res.Lack(got.short, 1, ledger.Unanswered(held))
	}
	t := ledger.Totals()
	res.Lack(trace.ShortSkipped, len(left), t.LinesTotal-t.LinesDispatched-cfg.Skipped)
	res.Findings, res.Ungrounded = finding.Merge(claims.Grounded), claims.Ungrounded
	res.Analysis = cmp.Or(withoutJSON(root.Text), parsed.Summary)
	if root.Finish == string(llm.FinishLength) {
		res.StopReason = "the reply was cut at its limit"
		if got.short == "" {
			res.Lack(trace.ShortCut, 1, 0)
		}
	}
	res.Analysis += "\n\n" + leftOut(left, len(code.Paths()))
	return res
}

// leftOut states what one call could not hold.
func leftOut(left []string, total int) string {
	if len(left) == 0 {
		return fmt.Sprintf("*One call read all %d files.*", total)
	}
	const most = 50
	var b strings.Builder
	fmt.Fprintf(&b, "*One call could not hold everything: of %d files these %d were left out, in whole or in part:*\n\n", total, len(left))
	for i, p := range left {
		if i == most {
			fmt.Fprintf(&b, "- ... and %d more\n", len(left)-most)
			break
		}
		fmt.Fprintf(&b, "- `%s`\n", strings.ReplaceAll(p, "`", "'"))
	}
	return b.String()
}

// withoutJSON is the reply's document, without the block of findings behind it.
func withoutJSON(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return ""
	}
	if i := strings.LastIndex(text, "```json"); i >= 0 {
		rest := text[i+len("```json"):]
		if end := strings.Index(rest, "```"); end >= 0 {
			return strings.TrimSpace(text[:i] + rest[end+3:])
		}
		return strings.TrimSpace(text[:i])
	}
	return strings.TrimSpace(text)
}

// singleSystem is what the model of a single call is told: what the workers of a preset look for, but for the form of their
// answers, and what its root hands in.
func singleSystem(p Preset) string {
	reader, _, _ := strings.Cut(p.Worker, "\n\nAnswer in JSON")
	return reader + "\n\nYou read the codebase yourself, in this one call; there is no second. First write a report in Markdown.\n\n" +
		p.Root + "\n\nThen, last, give the findings of the report in one block fenced as json, of this schema. Lines and quotations " +
		"are checked against the code.\n" + string(finding.Schema())
}
