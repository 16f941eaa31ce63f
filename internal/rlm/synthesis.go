package rlm

import (
	"context"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// synthesisSizes are the shapes of the reserved last turn, largest first: characters of prompt, tokens of reply.
var synthesisSizes = []struct{ chars, tokens int }{{60_000, 4096}, {24_000, 2048}, {8_000, 1024}}

func synthesisCost(h llm.Handle, chars, tokens int) money.USD {
	return h.Price.WorstCase(upperBound(chars), int64(tokens))
}

// earmark sets money aside for the last turn: the worst case of one synthesis call, where that is at most a quarter of
// what there is. nil when there is no cap, or too little for it.
func (r *run) earmark(root llm.Handle) *llm.Budget {
	left, capped := r.cfg.Budget.Remaining()
	if !capped || root.Price == nil {
		return nil
	}
	for _, size := range synthesisSizes {
		if amount := synthesisCost(root, size.chars, size.tokens); amount <= left/4 {
			if pool, err := r.cfg.Budget.Earmark(amount); err == nil {
				return pool
			}
		}
	}
	return nil
}

// synthesise is the reserved last turn: when the money for the loop is spent, the root still writes the report, from a
// digest of what it did and the findings so far. A failure leaves the salvaged report.
func (n *node) synthesise(ctx context.Context, pool *llm.Budget) {
	n.progress("writing the report")
	key := synthesisKey(turnKey(n.id, n.turn))
	if reply := n.settle(key); reply != nil {
		n.answer = report(recorded(reply))
		return
	}
	if pool == nil {
		return
	}
	defer pool.Close()
	handle, err := n.run.cfg.Models.Root(pool)
	if err != nil || handle.Price == nil {
		return
	}
	left, _ := pool.Remaining()
	for _, size := range synthesisSizes {
		if synthesisCost(handle, size.chars, size.tokens) > left {
			continue
		}
		system := "You write the final report of a review whose budget is spent. Write Markdown, no code cells.\n\n" + n.run.cfg.Preset.Root
		request := llm.Request{
			System:    system,
			Messages:  []llm.Message{{Role: llm.RoleUser, Content: n.synthesisPrompt(size.chars - len(system) - 500)}},
			MaxTokens: size.tokens,
		}
		if response, err := n.paidReply(ctx, key, handle, request, request.Messages[0].Content, true); err == nil {
			n.answer = report(response)
		}
		return
	}
}

func (n *node) synthesisPrompt(max int) string {
	grounded := n.run.found.State().Findings
	var b strings.Builder
	fmt.Fprintf(&b, "Workers have answered for %.0f%% of the source lines. Findings with proof (%d):\n", 100*n.run.ledger.Fraction(),
		len(grounded))
	for _, f := range grounded {
		line := fmt.Sprintf("- %s %s %s:%d %s: %s\n", f.Severity, f.Category, f.File, f.Line, f.Title, oneLine(f.Explanation, 200))
		if b.Len()+len(line) > max/2 {
			b.WriteString("- (more are in the findings list)\n")
			break
		}
		b.WriteString(line)
	}
	b.WriteString("\nWhat the turns did:\n")
	for _, d := range n.digests {
		if b.Len()+len(d.text) > max {
			break
		}
		b.WriteString(d.text)
	}
	b.WriteString("\nWrite the final report now. Name only files and lines that stand above.")
	return n.redacted(b.String())
}

// report is the document in a reply that was asked for Markdown.
func report(r llm.Response) string { return strings.TrimSpace(stripThinking(r.Text)) }
