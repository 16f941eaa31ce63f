package traces

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/view/cursor"
)

// What is kept of a trace at most: 86 bytes an event beside its label.
const (
	maxEvents = 500_000
	maxLabels = 32 << 20 // bytes of all labels; events behind them have none
	maxNode   = 1_000    // bytes of a node's name
)

// eventColumns are the events of a trace, in their order. They only grow, so that a copy of the struct stays good while more
// is added.
type eventColumns struct {
	begin   []int64 // where the event's JSON begins in the file
	size    []int32
	at      []int64 // Unix milliseconds
	kind    []byte
	flags   []uint8
	turn    []int32
	node    []int32 // an index of nodes
	seconds []float32
	cost    []int64 // pico-dollars, or unpriced
	in, out []int64
	label   []string
	nodes   []string

	// Only the one who adds may look at these.
	fault    []uint32 // of cells that ended in an error, until they are joined
	raw      []string // the nodes as they are written
	nodeOf   map[string]int32
	lastSeen map[int32]uint32 // by node: the fault of its last cell
	labels   int              // bytes
}

func (t *eventColumns) len() int { return len(t.kind) }

// maxSeconds bounds a duration: what a file claims beyond it is no number in 32 bits, and has no place in JSON.
const maxSeconds = 1e9

// add appends an event that lies at an offset of the file.
func (t *eventColumns) add(e *scanned, begin int64, size int) {
	t.begin, t.size = append(t.begin, begin), append(t.size, int32(size))
	t.at, t.kind, t.flags = append(t.at, e.at), append(t.kind, e.kind), append(t.flags, e.flags)
	t.turn = append(t.turn, int32(max(0, min(e.turn, math.MaxInt32))))
	t.node = append(t.node, t.intern(e.node))
	t.seconds = append(t.seconds, float32(max(0, min(e.seconds, maxSeconds))))
	t.cost, t.in, t.out = append(t.cost, e.cost), append(t.in, e.in), append(t.out, e.out)
	var room [4*maxLabel + 40]byte
	t.label = append(t.label, string(e.label(room[:0])))
	t.fault = append(t.fault, e.fault)
}

// intern gives a node its number. The run's own loop is 0.
func (t *eventColumns) intern(raw []byte) int32 {
	if t.nodeOf == nil {
		t.nodeOf, t.nodes, t.raw = map[string]int32{"": 0}, []string{""}, []string{""}
	}
	raw = raw[:min(len(raw), maxNode)]
	if n, ok := t.nodeOf[string(raw)]; ok {
		return n
	}
	n := int32(len(t.nodes))
	t.raw = append(t.raw, string(raw))
	t.nodeOf[t.raw[n]] = n
	t.nodes = append(t.nodes, string(cursor.Unescape(nil, raw, maxNode)))
	return n
}

// join appends the events that were scanned apart, and says of cells whether they repeat the error before.
func (t *eventColumns) join(part *eventColumns) {
	renumber := make([]int32, len(part.nodes))
	for n, raw := range part.raw {
		renumber[n] = t.intern([]byte(raw))
	}
	if t.lastSeen == nil {
		t.lastSeen = map[int32]uint32{}
	}
	for i, kind := range part.kind {
		node := renumber[part.node[i]]
		part.node[i] = node
		if t.labels += len(part.label[i]); t.labels > maxLabels {
			part.label[i] = ""
		}
		if kind != 'c' {
			continue
		}
		if part.fault[i] != 0 && t.lastSeen[node] == part.fault[i] {
			part.flags[i] |= flagRepeated
		}
		t.lastSeen[node] = part.fault[i]
	}
	t.begin, t.size = append(t.begin, part.begin...), append(t.size, part.size...)
	t.at, t.kind, t.flags = append(t.at, part.at...), append(t.kind, part.kind...), append(t.flags, part.flags...)
	t.turn, t.node, t.seconds = append(t.turn, part.turn...), append(t.node, part.node...), append(t.seconds, part.seconds...)
	t.cost, t.in, t.out = append(t.cost, part.cost...), append(t.in, part.in...), append(t.out, part.out...)
	t.label = append(t.label, part.label...)
}
