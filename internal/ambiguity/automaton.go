package ambiguity

// Bounds of the automaton.
const (
	maxStates = 400
	maxPaths  = 5000 // without a character, from one state
	maxPairs  = 200_000
)

// automaton has a state for each character of the expression: about to read it.
type automaton struct {
	sets  []set
	next  [][]move // by state
	start []move
	part  []int // by state: its strongly connected part, -1 where no way leads back
}

// move leads to a state, in one way or in more.
type move struct {
	to   int
	many bool
}

// builder makes states of two kinds: those that read a character, and those that do not.
type builder struct {
	states []state
	full   bool
}

type state struct {
	set  set
	read bool
	out  []int
}

func (b *builder) add(s state) int {
	if len(b.states) >= maxStates*4 {
		b.full = true
		return 0
	}
	b.states = append(b.states, s)
	return len(b.states) - 1
}

// build makes the states of n in front of next, and gives the first.
func (b *builder) build(n *node, next int) int {
	if b.full {
		return 0
	}
	switch n.op {
	case char:
		return b.add(state{set: n.set, read: true, out: []int{next}})
	case cat:
		for i := len(n.sub) - 1; i >= 0; i-- {
			next = b.build(n.sub[i], next)
		}
	case alt:
		s := state{}
		for _, sub := range n.sub {
			s.out = append(s.out, b.build(sub, next))
		}
		return b.add(s)
	case atomic:
		return b.build(n.sub[0], next)
	case repeat:
		return b.repeat(n, next)
	}
	return next
}

func (b *builder) repeat(n *node, next int) int {
	least := min(n.min, long)
	if n.unbounded() {
		loop := b.add(state{})
		body := b.build(n.sub[0], loop)
		b.states[loop].out = []int{body, next}
		next = loop
		if least > 0 {
			next, least = body, least-1
		}
	} else {
		after := next
		for range n.max - least {
			next = b.add(state{out: []int{b.build(n.sub[0], next), after}})
		}
	}
	for range least {
		next = b.build(n.sub[0], next)
	}
	return next
}

// compile makes an automaton of an expression; ok is false where it would be too large.
func compile(root *node) (*automaton, bool) {
	b := &builder{}
	accept := b.add(state{read: true})
	first := b.build(root, accept)
	if b.full {
		return nil, false
	}
	number, a := make([]int, len(b.states)), &automaton{}
	for i, s := range b.states {
		number[i] = -1
		if s.read && i != accept {
			number[i] = len(a.sets)
			a.sets = append(a.sets, s.set)
		}
	}
	if len(a.sets) > maxStates {
		return nil, false
	}
	w := &walk{b: b, number: number, on: make([]int, len(b.states))}
	a.start = w.from(first)
	for _, s := range b.states[1:] {
		if s.read {
			a.next = append(a.next, w.from(s.out[0]))
		}
	}
	a.part = parts(a.next)
	return a, !w.lost
}

// walk finds the states that can be reached without reading.
type walk struct {
	b      *builder
	number []int
	on     []int // how often a state is on the path: twice, so that a loop can be left and entered again
	left   int
	lost   bool
}

func (w *walk) from(s int) []move {
	w.left = maxPaths
	ways, order := map[int]int{}, []int(nil)
	var visit func(s int)
	visit = func(s int) {
		if w.left--; w.left < 0 {
			w.lost = true
			return
		}
		if w.b.states[s].read {
			if k := w.number[s]; k >= 0 {
				if ways[k]++; ways[k] == 1 {
					order = append(order, k)
				}
			}
			return
		}
		if w.on[s] == 2 {
			return
		}
		w.on[s]++
		for _, to := range w.b.states[s].out {
			visit(to)
		}
		w.on[s]--
	}
	visit(s)
	var edges []move
	for _, k := range order {
		edges = append(edges, move{k, ways[k] > 1})
	}
	return edges
}

// parts numbers the strongly connected parts of a graph (Tarjan). A state alone without an edge to itself has -1.
func parts(next [][]move) []int {
	n := len(next)
	index, low, part := make([]int, n), make([]int, n), make([]int, n)
	onStack, stack, count, found := make([]bool, n), []int(nil), 0, 0
	var visit func(v int)
	visit = func(v int) {
		count++
		index[v], low[v] = count, count
		stack, onStack[v] = append(stack, v), true
		for _, e := range next[v] {
			if index[e.to] == 0 {
				visit(e.to)
				low[v] = min(low[v], low[e.to])
			} else if onStack[e.to] {
				low[v] = min(low[v], index[e.to])
			}
		}
		if low[v] != index[v] {
			return
		}
		for {
			w := stack[len(stack)-1]
			stack, onStack[w] = stack[:len(stack)-1], false
			part[w] = found
			if w == v {
				break
			}
		}
		found++
	}
	for v := range n {
		if index[v] == 0 {
			visit(v)
		}
	}
	size := map[int]int{}
	for _, k := range part {
		size[k]++
	}
	for v := range part {
		alone := true
		for _, e := range next[v] {
			alone = alone && e.to != v
		}
		if alone && size[part[v]] == 1 {
			part[v] = -1
		}
	}
	return part
}
