// Package train holds the words that everything about training shares: an Episode is one rollout as a policy lived it, a
// Segment is a sequence of tokens to learn from, a Step is one line of a run's metrics, a Run is the directory that a
// training leaves.
//
// The rooms below it:
//
//	demo     demonstrations: scripted policies of mixed quality, played in the real environment
//	sft      the first lessons: a model that imitates them, the good and the bad
//	grpo     reinforcement: groups of rollouts, and what was better than its group
//	dpo      preferences: of two rollouts of one task, the better one
//	engine   hand-over to other people's trainers
//	report   before and after, with intervals
//
// Invariant: the same inputs and seed give the same weights, bit for bit, whatever the number of cores and however often
// the run was interrupted: gradients are summed in the order of Shards, and a checkpoint holds all that the next step
// depends on.
//
// The package trains nothing itself, knows no command line and prints nothing.
package train
