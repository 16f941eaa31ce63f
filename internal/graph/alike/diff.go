package alike

// diff aligns b with a: at[j] is the index in a of what stands at j in b, -1 for what is not there. It fails where more than
// most insertions and deletions are needed.
func diff(a, b []int32, most int) ([]int32, bool) {
	at := make([]int32, len(b))
	for j := range at {
		at[j] = -1
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		at[head] = int32(head)
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		at[len(b)-1-tail] = int32(len(a) - 1 - tail)
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	n, m := len(x), len(y)
	if n == 0 || m == 0 {
		return at, n+m <= most
	}
	most = min(most, n+m)
	v := make([]int32, 2*most+3)
	var trace [][]int32
	mid := most + 1
	for d := 0; d <= most; d++ {
		trace = append(trace, append([]int32(nil), v[mid-d:mid+d+1]...))
		for k := -d; k <= d; k += 2 {
			var i int32
			if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
				i = v[mid+k+1]
			} else {
				i = v[mid+k-1] + 1
			}
			for int(i) < n && int(i)-k < m && x[i] == y[int(i)-k] {
				i++
			}
			v[mid+k] = i
			if int(i) >= n && int(i)-k >= m {
				back(trace, at, n, m, head)
				return at, true
			}
		}
	}
	return at, false
}

// back follows the way that diff found from its end to its beginning.
func back(trace [][]int32, at []int32, n, m, head int) {
	i, j := n, m
	for d := len(trace) - 1; d >= 0; d-- {
		v := trace[d]
		value := func(k int) int32 { // as it was before step d
			if k < -d || k > d {
				return -1
			}
			return v[k+d]
		}
		k := i - j
		from := k - 1
		if k == -d || k != d && value(k-1) < value(k+1) {
			from = k + 1
		}
		pi := 0
		if d > 0 {
			pi = int(value(from))
		}
		pj := pi - from
		if d == 0 {
			pi, pj = 0, 0
		}
		for i > pi && j > pj {
			i, j = i-1, j-1
			at[head+j] = int32(head + i)
		}
		i, j = pi, pj
	}
}
