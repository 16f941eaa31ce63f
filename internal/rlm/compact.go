package rlm

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// keepTurns is how many of the last turns always stay whole.
const keepTurns = 2

// transcriptLimit is the length at which old turns are folded.
func (n *node) transcriptLimit() int {
	if n.run.cfg.TranscriptChars > 0 {
		return n.run.cfg.TranscriptChars
	}
	if window := n.window(); window > 0 {
		return max(8_000, (window-n.run.cfg.RootTokens)*7/10*3)
	}
	return 400_000
}

// compact folds the oldest turns into a digest once the transcript is too long: the opening and the last turns stay,
// and nothing is lost to the root, because the REPL's variables are all still there. Until then transcripts only grow
// at their end, so that providers' prompt caches hit.
func (n *node) compact() error {
	if n.chars() <= n.transcriptLimit() || len(n.digests)-n.folded <= keepTurns {
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
