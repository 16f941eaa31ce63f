package rule

import "github.com/deeprepo/deeprepo/internal/runfile"

// TestPolicy says what becomes of a rule in test files, examples and fixtures.
type TestPolicy string

const (
	LowerInTests TestPolicy = ""     // matches are reported one severity step lower, and not below medium
	SkipInTests  TestPolicy = "skip" // the rule does not run there
	SameInTests  TestPolicy = "same" // the rule is about tests, or as grave there as anywhere
)

// Rule is one static check, as its txtar file describes it. Its Check function must stay silent when it is not sure: a
// false alarm costs the reader more than a silent rule.
type Rule struct {
	ID          string // "python/sql-injection": the home language and a kebab-case name
	Title       string // one line without a trailing period: what is wrong
	Category    string // one of taxonomy.Categories
	CWE         string // "CWE-89", or "" where none fits
	Severity    string // one of taxonomy.Severities
	Languages   []string
	Explanation string     // why it is wrong, for somebody who has not met it
	Suggestion  string     // what to write in its place
	Confidence  float64    // share of matches believed right, 0..1
	InTests     TestPolicy // Defaults to LowerInTests

	Bad  []Sample // the rule matches each at least once
	Good []Sample // the rule matches none

	Check func(p *Pass)
}

// Sample is a small source file that shows a rule at work.
type Sample struct {
	Path   string // Defaults to a production file name of the rule's first language
	Source string
}

// Match is one place where a rule fired.
type Match struct {
	Rule       string // Rule.ID
	Title      string
	Detail     string // what is particular to this place, "" if nothing
	Severity   string
	Category   string
	CWE        string
	Confidence float64
	Line       int // 1-based
	EndLine    int // 1-based, inclusive
	Evidence   string

	Explanation string
	Suggestion  string
	Path        []runfile.Step // of an untrusted value, where one leads here
}
