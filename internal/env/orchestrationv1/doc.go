// Package orchestrationv1 is the reference project's environment (environments/deeprepo_orchestration of
// Leonwenhao/deeprepo at c8cd2b1, under verifiers 0.1.10) built again, to the digit, so that its published rewards can
// be reproduced and its reward can be audited with the same policies as ours.
//
//	reward.go      delegation_reward, each part a function
//	repl_v1.py     what a cell sees: the preloaded names, the builtins that are left, the mocked workers
//	repl.go        that REPL in our sandbox
//	fences.go      which parts of a reply are cells
//	roll.go        one rollout; its events are journaled as package rlm journals its own
//	tasks.go       tasks out of the reference's task files, or made of any codebase
//	shuffle.go     Python's random.Random(seed).shuffle, which decides their order
//
// # What is the same
//
// Everything that a reward can depend on, and the ways to cheat: `metadata` is an ordinary dict and its total_files is
// read back, `codebase` too, the ledger of delegated files can be reached through llm_query's closure, a path counts as
// delegated when it is a substring of any prompt, workers never report a
// defect, bullets cost nothing, doing nothing earns 0.20. A reply without a cell costs a turn. A cell that raises
// TimeoutError is told that it timed out.
//
// The published num_turns is one more than the turns played: verifiers asks the model once more after set_answer,
// because the environment never sets final_env_response. We do not make that call, and report the number as it would be
// printed. For the same reason the 20th of 20 replies is asked for and never run there; here it is not asked for.
//
// # What is not
//
// Code runs in our sandbox, so nothing of the host is in reach (the reference's two known escapes find an empty guest);
// a cell has step and memory limits, and its time limit holds. The reference's closures also hold the turn counter and
// the ground truth; ours do not. Tracebacks leave out the harness's own frames, whose paths differ with every
// installation. Where the reference's bookkeeping raises (a total_files that is a list, an answer that is a number)
// verifiers counts 0, and so do we; a total_files that is not a number (NaN) gives 0 here and NaN there. The system
// prompt and the notices to the model say the same in words of our own; the mocked workers' replies are the reference's to
// the letter, since reports that paste them are scored by their words. Half a surrogate pair in an answer becomes U+FFFD.
//
// It is not an environment to train in: package orchestration is.
package orchestrationv1
