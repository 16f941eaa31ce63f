package transformer

import (
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Grads is the gradient of every tensor of a list of parameters, in the list's order.
type Grads struct {
	Data [][]float32 // one a parameter, of its length

	flat   []float32 // all of Data, one after the other, as the weights lie
	target *target   // flat, cut as the first pass that added to it cuts its weights
}

// NewGrads makes zero gradients for the parameters.
func NewGrads(params []Param) *Grads {
	n := 0
	for _, p := range params {
		n += len(p.Data)
	}
	g := &Grads{flat: make([]float32, n)}
	rest := g.flat
	for _, p := range params {
		g.Data = append(g.Data, rest[:len(p.Data):len(p.Data)])
		rest = rest[len(p.Data):]
	}
	return g
}

// Zero sets all to zero.
func (g *Grads) Zero() { clear(g.flat) }

// Add adds another gradient of the same parameters.
func (g *Grads) Add(o *Grads) {
	if len(o.flat) != len(g.flat) {
		panic(fmt.Sprintf("transformer: a gradient of %d values is added to one of %d", len(o.flat), len(g.flat)))
	}
	tensor.Axpy(g.flat, 1, o.flat)
}

// Norm is the Euclidean length of the whole gradient.
func (g *Grads) Norm() float64 {
	s := 0.0
	for _, v := range g.flat {
		s += float64(v) * float64(v)
	}
	return math.Sqrt(s)
}

// Scale multiplies all by k.
func (g *Grads) Scale(k float32) {
	tensor.Scale(g.flat, k)
}
