// Package opinion gets a second opinion on a finding: a model is shown the code that decides it, and its verdict counts as
// far as it quotes that code.
//
// [Opinions.Check] compares what the finding's own text says with the code, without a model. [Opinions.Question] makes the
// prompt: the function around the finding, what it uses, what uses it, and what the finding names, resolved by the code
// graph. [Opinions.Weigh] reads the reply. [Settle] says what a verdict does to its finding.
//
// The invariant: no verdict takes a finding out of the main list, or grades it lower, unless it quotes lines that stand in
// code which the verifier was shown, run, have to do with the finding, and say more than the finding itself quotes.
//
// It does not ask: package rlm does, under its rules for money, the journal and secrets.
package opinion
