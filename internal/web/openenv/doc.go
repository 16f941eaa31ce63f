// Package openenv serves an environment over OpenEnv's protocol (HTTP and WebSocket), so that its clients, TRL,
// verifiers and prime-rl play and train on it without any code of ours.
//
// An episode inverts the loop: it is a goroutine inside Environment.Roll whose root model, instead of computing a
// reply, hands what the policy is to see next to the client and waits for the client's message. An action is one field,
// the policy's whole reply; the reward comes with the last step and is 0 before it.
//
// Invariants: one connection has at most one episode; an episode holds no lock while it waits; whatever ends it (an
// answer, a disconnect, an idle client, a shutdown), Roll has returned and its memory is free before its place in the
// capacity is. No message of a client ends the connection: it is answered by an error that says what was wrong, and the
// episode continues; only one that is still being sent far beyond the limit, or that was sent ahead of eight others,
// does. A token guards everything but /health.
//
// The package computes no reward and knows no environment by name.
package openenv
