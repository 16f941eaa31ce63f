// Package rollout has a fleet play rollouts: for an eval, and for reinforcement. [Evals] is the coordinator's side, [Player]
// the worker's.
//
// A worker opens environment and models by their names, with its own keys. What a rollout pays for stands in its journal at
// the hub before it is used, and is leased of the eval's budget before it is spent, so a rollout goes on wherever it was when
// its worker, its coordinator or both are gone.
package rollout
