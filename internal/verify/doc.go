// Package verify says which generated programs are right: it reads samples in the forms that other harnesses write,
// judges each in the sandbox, and counts the verdicts.
//
// Start at verifier.go. [Open] reads samples, [New] makes a Verifier, [Verifier.Gate] runs the controls,
// [Verifier.Verify] judges a stream of samples in order, [Ledger] counts and [Ledger.Diagnosis] names what looks wrong
// with the run rather than with the model. A Verifier has four rooms: reader.go finds the program in a sample, judge.go
// runs it, bounds.go says what it may use, gate.go whether anything may be judged at all.
//
// Invariants: no sample is judged before the gate has passed in the same Verifier: references pass (but for failures
// that are known by id), and programs that cannot be right do not. A fault of the sandbox is never a failed sample. A
// sample's contents are never changed or cut, only read. The same samples get the same verdicts on every machine,
// unless the clock strikes where the step budget should have (Result.Clock says so).
//
// The package generates nothing, prints nothing, knows no directory, and computes no score: that is codeeval's.
package verify
