package optim

import (
	"fmt"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// AdamW is how to step. The zero value works.
type AdamW struct {
	Beta1 float64 // How much of the mean gradient is kept in a step. Defaults to 0.9.
	Beta2 float64 // How much of the mean squared gradient is kept in a step. Defaults to 0.98.
	Eps   float64 // Added to the root of the mean square. Defaults to 1e-8.
	Decay float64 // Share of each matrix, times the rate, that is taken away in a step; norms keep theirs. Defaults to 0.
}

func (c AdamW) withDefaults() AdamW {
	set := func(p *float64, v float64) {
		if *p == 0 {
			*p = v
		}
	}
	set(&c.Beta1, 0.9)
	set(&c.Beta2, 0.98)
	set(&c.Eps, 1e-8)
	return c
}

// Optimizer holds the moments of some parameters.
type Optimizer struct {
	config AdamW
	params []transformer.Param
	step   int
	m, v   [][]float32 // means of the gradient and of its square, a parameter each
}

// New makes an optimizer of the parameters, which it writes to in each step.
func New(params []transformer.Param, c AdamW) *Optimizer {
	o := &Optimizer{config: c.withDefaults(), params: slices.Clone(params)}
	for _, p := range params {
		o.m = append(o.m, make([]float32, len(p.Data)))
		o.v = append(o.v, make([]float32, len(p.Data)))
	}
	return o
}

// Step moves the parameters against a gradient at a learning rate (Loshchilov and Hutter 2019, algorithm 2). It panics
// if the gradient is of other parameters.
func (o *Optimizer) Step(g *transformer.Grads, rate float64) {
	if len(g.Data) != len(o.params) {
		panic(fmt.Sprintf("optim: a gradient of %d tensors for %d parameters", len(g.Data), len(o.params)))
	}
	o.step++
	c := o.config
	s := moments{
		beta1: float32(c.Beta1), beta2: float32(c.Beta2), eps: float32(c.Eps),
		rate:   float32(rate / (1 - math.Pow(c.Beta1, float64(o.step)))),
		square: float32(1 / (1 - math.Pow(c.Beta2, float64(o.step)))),
	}
	for i, p := range o.params {
		if len(g.Data[i]) != len(p.Data) {
			panic(fmt.Sprintf("optim: a gradient of %d values for the %d of %s", len(g.Data[i]), len(p.Data), p.Name))
		}
		s.keep = 1
		if len(p.Shape) > 1 {
			s.keep = float32(1 - rate*c.Decay)
		}
		s.update(p.Data, o.m[i], o.v[i], g.Data[i])
	}
}

// moments is what a step does to every value alike, bias corrections included.
type moments struct{ beta1, beta2, eps, rate, square, keep float32 }

// update steps one parameter. Products are rounded before they are added, so that no compiler fuses them and a resumed
// run gives the same bits on any machine.
func (s moments) update(w, m, v, g []float32) {
	r1, r2 := 1-s.beta1, 1-s.beta2
	m, v, g = m[:len(w)], v[:len(w)], g[:len(w)]
	for i, x := range g {
		m[i] = float32(s.beta1*m[i]) + float32(r1*x)
		v[i] = float32(s.beta2*v[i]) + float32(float32(r2*x)*x)
		root := float32(math.Sqrt(float64(float32(v[i] * s.square))))
		w[i] = float32(w[i]*s.keep) - float32(s.rate*m[i])/(root+s.eps)
	}
}
