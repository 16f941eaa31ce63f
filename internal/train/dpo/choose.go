package dpo

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/deeprepo/deeprepo/internal/train"
)

// Group is a task and the rollouts of it that count. Its JSON is one line of rollouts.jsonl.
type Group struct {
	Place     int    `json:"place"` // in the pool
	Task      string `json:"task"`
	Tokenizer string `json:"tokenizer,omitempty"`
	Rollouts  []Side `json:"rollouts"`
	// Dropped are those that failed for reasons of the machine.
	Dropped int `json:"dropped,omitempty"`
}

// choose makes pairs of a task's rollouts: the best with the worst, the second best with the second worst, and so on, as
// long as they are at least gap apart, and at most so many. No rollout is in two pairs. Those of equal reward stand in
// the order in which they were played.
func choose(g Group, gap float64, most int) []Pair {
	order := slices.Clone(g.Rollouts)
	order = slices.DeleteFunc(order, func(s Side) bool { // a policy that wrote nothing has nothing to learn
		return len(s.Exchanges) == 0 || g.Tokenizer != "" && len(s.Sequences) == 0
	})
	slices.SortStableFunc(order, func(a, b Side) int { return cmp.Compare(b.Reward, a.Reward) })
	var out []Pair
	for i, j := 0, len(order)-1; i < j && len(out) < most; i, j = i+1, j-1 {
		p := Pair{Task: g.Task, Prompt: order[i].Exchanges[0].View, Tokenizer: g.Tokenizer, Chosen: order[i], Rejected: order[j]}
		if p.gap() < gap || p.check() != nil {
			break
		}
		out = append(out, p)
	}
	return out
}

// everyHeldout says which tasks the held-out pairs come from: one in so many.
const everyHeldout = 10

// Split makes pairs of groups, and parts them by tasks: those to learn from, in their order, and at most heldout of
// those that are only measured. The order is such that every beginning of it is spread over as many tasks as there are:
// first one pair of every task, then a second one. Which pair of a task comes first is drawn, so that smaller parts hold
// pairs as far apart as larger ones do.
func Split(groups []Group, gap float64, perTask, heldout int, seed int64) (learn, measure []Pair) {
	var tasks, others [][]Pair
	for _, g := range groups {
		pairs := choose(g, gap, perTask)
		rng := rand.New(rand.NewPCG(train.Derive(seed, forPairs, g.Place), 0)) // it decides an order
		rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		if heldout > 0 && g.Place%everyHeldout == everyHeldout-1 {
			others = append(others, pairs)
		} else {
			tasks = append(tasks, pairs)
		}
	}
	learn, measure = spread(tasks), spread(others)
	return learn, measure[:min(heldout, len(measure))]
}

// spread takes one pair of every task in turn.
func spread(tasks [][]Pair) []Pair {
	var out []Pair
	for k, left := 0, true; left; k++ {
		left = false
		for _, pairs := range tasks {
			if k < len(pairs) {
				out, left = append(out, pairs[k]), true
			}
		}
	}
	return out
}

// What a derived seed is for.
const (
	forWorkers = "dpo workers" // the luck of simulated workers: the rollouts of a task share it
	forPolicy  = "dpo policy"  // what the policy draws: every rollout has its own
	forPairs   = "dpo pairs"   // which pair of a task comes first
	forOrder   = "dpo order"   // the order in which pairs are learnt
)

// HoldOut parts pairs that have their order already: at most so many of the pairs of every tenth task, in the order in
// which tasks first come, are to be measured only; the others of those tasks are left out.
func HoldOut(all []Pair, heldout int) (learn, measure []Pair) {
	places := map[string]int{}
	for _, p := range all {
		place, ok := places[p.Task]
		if !ok {
			place = len(places)
			places[p.Task] = place
		}
		if place%everyHeldout == everyHeldout-1 {
			measure = append(measure, p)
		} else {
			learn = append(learn, p)
		}
	}
	return learn, measure[:min(heldout, len(measure))]
}
