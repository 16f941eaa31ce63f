package rlm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm/judgement"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// newCall is the key of the next call of a cell that asks no worker.
func (n *node) newCall() string {
	n.batch++
	return callKey(cellKey(turnKey(n.id, n.turn), n.cell), n.batch, 0)
}

// addFinding records the root's own finding. It is held to the same proof as a worker's: its evidence must stand in
// the file. Of raw only what add_finding takes counts.
func (n surface) addFinding(_ context.Context, raw finding.Finding) (answered, error) {
	key := n.newCall()
	cwe := finding.NormalCWE(raw.CWE)
	f := finding.Finding{
		File: raw.File, Line: raw.Line, EndLine: raw.EndLine, Title: raw.Title, Severity: finding.NormalSeverity(raw.Severity),
		Category: finding.NormalCategory(raw.Category, cwe), CWE: cwe, Evidence: raw.Evidence, Explanation: raw.Explanation,
		Suggestion: raw.Suggestion, Confidence: max(0, min(1, raw.Confidence)), Sources: []string{key}, Reader: runfile.ReaderModel,
	}
	c := judgement.Claims{Own: true}
	c.Grounded, c.Ungrounded = finding.Ground(n.run.cfg.Codebase, []finding.Finding{f}, []string{raw.File})
	cutTo := ""
	for i := range c.Grounded {
		if n.narrow(&c.Grounded[i]) {
			cutTo = fmt.Sprintf("; only the first %d lines of the quotation are kept: a finding names a place, not a region", ownLines)
		}
	}
	n.run.found.Claim(key, c)
	if len(c.Grounded) == 0 {
		why := "its evidence does not stand in that file; quote the code exactly"
		if len(c.Ungrounded) > 0 && c.Ungrounded[0].Why != "" {
			why = c.Ungrounded[0].Why
		}
		return said("", "rejected: "+why), nil
	}
	held, ok := n.run.found.Holding(key)
	if !ok {
		return said("", "accepted"+cutTo), nil
	}
	word := "accepted as "
	if len(held.Sources) > 1 {
		word = "merged with "
	}
	return said(held.ID, word+line(held)+cutTo), nil
}

// said is what a call that judges answers: the finding's ID, and a line that is printed.
func said(id, message string) answered {
	return answered{map[string]any{"id": judgement.Short(id), "message": message}, message}
}

// line is a finding in one line.
func line(f finding.Finding) string {
	return fmt.Sprintf("%s %s %s:%d %s", judgement.Short(f.ID), f.Severity, f.File, f.Line, oneLine(f.Title, 160))
}

// ownLines is how many lines a root's own finding may span. Findings that touch are merged into the strongest one, so a
// wide one could take in, under its own name, all that workers claimed of a stretch of code: right or wrong.
const ownLines = 6

// narrow cuts a grounded finding to its first lines, and says whether it had to.
func (n *node) narrow(f *finding.Finding) bool {
	if f.EndLine-f.Line < ownLines {
		return false
	}
	text, _ := n.run.cfg.Codebase.Text(f.File)
	kept, ok := finding.Quote(text, f.Line, f.Line+ownLines-1)
	if !ok {
		return false
	}
	f.EndLine = f.Line + ownLines - 1
	if len(kept) < len(f.Evidence) { // a quotation that was cut to size stays so
		f.Evidence = kept
	}
	return true
}

// dismiss takes findings back.
func (n surface) dismiss(_ context.Context, a struct {
	IDs    []string `json:"ids"`
	Reason string   `json:"reason"`
}) (answered, error) {
	reason := oneLine(a.Reason, maxReason)
	return n.onEach(a.IDs, "dismissed", func(key, id string) (finding.Finding, error) {
		return n.run.found.Dismiss(key, id, reason, n.handle.Name)
	})
}

// maxReason bounds a root's reason, in characters.
const maxReason = 1_000

// regrade gives findings another severity.
func (n surface) regrade(_ context.Context, a struct {
	IDs      []string `json:"ids"`
	Severity string   `json:"severity"`
	Reason   string   `json:"reason"`
}) (answered, error) {
	severity, reason := strings.ToLower(strings.TrimSpace(a.Severity)), oneLine(a.Reason, maxReason)
	return n.onEach(a.IDs, "now", func(key, id string) (finding.Finding, error) {
		return n.run.found.Regrade(key, id, severity, reason, n.handle.Name)
	})
}

