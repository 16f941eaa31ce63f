package stats_test

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/stats"
)

// Three tasks got better, one got worse, 160 stayed as they were: that is no evidence of an improvement.
func Example() {
	rate := stats.Wilson(138, 164, 0.95)
	fmt.Printf("138 of 164 is between %.3f and %.3f\n", rate.Lo, rate.Hi)
	fmt.Printf("3 better, 1 worse: p = %.3f\n", stats.McNemar(3, 1).Exact)
	// Output:
	// 138 of 164 is between 0.778 and 0.889
	// 3 better, 1 worse: p = 0.625
}
