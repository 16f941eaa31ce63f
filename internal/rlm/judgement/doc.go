// Package judgement keeps what was claimed in a run, and what its root made of it.
//
// A [Book] takes the grounded and ungrounded claims of each dispatch and the root's judgements of the findings that they
// make: dismissed, graded anew, merged, verified. Nothing is deleted: a dismissed finding moves to a list of its own with
// its reason, and a claim that is made again after its dismissal follows it there.
//
// Claims and judgements come in under the keys of the calls that made them, concurrently and in any order; [Book.State]
// takes them in the order of their keys, so that the same calls give the same state. A judgement holds on to a claim, not
// to an ID: an ID is a digest of what a finding quotes, and changes when a stronger claim joins the finding.
package judgement
