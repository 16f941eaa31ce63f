package judgement

import "maps"

// Claimed are the last sources of all grounded claims.
func Claimed(b *Book) map[string]bool {
	all := map[string]bool{}
	for _, c := range b.claims {
		for _, f := range c.Grounded {
			all[f.Sources[len(f.Sources)-1]] = true
		}
	}
	return all
}

// Shuffled is a book to which the calls of another came in another order, claims and judgements mixed.
func Shuffled(b *Book, order func(n int) []int) *Book {
	var c Book
	var keys []string
	for key := range b.claims {
		keys = append(keys, key)
	}
	for _, k := range order(len(keys) + len(b.judged)) {
		if k < len(keys) {
			c.Claim(keys[k], b.claims[keys[k]])
			continue
		}
		j := b.judged[k-len(keys)]
		c.judged = append(c.judged, j)
		c.walked = nil
		c.now()
	}
	c.seen = maps.Clone(b.seen)
	return &c
}
