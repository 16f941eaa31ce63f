// Package report says what a training was worth: the summary that it leaves, with the policy before and after on tasks
// that were held out, and how it went step by step.
//
// It trains nothing and plays nothing.
package report
