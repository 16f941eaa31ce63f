package optim

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
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
	s := tensor.Adam{Rate: rate, Beta1: o.config.Beta1, Beta2: o.config.Beta2, Eps: o.config.Eps, Step: o.step, Scale: 1}
	for i, p := range o.params {
		if len(g.Data[i]) != len(p.Data) {
			panic(fmt.Sprintf("optim: a gradient of %d values for the %d of %s", len(g.Data[i]), len(p.Data), p.Name))
		}
		s.Decay = 0
		if len(p.Shape) > 1 {
			s.Decay = o.config.Decay
		}
		s.Update(p.Data, g.Data[i], o.m[i], o.v[i])
	}
}
