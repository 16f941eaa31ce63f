package transformer

import "slices"

const (
	// pagePositions is how many positions a page of the cache holds. Most conversations end long before the context
	// does, so a cache for all of it would be mostly empty.
	pagePositions = 128
	keyStrip      = 32 // positions whose keys lie together: as many as a kernel takes at once
)

// cache is the keys and values of many conversations, in pages; conversations that begin alike share those of the
// beginning (Kwon et al. 2023, arXiv:2309.06180, section 4.4).
type cache struct {
	slots []slot
	free  []*page // that nobody holds
}

// slot is the cache of one conversation.
type slot struct {
	pages  []*page // may be more than are filled: kept for what comes
	filled int     // positions that hold a token
	step   int     // the last Step that had a row of it
}

type page struct {
	data    []float32
	holders int // slots that hold it; nobody writes to one that several hold
}

// own makes a slot the only holder of its page of a number, which is at most one beyond its last.
func (c *cache) own(s *slot, number, size int) {
	if number == len(s.pages) {
		s.pages = append(s.pages, c.take(size))
		return
	}
	if old := s.pages[number]; old.holders > 1 {
		old.holders--
		s.pages[number] = c.take(size)
		copy(s.pages[number].data, old.data)
	}
}

// take gives a page for one holder. What is in it is undefined.
func (c *cache) take(size int) *page {
	if n := len(c.free); n > 0 {
		p := c.free[n-1]
		c.free = c.free[:n-1]
		p.holders = 1
		return p
	}
	return &page{data: make([]float32, size), holders: 1}
}

// Forget gives a slot's memory to the other slots.
func (d *Decoder) Forget(slot int) {
	s := &d.slots[slot]
	d.release(s)
	s.pages, s.filled = s.pages[:0], 0
}

// release has nobody hold a slot's pages for it.
func (c *cache) release(s *slot) {
	for _, p := range s.pages {
		if p.holders--; p.holders == 0 {
			c.free = append(c.free, p)
		}
	}
}

// Share makes the conversation of one slot begin with the first n tokens of another's, as if they had been stepped through
// again; what it had before is forgotten. It costs no arithmetic, and no memory until one of them goes its own way. n is at
// most what the other has; it panics if it is not.
func (d *Decoder) Share(from, to, n int) {
	a, b := &d.slots[from], &d.slots[to]
	if n < 0 || n > a.filled {
		panic("transformer: a conversation cannot share more than it has")
	}
	if from == to {
		a.filled = n
		return
	}
	d.release(b)
	b.pages = slices.Grow(b.pages[:0], len(a.pages))
	for _, p := range a.pages[:(n+pagePositions-1)/pagePositions] {
		p.holders++
		b.pages = append(b.pages, p)
	}
	b.filled = n
}

// layer is one layer's keys and values of a page, head after head. Values lie by position, then dimension. Keys lie in
// strips of keyStrip positions, in a strip by dimension, then position. Both ways one query is a row times a matrix,
// computed along the row, which reads the cache from one end to the other.
func (s *slot) layer(c Config, page, layer int) (keys, values []float32) {
	n := c.kvDim() * pagePositions
	at := s.pages[page].data[2*layer*n:]
	return at[:n], at[n : 2*n]
}

// keep stores the key and the value of a row, which lie side by side in kv.
func (c *cache) keep(shape Config, layer int, r Row, kv []float32) {
	D, W, at := shape.kvDim(), shape.HeadDim(), r.Pos%pagePositions
	keys, values := c.slots[r.Slot].layer(shape, r.Pos/pagePositions, layer)
	strip := keys[at/keyStrip*keyStrip*W+at%keyStrip:]
	for h := range shape.KVHeads {
		for i, v := range kv[h*W : (h+1)*W] {
			strip[h*W*pagePositions+i*keyStrip] = v
		}
		copy(values[(h*pagePositions+at)*W:(h*pagePositions+at+1)*W], kv[D+h*W:])
	}
}
