package ambiguity

// Steps matches the text as a matcher that backtracks does, and counts the parts that it tries. done is false when it was stopped
// after limit steps.
func (r *Regex) Steps(text string, mode Mode, limit int) (steps int, done bool) {
	m := &matcher{text: []rune(text), left: limit}
	last := 0
	if mode == Search {
		last = len(m.text)
	}
	for from := 0; from <= last && m.left > 0; from++ {
		if m.match(r.root, from, func(at int) bool { return mode != Full || at == len(m.text) }) {
			break
		}
	}
	return limit - m.left, m.left > 0 || m.depth > deepest
}

// deepest bounds the recursion. A match that needs more is not judged.
const deepest = 200_000

type matcher struct {
	text  []rune
	left  int // steps
	depth int // of calls; it stays beyond deepest once it was there
}

// match tries n at a place; what follows is then.
func (m *matcher) match(n *node, at int, then func(at int) bool) bool {
	if m.left--; m.left <= 0 {
		return false
	}
	if m.depth++; m.depth > deepest {
		m.left = 0
		return false
	}
	defer func() {
		if m.depth <= deepest {
			m.depth--
		}
	}()
	switch n.op {
	case empty:
		return then(at)
	case char:
		return at < len(m.text) && n.set.has(m.text[at]) && then(at+1)
	case cat:
		return m.all(n.sub, at, then)
	case alt:
		for _, s := range n.sub {
			if m.match(s, at, then) {
				return true
			}
		}
		return false
	case repeat:
		return m.repeat(n, 0, at, then)
	case atomic:
		to := -1
		m.match(n.sub[0], at, func(at int) bool { to = at; return true })
		return to >= 0 && m.left > 0 && then(to)
	}
	return m.holds(n, at) && m.left > 0 && then(at)
}

func (m *matcher) all(list []*node, at int, then func(at int) bool) bool {
	if len(list) == 0 {
		return then(at)
	}
	return m.match(list[0], at, func(at int) bool { return m.all(list[1:], at, then) })
}

func (m *matcher) repeat(n *node, round, at int, then func(at int) bool) bool {
	again := func() bool {
		return (n.max < 0 || round < n.max) && m.match(n.sub[0], at, func(to int) bool {
			return (to > at || round < n.min) && m.repeat(n, round+1, to, then)
		})
	}
	if round < n.min {
		return again()
	}
	if n.lazy {
		return then(at) || again()
	}
	return again() || then(at)
}

// holds tells whether an assertion does.
func (m *matcher) holds(n *node, at int) bool {
	size := len(m.text)
	switch n.op {
	case look:
		return m.match(n.sub[0], at, func(int) bool { return true }) != n.negative
	case behind:
		found := false
		for from := at; from >= 0 && !found && m.left > 0; from-- {
			found = m.match(n.sub[0], from, func(to int) bool { return to == at })
		}
		return found != n.negative
	case begin:
		return at == 0
	case end:
		return at == size
	case lastEnd:
		return at == size || at == size-1 && m.text[at] == '\n'
	case lineBegin:
		return at == 0 || m.text[at-1] == '\n'
	case lineEnd:
		return at == size || m.text[at] == '\n'
	case edge:
		before, after := at > 0 && words.has(m.text[at-1]), at < size && words.has(m.text[at])
		return (before != after) != n.negative
	}
	return false
}
