package grpo

import (
	"math/rand/v2"

	"github.com/deeprepo/deeprepo/internal/env"
)

// schedule says which task is played where and with which luck. All of it is a function of the seed and the place, so
// that a step can be repeated.
type schedule struct {
	selection env.Selection
	size      int // tasks of a closed set; 0: no end of them
	perStep   int // tasks that a step may play at most
}

// task is the index of the task that stands at a place of a step: always a new one if there is no end of them; a
// closed set is gone through in a new order each time.
func (s schedule) task(step, place int) int {
	n := step*s.perStep + place
	if s.size == 0 {
		return n
	}
	round := n / s.size
	rng := rand.New(rand.NewPCG(uint64(s.selection.Seed), uint64(round))) // it decides an order
	return rng.Perm(s.size)[n%s.size]
}

// What a derived seed is for.
const (
	forWorkers = "workers" // the luck of simulated workers: a group shares it, so that an advantage is the policy's own
	forPolicy  = "policy"  // what the policy draws: every conversation has its own
	forHeldout = "heldout" // the same of held-out rollouts, which are the same at every measurement
	forOrder   = "order"   // the order of groups in the minibatches
)
