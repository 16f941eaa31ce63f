package transformer

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Attention of a decoder. Keys and values are most of what is read then, so they are read once for all who look at them: the
// query heads that share them, and the rows of conversations that begin alike, or of one conversation (as in Juravsky et al. 2024,
// arXiv:2402.05099). What a row reads has the same bits as if it were alone: an element of a product is the same sum whatever the
// other rows are, and what lies behind a row's own position counts nothing. A model each of whose heads has keys and values of its
// own reads row by row: for the one query that most products would have then, a row times a matrix is faster.

// group puts rows, by their number, into cohorts: those that begin with the same page; each for itself where each is read by itself.
func (d *Decoder) group(rows []Row) {
	all, first := d.cohorts[:cap(d.cohorts)], func(i int) *page { return d.slots[rows[i].Slot].pages[0] }
	n := 0
	for i := range rows {
		k := 0
		for k < n && (d.alone() || first(all[k][0]) != first(i)) {
			k++
		}
		if k == len(all) {
			all = append(all, nil)
		}
		if k == n {
			all[k], n = all[k][:0], n+1
		}
		all[k] = append(all[k], i)
	}
	d.cohorts = all[:n]
}

// alone says whether each row and head reads by itself.
func (d *Decoder) alone() bool { return d.model.Config.KVHeads == d.model.Config.Heads }

// reading is what one core works in.
type reading struct{ q, scores, out []float32 }

// attendAll shares cohorts and their heads out to the cores.
func (d *Decoder) attendAll(layer int, rows []Row) {
	heads := d.model.Config.KVHeads
	all := heads * len(d.cohorts)
	if d.cores == 1 {
		for n := range all {
			d.attend(layer, n%heads, rows, d.cohorts[n/heads], &d.reading[0])
		}
		return
	}
	var next atomic.Int64
	work := func(core int) {
		for n := int(next.Add(1)) - 1; n < all; n = int(next.Add(1)) - 1 {
			d.attend(layer, n%heads, rows, d.cohorts[n/heads], &d.reading[core])
		}
	}
	var wg sync.WaitGroup
	for core := 1; core < d.cores; core++ {
		wg.Go(func() { work(core) })
	}
	work(0)
	wg.Wait()
}

// attend has the rows of a cohort read what their conversations hold up to them, with the query heads of one head of keys and
// values.
func (d *Decoder) attend(layer, head int, rows []Row, cohort []int, r *reading) {
	if d.alone() {
		d.attendAlone(layer, head, rows[cohort[0]], cohort[0], r)
		return
	}
	c := d.model.Config
	W, Q, group, last := c.HeadDim(), c.qkvDim(), c.Heads/c.KVHeads, 0
	for _, i := range cohort {
		last = max(last, rows[i].Pos)
	}
	room := (last/pagePositions + 1) * pagePositions // of a query's scores
	n := len(cohort) * group
	r.q, r.scores, r.out = resize(r.q, n*W), resize(r.scores, n*room), resize(r.out, n*W)
	for k, i := range cohort {
		copy(r.q[k*group*W:(k+1)*group*W], d.qkv[i*Q+head*group*W:])
	}
	d.eachRun(layer, head, rows, cohort, func(from, to, p, positions int, keys, _ []float32) {
		for s := 0; s < positions; s += keyStrip { // the last strip whole: what is behind a row is ignored
			tensor.Gemm(false, false, (to-from)*group, keyStrip, W, r.q[from*group*W:], W, keys[s*W:], keyStrip,
				r.scores[from*group*room+p+s:], room, false)
		}
	})
	scale := float32(1 / math.Sqrt(float64(W)))
	for k, i := range cohort {
		for q := k * group; q < (k+1)*group; q++ {
			scores := r.scores[q*room : (q+1)*room]
			tensor.Softmax(scores[:rows[i].Pos+1], scale)
			clear(scores[rows[i].Pos+1:])
		}
	}
	d.eachRun(layer, head, rows, cohort, func(from, to, p, positions int, _, values []float32) {
		tensor.Gemm(false, false, (to-from)*group, W, positions, r.scores[from*group*room+p:], room, values, W,
			r.out[from*group*W:], W, p > 0)
	})
	for k, i := range cohort {
		copy(d.att[i*c.Dim+head*group*W:], r.out[k*group*W:(k+1)*group*W])
	}
}

// attendAlone is attend for the i-th row.
func (d *Decoder) attendAlone(layer, head int, row Row, i int, r *reading) {
	c, s, n := d.model.Config, &d.slots[row.Slot], row.Pos+1
	W, at := c.HeadDim(), head*pagePositions*c.HeadDim()
	r.scores = resize(r.scores, (n+pagePositions-1)/pagePositions*pagePositions)
	query := d.qkv[i*c.qkvDim()+head*W:][:W]
	for p := 0; p < n; p += keyStrip { // the last strip whole: what is behind the row is ignored
		keys, _ := s.layer(c, p/pagePositions, layer)
		tensor.RowTimes(r.scores[p:p+keyStrip], query, keys[at+p%pagePositions*W:], keyStrip, false)
	}
	tensor.Softmax(r.scores[:n], float32(1/math.Sqrt(float64(W))))
	out := d.att[i*c.Dim+head*W:][:W]
	for p := 0; p < n; p += pagePositions {
		_, values := s.layer(c, p/pagePositions, layer)
		tensor.RowTimes(out, r.scores[p:min(p+pagePositions, n)], values[at:], W, p > 0)
	}
}

// eachRun calls f, page after page, for the rows from to to of a cohort, next to each other, that look at one page, which holds the
// positions from p on, so many of them for the last of these rows.
func (d *Decoder) eachRun(layer, head int, rows []Row, cohort []int, f func(from, to, p, positions int, keys, values []float32)) {
	c, more := d.model.Config, true
	at := head * pagePositions * c.HeadDim()
	for p := 0; more; p += pagePositions {
		more = false
		for from := 0; from < len(cohort); {
			number, first := p/pagePositions, rows[cohort[from]]
			to, last := from+1, first.Pos
			if last >= p {
				held := d.slots[first.Slot].pages[number]
				for ; to < len(cohort); to++ {
					r := rows[cohort[to]]
					if r.Pos < p || d.slots[r.Slot].pages[number] != held {
						break
					}
					last = max(last, r.Pos)
				}
				keys, values := d.slots[first.Slot].layer(c, number, layer)
				f(from, to, p, min(last-p+1, pagePositions), keys[at:], values[at:])
				more = more || last >= p+pagePositions
			}
			from = to
		}
	}
}
