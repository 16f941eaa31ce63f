package optim

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// Clip scales a gradient down to a norm, where its norm is larger, and gives the norm it had. A max of 0 or less clips
// nothing (Pascanu et al. 2013, arXiv:1211.5063). A gradient that is not a number stays so: who trains looks at the norm.
func Clip(g *transformer.Grads, max float64) (norm float64) {
	norm = g.Norm()
	if max > 0 && norm > max && !math.IsInf(norm, 0) {
		g.Scale(float32(max / norm))
	}
	return norm
}

// Cosine is the rate at a step, counted from 0: it rises in a line over the warm-up to the peak, then falls along half a
// cosine to the floor, which it reaches at total (Loshchilov and Hutter 2017, arXiv:1608.03983) and keeps from there on.
func Cosine(step, total, warmup int, peak, floor float64) float64 {
	if step < warmup {
		return rise(step, warmup, peak)
	}
	return floor + (peak-floor)*0.5*(1+math.Cos(math.Pi*fallen(step, total, warmup)))
}

// Linear is as [Cosine], but falls in a line.
func Linear(step, total, warmup int, peak, floor float64) float64 {
	if step < warmup {
		return rise(step, warmup, peak)
	}
	return floor + (peak-floor)*(1-fallen(step, total, warmup))
}

// Constant is as [Cosine], but does not fall.
func Constant(step, warmup int, peak float64) float64 {
	if step < warmup {
		return rise(step, warmup, peak)
	}
	return peak
}

// rise reaches the peak in the warm-up's last step; its first step moves already.
func rise(step, warmup int, peak float64) float64 {
	return peak * float64(step+1) / float64(warmup)
}

// fallen is the share of the way down, 0 to 1.
func fallen(step, total, warmup int) float64 {
	if step >= total {
		return 1
	}
	return float64(step-warmup) / float64(max(1, total-warmup))
}
