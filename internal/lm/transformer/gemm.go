package transformer

func gemm(ta, tb bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, acc bool) {
	for i := range m {
		for j := range n {
			var s float32
			if acc {
				s = c[i*ldc+j]
			}
			for q := range k {
				x, y := i*lda+q, q*ldb+j
				if ta {
					x = q*lda + i
				}
				if tb {
					y = j*ldb + q
				}
				s += a[x] * b[y]
			}
			c[i*ldc+j] = s
		}
	}
}
