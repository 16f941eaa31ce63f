// Package localisation is the environment in which a policy is given an issue and ranks the files and functions that have to
// change: SWE-bench-style records over local repositories, bare ones too.
//
//	records.go      the records: issue, commit, gold files
//	patch.go        unified diffs, which say what the gold files are
//	apply.go        a patch applied in memory, as git does; whether its files parse
//	gold.go         gold functions and lines, by the syntax trees before and after a patch
//	answer.go       the rankings in a policy's answer
//	metrics.go      Acc@k, Recall@k, NDCG@k, MAP, MRR of files and functions; gold lines in ranges
//	environment.go  tasks and rollouts
//	score.go        rankings made elsewhere, scored
//	predictions.go  the file that the official SWE-bench harness reads
//
// Invariant: a policy sees the issue and the repository at its base commit, never the patch, the tests that come with it, or a later
// commit. Records, patches and
// answers are hostile texts: a path out of them is only ever compared with others, and what is opened on disk is the
// directory of a repository whose name was checked.
//
// Nothing is downloaded and no test is run: package patches tries what a policy proposed.
package localisation
