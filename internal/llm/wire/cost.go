package wire

import (
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/money"
)

const mostDollars = 1_000_000

// Cost reads a reported cost. Reported costs come out of floating point with digits below a pico-dollar; these
// are rounded up. No call costs a million dollars, so more than that is an error, too.
func Cost(raw string) (money.USD, error) {
	cost, err := money.ParseUSD(raw)
	if err != nil {
		var f float64
		if json.Unmarshal([]byte(raw), &f) != nil || f < 0 || f > mostDollars {
			return 0, fmt.Errorf("cost %q is not an amount", raw)
		}
		cost, err = money.ParseUSD(fmt.Sprintf("%.12f", f+5e-13))
	}
	if err == nil && (cost < 0 || cost > mostDollars*money.Dollar) {
		return 0, fmt.Errorf("cost %q is negative, or beyond what a call can cost", raw)
	}
	return cost, err
}
