package wire

import (
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Cost reads a reported cost. Reported costs come out of floating point with digits below a pico-dollar; these
// are rounded up.
func Cost(raw string) (money.USD, error) {
	cost, err := money.ParseUSD(raw)
	if err != nil {
		var f float64
		if json.Unmarshal([]byte(raw), &f) != nil || f < 0 || f > 1e6 {
			return 0, fmt.Errorf("cost %q is not an amount", raw)
		}
		cost, err = money.ParseUSD(fmt.Sprintf("%.12f", f+5e-13))
	}
	if err == nil && cost < 0 {
		return 0, fmt.Errorf("cost %q is negative", raw)
	}
	return cost, err
}
