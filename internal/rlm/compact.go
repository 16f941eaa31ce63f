package rlm

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// turnDigest is what is kept of a turn when its messages are folded away.
type turnDigest struct {
	turn  int
	text  string
	first int // index of the turn's first message
}

// keepTurns is how many of the last turns always stay whole.
const keepTurns = 2

func (n *node) transcriptChars() int {
	total := 0
	for _, m := range n.messages {
		total += len(m.Content)
		for _, c := range m.ToolCalls {
			total += len(c.Arguments)
		}
	}
	return total
}

// transcriptLimit is the length at which old turns are folded.
func (n *node) transcriptLimit() int {
	if n.run.cfg.TranscriptChars > 0 {
		return n.run.cfg.TranscriptChars
	}
	if n.handle.Context > 0 {
		return max(8_000, (n.handle.Context-n.run.cfg.RootTokens)*7/10*3)
	}
	return 400_000
}

// compact folds the oldest turns into a digest once the transcript is too long: the opening and the last turns stay,
// and nothing is lost to the root, for the REPL's variables are all still there. Until then transcripts only grow at
// their end, so that providers' prompt caches hit.
func (n *node) compact() error {
	if n.transcriptChars() <= n.transcriptLimit() || len(n.digests)-n.folded <= keepTurns {
		return nil
	}
	upTo := len(n.digests) - keepTurns
	from, cutAt := n.digests[n.folded].turn, n.digests[upTo].first
	var b strings.Builder
	b.WriteString("[Your earlier turns were folded to save space. Their variables are still in the REPL; SHOW_VARS() lists them.]\n")
	for _, d := range n.digests[:upTo] {
		b.WriteString(d.text)
	}
	digest := b.String()
	n.messages[0].Content = n.first + "\n\n" + digest
	n.messages = append(n.messages[:1:1], n.messages[cutAt:]...)
	for i := upTo; i < len(n.digests); i++ {
		n.digests[i].first -= cutAt - 1
	}
	n.folded = upTo
	n.run.count(func(m *Metrics) { m.Compactions++ })
	return n.recordOnce(trace.Event{Kind: trace.KindCompact, Node: n.id, Turn: n.turn, Key: turnKey(n.id, n.turn) + ".compact",
		Compact: &trace.Compact{From: from, To: n.digests[upTo-1].turn, Digest: digest}})
}

// digestTurn sums a turn up in a few lines.
func digestTurn(turn int, blocks []block, outputs []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d:\n", turn)
	for i, blk := range blocks {
		fmt.Fprintf(&b, "  cell: %s\n", oneLine(blk.code, 200))
		if i < len(outputs) {
			fmt.Fprintf(&b, "  output: %s\n", oneLine(outputs[i], 400))
		}
	}
	return b.String()
}

// oneLine shortens a text to one line of at most max bytes.
func oneLine(s string, max int) string {
	return termtext.CutWith(termtext.OneLine(s), max, " ...")
}
