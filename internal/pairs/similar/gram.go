package similar

// Grams are all runs of n words of some texts, each with the numbers of the first two texts that it was seen in.
type Grams struct {
	n    int
	from map[uint64][2]int
}

// NewGrams makes an empty collection of runs of n words.
func NewGrams(n int) *Grams { return &Grams{n: n, from: map[uint64][2]int{}} }

// Add adds the runs of a text under the text's number, from 0.
func (g *Grams) Add(text string, number int) {
	g.each(text, func(h uint64) bool {
		at, ok := g.from[h]
		switch {
		case !ok:
			g.from[h] = [2]int{number, -1}
		case at[1] < 0 && at[0] != number:
			g.from[h] = [2]int{at[0], number}
		}
		return true
	})
}

// Find is the number of a text that shares a run of n words with this one, and whether there is one. The text numbered
// except is not an answer; -1 excepts none.
func (g *Grams) Find(text string, except int) (int, bool) {
	found := -1
	g.each(text, func(h uint64) bool {
		if at, ok := g.from[h]; ok {
			if found = at[0]; found == except {
				found = at[1]
			}
		}
		return found < 0
	})
	return found, found >= 0
}

func (g *Grams) each(text string, visit func(uint64) bool) {
	words := Words(text)
	hashes := make([]uint64, len(words))
	for i, w := range words {
		hashes[i] = fnv(w)
	}
	for i := 0; i+g.n <= len(hashes); i++ {
		h := uint64(g.n)
		for _, w := range hashes[i : i+g.n] {
			h = mix(h ^ w)
		}
		if !visit(h) {
			return
		}
	}
}
