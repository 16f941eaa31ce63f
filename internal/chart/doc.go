// Package chart draws: lines over steps, and the parts of which other pictures are made (marks, round numbers, texts).
//
// Invariant: what comes out is SVG with no script, no link and no picture of another's in it; whatever stands in a name,
// it is text.
//
// The package knows no runs and measures nothing.
package chart
