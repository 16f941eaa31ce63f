// Package finding holds what a review claims about a codebase: one Finding is one claimed defect at one place.
//
// A finding passes through three functions on its way to a report. [Parse] reads it out of a worker's reply, which is
// hostile text. [Ground] looks for the code it quotes and throws out what quotes nothing. [Merge] joins claims that
// several workers made about the same place and gives each its ID.
//
// The invariant: a finding with Grounded true carries as Evidence the text that stands at File, lines Line to EndLine,
// copied from the codebase and not from the model.
//
// [Match] compares claims with a ground truth, where there is one.
//
// The package does not judge whether a claim is true by itself, and does not render it.
package finding

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// Finding is one claimed defect, as report.json has it.
type Finding = runfile.Finding

// NormalSeverity maps a worker's own word to one of [taxonomy.Severities]; what it cannot place is "medium".
func NormalSeverity(word string) string {
	w := strings.ToLower(strings.TrimSpace(word))
	w = strings.Trim(w, "[](){}*_`'\":. ")
	if taxonomy.Rank(w) > 0 {
		return w
	}
	switch w {
	case "blocker", "crit", "fatal", "severe", "p0", "sev0", "very high", "5":
		return "critical"
	case "major", "error", "important", "p1", "sev1", "4":
		return "high"
	case "moderate", "normal", "warning", "warn", "med", "p2", "sev2", "3":
		return "medium"
	case "minor", "weak", "p3", "sev3", "2":
		return "low"
	case "information", "informational", "note", "none", "nit", "nitpick", "trivial", "style", "hint", "suggestion", "p4", "very low", "1":
		return "info"
	}
	// "High severity", "medium-high": the worst word named.
	for _, s := range taxonomy.Severities() {
		if strings.Contains(w, s) {
			return s
		}
	}
	return "medium"
}

// NormalCWE maps "cwe-89: SQL Injection", "89" and the like to "CWE-89", and all else to "".
func NormalCWE(s string) string {
	t := strings.ToUpper(strings.TrimSpace(s))
	if i := strings.Index(t, "CWE"); i >= 0 {
		t = strings.TrimLeft(t[i+3:], "-_: ")
	}
	n := 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	if n == 0 || n > 5 {
		return ""
	}
	v, err := strconv.Atoi(t[:n])
	if err != nil || v == 0 {
		return ""
	}
	return "CWE-" + strconv.Itoa(v)
}
