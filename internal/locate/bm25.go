package locate

import "math"

// bm25f says how documents of one kind are scored: BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
// Beyond", 2009, 3.6). A word's frequency in a document is the sum over its fields of weight x count / (1 - b + b x length / mean
// length), and saturates once. The figures were chosen by trying; see docs/localisation.md.
type bm25f struct {
	saturation float64 // k1
	weights    [fields]float64
}

const lengthPart = 0.75 // b

var (
	ofFiles  = bm25f{2, [fields]float64{inCode: 1, inProse: 1, inString: 1, inPath: 4, inNames: 3}}
	ofPlaces = bm25f{1.2, [fields]float64{inCode: 1, inProse: 1, inString: 2, inPath: 1.5, inNames: 5}}
)

// hits says how often the terms of a query stand in a document, by field.
type hits []hit

type hit struct {
	term   int32
	counts [fields]float32
}

// counted is what a query finds in a codebase.
type counted struct {
	files, places     []hits    // by id
	inFiles, inPlaces []float64 // documents that hold a term, by term
	meanFile          [fields]float64
	meanPlace         [fields]float64
	covered           []float64 // by place: how much of its name the query says
}

// count looks the terms of a query up.
func (x *Index) count(q *query) *counted {
	c := &counted{files: make([]hits, len(x.files)), places: make([]hits, len(x.places)),
		inFiles: make([]float64, len(q.terms)), inPlaces: make([]float64, len(q.terms)), covered: make([]float64, len(x.places))}
	for i, f := range x.files {
		term := make([]int32, len(f.ids)) // of the file's words, from 1
		some := false
		for t, w := range q.terms {
			if id, ok := f.ids[w]; ok {
				term[id] = int32(t + 1)
				some = true
			}
		}
		for k, n := range f.length {
			c.meanFile[k] += n / float64(len(x.files))
		}
		for _, p := range f.places {
			for k, n := range p.length {
				c.meanPlace[k] += n / float64(len(x.places))
			}
		}
		if !some {
			continue
		}
		for _, t := range f.tokens {
			n := int(term[t.word]) - 1
			if n < 0 {
				continue
			}
			c.files[i].add(n, t.f)
			if p := f.placeAt(int(t.line)); p != nil {
				c.places[p.id].add(n, t.f)
			}
		}
		for _, p := range f.places {
			for _, w := range p.around {
				if n := int(term[w]) - 1; n >= 0 && c.places[p.id] != nil {
					c.places[p.id].add(n, inPath)
				}
			}
			c.covered[p.id] = covers(p, term)
		}
		for _, h := range c.files[i] {
			c.inFiles[h.term]++
		}
		for _, p := range f.places {
			for _, h := range c.places[p.id] {
				c.inPlaces[h.term]++
			}
		}
	}
	return c
}

// covers is how much of a place's name a query says: the share of its words, and more where they are several.
func covers(p *place, term []int32) float64 {
	words, said := 0.0, 0.0
	for i, w := range p.name {
		if i == 0 && len(p.name) > 1 { // the name whole
			if term[w] > 0 {
				return 1
			}
			continue
		}
		words++
		said += yes(term[w] > 0)
	}
	if words == 0 {
		return 0
	}
	return said / words * said / (said + 1)
}

func (h *hits) add(term int, f field) {
	for i := range *h {
		if (*h)[i].term == int32(term) {
			(*h)[i].counts[f]++
			return
		}
	}
	one := hit{term: int32(term)}
	one.counts[f] = 1
	*h = append(*h, one)
}

// score is BM25F of a document for the terms that want names, each weighted. in says how many of docs hold a term.
func (m bm25f) score(h hits, length, mean [fields]float64, in []float64, docs int, want func(term int) float64) float64 {
	sum := 0.0
	for _, hit := range h {
		term := int(hit.term)
		w := want(term)
		if w == 0 {
			continue
		}
		tf := 0.0
		for k, n := range hit.counts {
			if n > 0 {
				tf += m.weights[k] * float64(n) / (1 - lengthPart + lengthPart*length[k]/math.Max(mean[k], 1))
			}
		}
		sum += w * rarity(docs, in[term]) * tf / (m.saturation + tf)
	}
	return sum
}

// rarity is BM25's inverse document frequency of a word that so many of docs hold.
func rarity(docs int, in float64) float64 { return math.Log(1 + (float64(docs)-in+0.5)/(in+0.5)) }

// said is how much a term of the query counts: each repetition less than the one before.
func (q *query) said(term int) float64 { return math.Log2(1 + q.weight[term]) }

func (q *query) saidInTitle(term int) float64 { return yes(q.inTitle[term]) }

func (q *query) saidInCode(term int) float64 {
	if !q.inCode[term] {
		return 0
	}
	return q.said(term)
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
