// Package localisation is the environment in which a policy is given an issue and ranks the files that have to change:
// SWE-bench-style records over local checkouts.
//
//	records.go      the records: issue, commit, gold files
//	patch.go        unified diffs, which say what the gold files are
//	apply.go        a patch applied in memory, as git does; whether its files parse
//	answer.go       the ranking in a policy's answer
//	metrics.go      Acc@k, Recall@k, NDCG@k, MAP
//	environment.go  tasks and rollouts
//	score.go        rankings made elsewhere, scored
//	predictions.go  the file that the official SWE-bench harness reads
//
// Invariant: a policy sees the issue and the repository at its base commit, never the patch. Records, patches and
// answers are hostile texts: a path out of them is only ever compared with others, and what is opened on disk is the
// directory of a repository whose name was checked.
//
// Nothing is downloaded and no test is run: package patches tries what a policy proposed.
package localisation
