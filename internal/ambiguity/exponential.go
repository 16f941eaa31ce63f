package ambiguity

// maxCandidates bounds how many words of a kind are tried.
const maxCandidates = 6

// exponential gives words that lead from a state back to it in two ways.
func (a *automaton) exponential() []Finding {
	var found []Finding
	add := func(at int, pump string, ok bool) {
		prefix, reached := a.word(a.start, at, -1)
		if ok && reached && len(found) < maxCandidates {
			found = append(found, Finding{Degree: Exponential, Prefix: prefix, Pump: pump})
		}
	}
	for p, edges := range a.next {
		for _, e := range edges {
			if e.many && a.part[p] >= 0 && a.part[p] == a.part[e.to] {
				pump, ok := a.step(p, p, e.to)
				add(p, pump, ok)
			}
		}
	}
	a.pairs(add)
	return found
}

// step is a word that reads p, goes on at next and leads to at.
func (a *automaton) step(p, at, next int) (string, bool) {
	c, ok := a.sets[p].sample()
	rest, led := a.word([]move{{to: next}}, at, a.part[at])
	return string(c) + rest, ok && led
}

// word is a shortest word after which the state at is next, from one of the first states, inside of a part (-1: anywhere).
func (a *automaton) word(first []move, at, part int) (string, bool) {
	type visit struct{ state, before int }
	var queue []visit
	seen := make([]bool, len(a.next))
	add := func(moves []move, before int) {
		for _, m := range moves {
			if !seen[m.to] && (part < 0 || a.part[m.to] == part) {
				seen[m.to] = true
				queue = append(queue, visit{m.to, before})
			}
		}
	}
	add(first, -1)
	for i := 0; i < len(queue); i++ {
		if queue[i].state == at {
			var letters []rune
			for j := queue[i].before; j >= 0; j = queue[j].before {
				c, ok := a.sets[queue[j].state].sample()
				if !ok {
					return "", false
				}
				letters = append(letters, c)
			}
			return backwards(letters), true
		}
		add(a.next[queue[i].state], i)
	}
	return "", false
}

func backwards(letters []rune) string {
	for i, j := 0, len(letters)-1; i < j; i, j = i+1, j-1 {
		letters[i], letters[j] = letters[j], letters[i]
	}
	return string(letters)
}

// pairs follows two readers of one word through each part: from one state, apart, and to one state again.
func (a *automaton) pairs(add func(at int, pump string, ok bool)) {
	type visit struct {
		p, q   int
		c      rune // that was read before
		before int
		origin int // the state in which both were
	}
	var queue []visit
	seen, left := map[[2]int]bool{}, maxPairs
	// spread goes on from a pair. Both are in one state again: that is a word.
	spread := func(p, q, before, origin int) {
		both := a.sets[p].and(a.sets[q])
		c, ok := both.sample()
		if !ok {
			return
		}
		for i, m := range a.next[p] {
			for j, n := range a.next[q] {
				if left--; left < 0 {
					return
				}
				r, s := min(m.to, n.to), max(m.to, n.to)
				switch {
				case a.part[r] != a.part[p] || a.part[s] != a.part[p] || p == q && i >= j:
				case r != s && !seen[[2]int{r, s}]:
					seen[[2]int{r, s}] = true
					queue = append(queue, visit{r, s, c, before, origin})
				case r == s && p != q:
					letters := []rune{c}
					for k := before; k >= 0; k = queue[k].before {
						letters = append(letters, queue[k].c)
					}
					back, ok := a.word([]move{{to: r}}, origin, a.part[p])
					add(origin, backwards(letters)+back, ok)
				}
			}
		}
	}
	for p := range a.next {
		if a.part[p] >= 0 {
			spread(p, p, -1, p)
		}
	}
	for i := 0; i < len(queue) && left > 0; i++ {
		spread(queue[i].p, queue[i].q, i, queue[i].origin)
	}
}
