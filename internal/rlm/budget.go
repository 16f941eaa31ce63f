package rlm

import (
	"context"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// synthesisSizes are the shapes of the reserved last turn, largest first: characters of prompt, tokens of reply.
var synthesisSizes = []struct{ chars, tokens int }{{60_000, 4096}, {24_000, 2048}, {8_000, 1024}}

// earmark sets money aside for the last turn: the worst case of one synthesis call, where that is at most a quarter of
// what there is. nil when there is no cap, or too little for it.
func (r *run) earmark(root llm.Handle) *llm.Budget {
	if r.cfg.Budget == nil || root.Price == nil {
		return nil
	}
	left, capped := r.cfg.Budget.Remaining()
	if !capped {
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

// upperBound is a number of tokens that a request of that many bytes of text cannot exceed: a token stands for at least
// one byte, and a request has some tokens of its own around the text.
func upperBound(bytes int) int64 { return int64(bytes) + 256 }

func synthesisCost(h llm.Handle, chars, tokens int) llm.USD {
	return h.Price.WorstCase(upperBound(chars), int64(tokens))
}

// divide gives each of count children an equal part of half of what the node has left.
func (n *node) divide(count int) []*llm.Budget {
	pools := make([]*llm.Budget, count)
	if n.pool == nil || count == 0 {
		return pools
	}
	left, capped := n.pool.Remaining()
	share := left / 2 / llm.USD(count)
	if !capped {
		share = llm.NoCap
	}
	for i := range pools {
		pools[i] = n.pool.Child(share)
	}
	return pools
}

// remaining is what the node may still spend; false when there is no cap.
func (n *node) remaining() (llm.USD, bool) {
	if n.pool == nil {
		return 0, false
	}
	return n.pool.Remaining()
}

// exhausted reports that there is not enough money left for another turn of any use.
func (r *run) exhausted(n *node) bool {
	left, capped := n.remaining()
	if !capped || n.handle.Price == nil {
		return false
	}
	return left < n.handle.Price.WorstCase(upperBound(n.transcriptChars()), int64(r.cfg.RootTokens))
}

// replayed takes a journaled call's cost from the node's pool, so that a resumed run has the same money at the same
// point as the run that paid it.
func (n *node) replayed(u trace.Usage) { Replayed(n.pool, u) }

// Replayed takes a journaled call's cost from a pool; nil is none.
func Replayed(pool *llm.Budget, u trace.Usage) {
	if pool == nil || u.CostPico == nil {
		return
	}
	cost := llm.USD(*u.CostPico)
	hold, err := pool.Reserve(cost)
	if err != nil {
		if hold, err = pool.Reserve(0); err != nil {
			return // the pool is spent already: it can only refuse
		}
	}
	hold.Settle(cost)
}

func synthesisKey(turn string) string { return turn + ".synthesis" }

// settle books what the journal holds under a root call's key, once, and returns the reply, if there is one.
func (n *node) settle(key string) *trace.Root {
	reply, paid := n.run.journal.root(key)
	if n.settled[key] {
		return reply
	}
	if n.settled == nil {
		n.settled = map[string]bool{}
	}
	n.settled[key] = true
	if reply != nil {
		paid = append(paid[:len(paid):len(paid)], reply.Usage)
	}
	for _, u := range paid {
		n.replayed(u)
		n.run.charge(&n.run.root, u, false)
	}
	return reply
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

// report is the document in a reply that was asked for Markdown.
func report(r llm.Response) string { return strings.TrimSpace(stripThinking(r.Text)) }

func (n *node) synthesisPrompt(max int) string {
	grounded, _ := n.run.found()
	var b strings.Builder
	fmt.Fprintf(&b, "Workers have seen %.0f%% of the source lines. Findings with proof (%d):\n", 100*n.run.ledger.Fraction(), len(grounded))
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
