package bench

import (
	"math"
	"strconv"

	picture "github.com/deeprepo/deeprepo/internal/chart"
)

// axis maps values to 0 to 1 along a chart's side.
type axis struct {
	lo, hi float64
	log    bool
	ticks  []tick
}

type tick struct {
	at    float64 // the value
	label string
}

// logFrom is the ratio of the largest to the smallest cost from which an axis is logarithmic: below it, a linear one shows
// small costs apart from 0 well enough and needs no explaining.
const logFrom = 20

// mostTicks is how many ticks an axis has at most.
const mostTicks = 6

// at is where a value lies.
func (a axis) at(v float64) float64 {
	lo, hi := a.lo, a.hi
	if a.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	if hi <= lo {
		return 0
	}
	return (v - lo) / (hi - lo)
}

// linearAxis goes from 0 to a round number that is not below largest.
func linearAxis(largest float64, label func(float64) string) axis {
	if !(largest > 0) {
		return axis{hi: 1, ticks: []tick{{0, label(0)}}}
	}
	step := picture.Step(largest)
	n := int(math.Ceil(largest/step - 1e-9))
	a := axis{hi: float64(n) * step}
	for i := range n + 1 {
		a.ticks = append(a.ticks, tick{float64(i) * step, label(float64(i) * step)})
	}
	return a
}

// costAxis is for amounts above 0: logarithmic where they differ by a factor of 20 or more. Amounts of 0 have a place on
// a linear axis only; a logarithmic one has none, and the chart gives them a band of their own.
func costAxis(amounts []float64) axis {
	smallest, largest := math.Inf(1), 0.0
	for _, v := range amounts {
		if v > 0 {
			smallest, largest = min(smallest, v), max(largest, v)
		}
	}
	label := func(v float64) string { return "$" + strconv.FormatFloat(v, 'g', 3, 64) }
	if largest < logFrom*smallest {
		return linearAxis(largest, label)
	}
	a := axis{lo: smallest / 1.5, hi: largest * 1.5, log: true}
	for _, steps := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		a.ticks = nil
		for p := math.Floor(math.Log10(a.lo)); p <= math.Log10(a.hi); p++ {
			for _, s := range steps {
				if v := s * math.Pow(10, p); v >= a.lo && v <= a.hi {
					a.ticks = append(a.ticks, tick{v, label(v)})
				}
			}
		}
		if len(a.ticks) <= mostTicks {
			break
		}
	}
	for len(a.ticks) > mostTicks { // more than six powers of ten
		thin := a.ticks[:0]
		for i, t := range a.ticks {
			if i%2 == 0 {
				thin = append(thin, t)
			}
		}
		a.ticks = thin
	}
	return a
}
