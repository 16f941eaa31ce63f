package stats

import "fmt"

// PassAtK is the unbiased estimate of the chance that at least one of k samples passes, from c passes among n samples:
// 1 - C(n-c, k)/C(n, k), as the product of Chen et al. 2021, "Evaluating large language models trained on code",
// arXiv:2107.03374, which neither overflows nor cancels. It is 1 when n-c < k. An error says that k is not between 1
// and n or c not between 0 and n.
func PassAtK(n, c, k int) (float64, error) {
	if err := checkPass(n, c, k); err != nil {
		return 0, err
	}
	if n-c < k {
		return 1, nil
	}
	none := 1.0
	if c < k {
		// C(n-c,k)/C(n,k) is symmetric in c and k; the shorter product is as exact.
		c, k = k, c
	}
	for i := range k {
		none *= float64(n-c-i) / float64(n-i)
	}
	return 1 - none, nil
}

// PassAllK is the unbiased estimate of the chance that all of k samples pass, C(c, k)/C(n, k), which verifiers prints
// as pass^k. Its errors are those of PassAtK.
func PassAllK(n, c, k int) (float64, error) {
	if err := checkPass(n, c, k); err != nil {
		return 0, err
	}
	if c < k {
		return 0, nil
	}
	all := 1.0
	for i := range k {
		all *= float64(c-i) / float64(n-i)
	}
	return all, nil
}

func checkPass(n, c, k int) error {
	if k < 1 || k > n {
		return fmt.Errorf("pass@%d of %d samples: k must be between 1 and the number of samples", k, n)
	}
	if c < 0 || c > n {
		return fmt.Errorf("pass@%d: %d of %d samples passed", k, c, n)
	}
	return nil
}
