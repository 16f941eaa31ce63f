package ambiguity

import "slices"

// polynomial gives words that lead from p to p, from p to q and from q to q. A search begins everywhere: it has a state before the
// first that reads anything.
func (a *automaton) polynomial(search bool) []Finding {
	if search {
		first := len(a.sets)
		moves := append(slices.Clone(a.start), move{to: first})
		a = &automaton{sets: append(slices.Clone(a.sets), every), next: append(slices.Clone(a.next), moves), start: moves}
		a.part = parts(a.next)
	}
	var found []Finding
	left := maxPairs
	for p := len(a.next) - 1; p >= 0; p-- {
		for q := range a.next {
			if p == q || a.part[p] < 0 || a.part[q] < 0 || a.part[p] == a.part[q] {
				continue
			}
			pump, ok := a.triple(p, q, &left)
			if !ok {
				continue
			}
			if prefix, ok := a.word(a.start, p, -1); ok {
				found = append(found, Finding{Degree: Polynomial, Prefix: prefix, Pump: pump})
			}
			if len(found) >= maxCandidates {
				return found
			}
		}
	}
	return found
}

// triple lets three readers read one word: two begin at p and one at q, and one of the two comes to q.
func (a *automaton) triple(p, q int, left *int) (string, bool) {
	type visit struct {
		at     [3]int
		c      rune
		before int
	}
	queue := []visit{{at: [3]int{p, p, q}, before: -1}}
	seen := map[[3]int]bool{queue[0].at: true}
	for i := 0; i < len(queue); i++ {
		at := queue[i].at
		c, ok := a.sets[at[0]].and(a.sets[at[1]]).and(a.sets[at[2]]).sample()
		if !ok {
			continue
		}
		for _, x := range a.next[at[0]] {
			for _, y := range a.next[at[1]] {
				for _, z := range a.next[at[2]] {
					if *left--; *left < 0 {
						return "", false
					}
					to := [3]int{x.to, y.to, z.to}
					if seen[to] || a.part[x.to] != a.part[p] || a.part[z.to] != a.part[q] {
						continue
					}
					seen[to] = true
					queue = append(queue, visit{to, c, i})
					if to == [3]int{p, q, q} {
						var letters []rune
						for k := len(queue) - 1; k > 0; k = queue[k].before {
							letters = append(letters, queue[k].c)
						}
						return backwards(letters), true
					}
				}
			}
		}
	}
	return "", false
}
