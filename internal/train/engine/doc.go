// Package engine hands a training over to other people's trainers: TRL, prime-rl, verl and Tinker. It writes the files that
// they are started with, starts them where they are installed, follows what they say about each step, and makes the
// adapter that comes out known to the server that will serve it.
//
// Invariant: the training data stay deeprepo's. Tasks, sandbox, workers and rubric are those of a served environment,
// pairs those that `deeprepo pairs build` verified; no engine computes its own reward. The same options write the same
// bytes.
//
// The package trains nothing, installs nothing and sends only the adapter's name and path to the given endpoint. It is
// not where the embedded trainer is: that is grpo, dpo and sft beside it.
package engine
