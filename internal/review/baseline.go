package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// BaselineChars is how much source one call is given at most, as in the reference (180,000 characters).
const BaselineChars = 180_000

// baselineTokens caps the reply, as in the reference.
const baselineTokens = 16_384

// Baseline asks one model once: as many files as fit one prompt, no REPL. It is what the recursion is compared with.
func Baseline(ctx context.Context, o Options, env Env) (Outcome, error) {
	env = env.withDefaults()
	o.Strategy = StrategySingle
	o, err := o.withDefaults()
	if err != nil {
		return Outcome{}, err
	}
	o.Worker = o.Root
	code, err := load(ctx, o)
	if err != nil {
		return Outcome{}, err
	}
	models := newStack(env, o.Root, o.Worker, env.cacheFor(o))
	root, _, err := models.check(o.Budget != nil)
	if err != nil {
		return Outcome{}, err
	}
	return begin(ctx, "baseline", o, code, models, prices(root), env)
}

// fairOrder is the order in which files are taken into one call: entry points first, then all others by a hash of their
// path. The reference took the smallest first, which left out just the files that hold most of the code; this order
// knows nothing of size, so every line has the same chance.
func fairOrder(code *codebase.Codebase) []string {
	entry := map[string]bool{}
	for _, p := range code.EntryPoints() {
		entry[p] = true
	}
	paths := slices.Clone(code.Paths())
	rank := func(p string) uint64 {
		h := fnv.New64a()
		h.Write([]byte(p))
		return h.Sum64()
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		if entry[a] != entry[b] {
			if entry[a] {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	return paths
}

// pack fills one prompt with whole files in fair order; the last one may be cut at a line. It returns the files that
// were left out, in order; a cut one is among them, with what is missing.
func pack(code *codebase.Codebase, limit int) (prompt string, left []string) {
	var b strings.Builder
	full := false
	for _, path := range fairOrder(code) {
		text, _ := code.Text(path)
		f, _ := code.File(path)
		if full {
			left = append(left, path)
			continue
		}
		if room := limit - b.Len() - len(path) - 64; len(text) > room {
			full = true
			kept := text[:max(0, strings.LastIndexByte(text[:max(0, room)], '\n')+1)]
			lines := strings.Count(kept, "\n")
			if lines > 0 {
				section(&b, path, lines, f.Lines, kept)
				left = append(left, fmt.Sprintf("%s (from line %d)", path, lines+1))
			} else {
				left = append(left, path)
			}
			continue
		}
		section(&b, path, f.Lines, f.Lines, text)
	}
	b.WriteString("=== END ===\n")
	return b.String(), left
}

func section(b *strings.Builder, path string, last, total int, text string) {
	if strings.ContainsFunc(path, unicode.IsControl) || strings.HasPrefix(path, `"`) {
		path = strconv.Quote(path) // a newline in a name must not end the header
	}
	fmt.Fprintf(b, "=== FILE: %s (lines 1-%d of %d) ===\n%s", path, last, total, text)
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
}

// single is the strategy of one call. It leaves the same trace and the same result as a recursion.
func single(ctx context.Context, m Manifest, code *codebase.Codebase, models *stack, budget *llm.Budget, redactor *redact.Redactor, w *trace.Writer, past []trace.Event, env Env) (rlm.Result, error) {
	h, err := models.Root(budget)
	if err != nil {
		return rlm.Result{}, err
	}
	ledger := coverage.New(code)
	limit := BaselineChars
	if h.Context > 0 {
		limit = min(limit, max(4_000, 3*(h.Context-min(baselineTokens, h.Context/4)-1_000)))
	}
	prompt, left := pack(code, limit)
	sent := prompt
	if !h.Local && redactor != nil {
		sent, _ = redactor.Redact(prompt)
	}
	request := llm.Request{
		System:    baselineSystem(m.Options.Preset),
		Messages:  []llm.Message{{Role: llm.RoleUser, Content: sent}},
		MaxTokens: baselineTokens,
	}
	if h.Context > 0 {
		request.MaxTokens = min(baselineTokens, h.Context/4)
	}
	env.Observe(rlm.Progress{Turn: 1, MaxTurns: 1, Doing: "thinking", Spent: new(llm.USD)})
	root, failed, callErr := askOnce(ctx, m, h, request, budget, w, past, env)
	res := rlm.Result{Status: rlm.StatusFailed, Coverage: ledger, Turns: 1}
	if root != nil { // also where it could not be journaled: it was paid for
		res = judge(code, ledger, prompt, root, left)
	}
	switch {
	case callErr == nil:
	case root != nil:
		res.Status, res.StopReason = rlm.StatusPartial, callErr.Error()
	case ctx.Err() != nil:
		res.StopReason = "interrupted"
	case errors.Is(callErr, llm.ErrBudget):
		res.StopReason = "budget"
	default:
		res.StopReason, res.Cause = "the model failed: "+callErr.Error(), callErr
	}
	for _, u := range failed {
		res.Root.Add(u)
	}
	return res, w.AppendDurable(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: res.Status, StopReason: res.StopReason}})
}

// askOnce makes the call, or takes its reply out of the journal. failed is what calls without a reply were billed, those
// of earlier executions included; a reply that comes with an error is not in the journal.
func askOnce(ctx context.Context, m Manifest, h llm.Handle, request llm.Request, budget *llm.Budget, w *trace.Writer, past []trace.Event, env Env) (reply *trace.Root, failed []trace.Usage, err error) {
	for _, e := range past {
		switch {
		case e.Kind != trace.KindRoot || e.Key != "t001":
		case e.Root.Error == "":
			return e.Root, failed, nil
		default:
			rlm.Replayed(budget, e.Root.Usage)
			failed = append(failed, e.Root.Usage)
		}
	}
	start := &trace.Start{Run: m.ID, Fingerprint: m.Fingerprint, Resumed: len(past) > 0}
	if err := w.AppendDurable(trace.Event{Kind: trace.KindStart, Start: start}); err != nil {
		return nil, failed, err
	}
	event := trace.Event{Kind: trace.KindRoot, Turn: 1, Key: "t001", Hash: request.Hash(h.Name)}
	started := env.Now()
	response, err := h.Model.Complete(ctx, request)
	if err != nil {
		if u, ok := rlm.BilledFailure(err, h.Price); ok {
			failed = append(failed, u)
			event.Root = &trace.Root{Model: h.Name, Message: request.Messages[0].Content, Error: err.Error(), Usage: u, Synthesis: true}
			err = errors.Join(err, w.AppendDurable(event))
		}
		return nil, failed, err
	}
	root := &trace.Root{
		Model: h.Name, Message: request.Messages[0].Content, Text: response.Text, Reasoning: response.Reasoning, Finish: response.Finish,
		Usage: trace.Usage{
			InputTokens: response.Usage.InputTokens, CachedTokens: response.Usage.CachedTokens,
			CacheWriteTokens: response.Usage.CacheWriteTokens, OutputTokens: response.Usage.OutputTokens,
		},
		Synthesis: true, Seconds: env.Now().Sub(started).Seconds(),
	}
	if response.Cost != nil {
		pico := int64(*response.Cost)
		root.Usage.CostPico = &pico
	}
	event.Root = root
	return root, failed, w.AppendDurable(event)
}

// judge makes a result of the one reply.
func judge(code *codebase.Codebase, ledger *coverage.Ledger, prompt string, root *trace.Root, left []string) rlm.Result {
	files := ledger.Dispatch(prompt)
	res := rlm.Result{Status: rlm.StatusCompleted, StopReason: "answer", Turns: 1, Coverage: ledger}
	res.Root.Add(root.Usage)
	parsed, err := finding.Parse(root.Text)
	if err == nil {
		for i := range parsed.Findings {
			parsed.Findings[i].Sources = []string{"t001"}
		}
		grounded, ungrounded := finding.Ground(code, parsed.Findings, files)
		res.Findings, res.Ungrounded = finding.Merge(grounded), ungrounded
	}
	res.Analysis = withoutJSON(root.Text)
	if res.Analysis == "" {
		res.Analysis = parsed.Summary
	}
	if root.Finish == llm.FinishLength {
		res.Status, res.StopReason = rlm.StatusPartial, "the reply was cut at its limit"
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

func baselineSystem(p rlm.Preset) string {
	return p.Worker + "\n\nIn this call you write the whole report yourself. First the report, as Markdown:\n\n" + p.Root +
		"\n\nThen, last, one block fenced as json with the findings, of this schema:\n" + string(finding.Schema())
}
