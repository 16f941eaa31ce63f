package tensor

import "fmt"

// Softmax replaces x by exp(scale*x) divided by the sum of it. scale must be positive.
func Softmax(x []float32, scale float32) {
	if len(x) > 0 {
		Scale(x, 1/Exp(x, x, scale, -Max(x)*scale))
	}
}

// SoftmaxBack replaces d, the derivative at p = softmax(scale*x), by what it is worth at x: scale*p*(d - sum of p*d).
func SoftmaxBack(d, p []float32, scale float32) {
	same("SoftmaxBack", len(d), len(p))
	s := Dot(d, p)
	n := 0
	if active != portable {
		if n = whole(len(d)); n > 0 {
			active.softBack(n, &d[0], &p[0], s, scale)
		}
	}
	for i := n; i < len(d); i++ { // nothing to fuse: the same bits
		d[i] = (d[i] - s) * p[i] * scale
	}
}

// Rotate turns the heads that lie side by side in x by the angles of a position, whose cosines and sines are given for
// half a head: the first half of a head's values with the second half (Su et al. 2021, in the order of Hugging Face's
// rotate_half). A dir of -1 turns back.
func Rotate(x, cos, sin []float32, dir float32) {
	half := len(cos)
	same("Rotate", half, len(sin))
	if half == 0 || len(x)%(2*half) != 0 {
		panic(fmt.Sprintf("tensor: Rotate: %d elements are not whole heads of %d", len(x), 2*half))
	}
	if active != portable && half%lanes == 0 {
		if len(x) > 0 {
			active.rotate(len(x), half, &x[0], &cos[0], &sin[0], dir)
		}
		return
	}
	for o := 0; o < len(x); o += 2 * half {
		a, b := x[o:o+half], x[o+half:o+2*half]
		for i, u := range a {
			v, c, s := b[i], cos[i], dir*sin[i]
			a[i], b[i] = float32(u*c)-float32(v*s), float32(v*c)+float32(u*s)
		}
	}
}

// RowTimes sets y = x B, or adds x B to y where acc is set, for a row x and B of len(x) rows, len(y) columns, whose rows
// lie ldb apart: the products of a single query, which Gemm's tiles do not pay for. The bits of an element are not those
// of Gemm, and depend on len(x) alone.
func RowTimes(y, x, b []float32, ldb int, acc bool) {
	k := len(x)
	check("RowTimes", "B", k, len(y), ldb, len(b))
	if len(y) == 0 {
		return
	}
	if k == 0 {
		if !acc {
			clear(y)
		}
		return
	}
	if active == portable {
		rowTimesPortable(y, x, b, ldb, acc)
		return
	}
	n := whole(len(y))
	if n > 0 {
		active.rowTimes(n, k, &y[0], &x[0], &b[0], ldb, number(acc))
	}
	if n == len(y) {
		return
	}
	b = b[n:]
	if (k-1)*ldb+lanes > len(b) { // the last rows end before the columns that the kernel reads
		wide := make([]float32, k*lanes)
		for i := range k {
			copy(wide[i*lanes:], b[i*ldb:][:len(y)-n])
		}
		b, ldb = wide, lanes
	}
	var p pad
	active.rowTimes(lanes, k, p.in(0, y[n:]), &x[0], &b[0], ldb, number(acc))
	copy(y[n:], p[0][:])
}

func rowTimesPortable(y, x, b []float32, ldb int, acc bool) {
	if !acc {
		clear(y)
	}
	k := 0
	for ; k+4 <= len(x); k += 4 {
		s0, s1, s2, s3 := x[k], x[k+1], x[k+2], x[k+3]
		b0, b1, b2, b3 := b[k*ldb:][:len(y)], b[(k+1)*ldb:][:len(y)], b[(k+2)*ldb:][:len(y)], b[(k+3)*ldb:][:len(y)]
		for j := range y {
			y[j] += (float32(s0*b0[j]) + float32(s1*b1[j])) + (float32(s2*b2[j]) + float32(s3*b3[j]))
		}
	}
	for ; k < len(x); k++ {
		s := x[k]
		for j, v := range b[k*ldb:][:len(y)] {
			y[j] += float32(s * v)
		}
	}
}
