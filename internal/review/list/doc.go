// Package list reviews the repositories of a list, each by itself, and says in one summary what came of all.
//
//	entries.go   what stands in a list
//	list.go      the reviews: begun, gone on with, several at once, one budget
//	estimate.go  what they would do, without doing it
//	summary.go   what came of them
//	text.go      the same for people
//
// Invariants: a repository that cannot be fetched or read does not end the others; a review that is done is never repeated;
// what all of them together spend is at most the budget.
package list