// onEach judges findings one by one and says in a line each what became of them. A bad ID does not undo the good ones; where
// none is good, that is an error.
func (n surface) onEach(ids []string, done string, judge func(key, id string) (finding.Finding, error)) (answered, error) {
	if len(ids) == 0 {
		return said("", "no finding was named: nothing is "+done), nil
	}
	var lines []string
	var failed []error
	for _, id := range ids {
		f, err := judge(n.newCall(), id)
		if err != nil {
			failed = append(failed, err)
			lines = append(lines, "NOT "+done+": "+err.Error())
			continue
		}
		lines = append(lines, done+" "+line(f))
	}
	if len(failed) == len(ids) {
		slices.SortFunc(failed, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return answered{}, errors.Join(slices.CompactFunc(failed, func(a, b error) bool { return a.Error() == b.Error() })...)
	}
	return said("", strings.Join(lines, "\n")), nil
}

// merge makes one finding of several.
func (n surface) merge(_ context.Context, a struct {
	IDs   []string `json:"ids"`
	Title string   `json:"title"`
}) (answered, error) {
	f, err := n.run.found.Merge(n.newCall(), a.IDs, oneLine(a.Title, 300))
	if err != nil {
		return answered{}, err
	}
	const how = "\n    the ID and the place are the first one's, the severity is "
	return said(f.ID, fmt.Sprintf("merged %d findings: %s", len(a.IDs), line(f))+how+severityOf(f)), nil
}

// severityOf says where the severity of a merged finding is from.
func severityOf(f finding.Finding) string {
	if f.Regraded != nil {
		return "as regraded"
	}
	return "the highest"
}

// verify gets a second opinion on findings from a worker that is shown what decides them.
func (n surface) verify(ctx context.Context, a struct {
	IDs   []string `json:"ids"`
	Model *string  `json:"model"`
}) (answered, error) {
	opinion := n.run.cfg.Opinion
	if opinion == nil {
		return answered{}, fmt.Errorf("there are no second opinions in this run")
	}
	var of []finding.Finding
	for _, id := range a.IDs {
		f, err := n.run.found.Find(id)
		if err != nil {
			return answered{}, err
		}
		of = append(of, f)
	}
	verdicts := make([]runfile.Verification, len(of))
	var open []int // what the code does not decide by itself
	for i, f := range of {
		decided := false
		if verdicts[i], decided = opinion.Check(ctx, f); !decided {
			open = append(open, i)
		}
	}
	var again atomic.Int64
	n.each(len(open), func(k int, key, cell string) reply {
		i := open[k]
		v, asked := n.secondOpinion(ctx, key, cell, of[i], prompts{Model: a.Model}.model())
		again.Add(int64(asked - 1))
		verdicts[i] = v
		return reply{}
	})
	n.dispatches += int(again.Load())
	var rows []map[string]any
	var lines, counts []string
	for i, v := range verdicts {
		f, err := n.run.found.Verified(n.newCall(), of[i].ID, v)
		if err != nil {
			return answered{}, err
		}
		rows = append(rows, map[string]any{"id": judgement.Short(f.ID), "status": v.Status, "reason": v.Reason})
		lines = append(lines, fmt.Sprintf("%s: %s\n    %s", line(f), v.Status, oneLine(v.Reason, 400)))
		counts = append(counts, v.Status)
	}
	return answered{map[string]any{"verdicts": rows, "message": strings.Join(lines, "\n")}, strings.Join(counts, ", ")}, nil
}

// secondOpinion asks a worker about one finding, under the rules of every dispatch, and once more where it names code that it
// was not shown. asked is how often.
func (n *node) secondOpinion(ctx context.Context, key, cell string, f finding.Finding, model string) (v runfile.Verification, asked int) {
	opinion := n.run.cfg.Opinion
	h, err := n.run.cfg.Models.Worker(model, n.pool)
	if err != nil {
		d := n.fail(key, "", trace.Dispatch{Model: model, Purpose: trace.PurposeVerdict}, err)
		return runfile.Verification{Status: finding.Unverified, Reason: d.Error, By: model, Source: key}, 1
	}
	request, shown := opinion.Question(ctx, h, f)
	d := n.askOpinion(ctx, key, cell, h, request, shown)
	if d.Error != "" {
		return runfile.Verification{Status: finding.Unverified, Reason: d.Error, By: h.Name, Source: key}, 1
	}
	v = opinion.Weigh(ctx, f, shown, d.Reply)
	v.By, v.Source = h.Name, key
	request, shown, ok := opinion.Again(ctx, h, f, d.Reply)
	if !ok {
		return v, 1
	}
	n.run.expect(1)
	key = AgainKey(key)
	if d = n.askOpinion(ctx, key, cell, h, request, shown); d.Error == "" {
		if better := opinion.Weigh(ctx, f, shown, d.Reply); better.Status != finding.Unverified {
			v = better
			v.By, v.Source = h.Name, key
		}
	}
	return v, 2
}

// AgainKey is the key of a second question about what the call of a key was about.
func AgainKey(key string) string { return key + ".again" }

// askOpinion puts one question for a second opinion.
func (n *node) askOpinion(ctx context.Context, key, cell string, h llm.Handle, request llm.Request, shown []string) trace.Dispatch {
	d := trace.Dispatch{Purpose: trace.PurposeVerdict, Model: h.Name, Files: shown[:min(len(shown), trace.MaxFiles)]}
	request.Messages = slices.Clone(request.Messages)
	for i, m := range request.Messages {
		if !h.Local && n.run.cfg.Redact != nil {
			text, count := n.run.cfg.Redact.Redact(m.Content)
			request.Messages[i].Content, d.Redacted = text, d.Redacted+count
		}
		d.Prompt += request.Messages[i].Content
	}
	got, past := n.get(ctx, key, cell, h, request, d)
	if !past && stoppedUnpaid(ctx, got) {
		return got
	}
	return n.take(key, n.run.held(got), got)
}
