// Package taxonomy is the only list of the words for defects: what kind one is of, and how grave it is.
package taxonomy

import "slices"

// Category is a kind of defect.
type Category struct {
	Word     string // what findings say
	Title    string // for headings
	Sentence string // what such a defect is
	Security bool   // somebody may attack it
	Rule     bool   // a static rule may claim it: it is a defect, and of a kind
}

// table holds the categories in the order in which workers are shown them.
var table = []Category{
	{"injection", "Injection", "Input reaches an interpreter (SQL, shell, code) as part of the program.", true, true},
	{"path-traversal", "Path traversal", "Input decides which file is read or written.", true, true},
	{"xss", "Cross-site scripting", "Input reaches a page without escaping.", true, true},
	{"ssrf", "Server-side request forgery", "Input decides which host the server talks to.", true, true},
	{"weak-crypto", "Weak cryptography", "A cipher, hash, random source or certificate check is too weak for its use.", true, true},
	{"secrets", "Secret in the code", "A password, key or token stands in the source.", true, true},
	{"deserialization", "Unsafe deserialization", "Untrusted bytes are turned into objects that can run code.", true, true},
	{"auth", "Authentication or authorization gap", "Something can be done by someone who should not be able to.", true, true},
	{"csrf", "Cross-site request forgery", "A foreign page can act in a user's name.", true, true},
	{"redirect", "Open redirect", "Input decides where a user is sent.", true, true},
	{"xxe", "XML external entity", "An XML parser follows what a document tells it to fetch or expand.", true, true},
	{"error-handling", "Error handling", "An error is lost, hidden or handled wrongly.", false, true},
	{"resource-leak", "Resource leak", "Something that is opened is not closed on every path.", false, true},
	{"concurrency", "Concurrency", "Two things that run at once get in each other's way.", false, true},
	{"memory-safety", "Memory safety", "Memory is read or written outside its bounds or its life.", true, true},
	{"null-dereference", "Null dereference", "A value that may be absent is used as if it were there.", false, true},
	{"off-by-one", "Off by one", "A boundary is one too far or one too near.", false, true},
	{"comparison", "Comparison", "A comparison does not compare what it should.", false, true},
	{"api-misuse", "API misuse", "A function is used against its contract.", false, true},
	{"data-loss", "Data loss", "Data can be lost, cut or damaged.", false, true},
	{"dead-code", "Dead code", "Code that can never run or has no effect.", false, true},
	{"test-quality", "Test quality", "A test that cannot fail, or does not test what it says.", false, true},
	{"performance", "Performance", "More time or memory is spent than the task needs.", false, true},
	{"configuration", "Configuration", "A setting is unsafe or wrong.", true, true},
	{"logic", "Logic", "The code does something else than it should.", false, true},
	{"privacy", "Privacy", "Personal or internal data goes where it should not.", true, true},
	{"maintainability", "Maintainability", "The code is harder to change than it needs to be.", false, false},
	{Other, "Other", "A defect of another kind.", false, false},
}

// Other is the category of what fits no other one.
const Other = "other"

// Severities of a defect.
const (
	Critical = "critical"
	High     = "high"
	Medium   = "medium"
	Low      = "low"
	Info     = "info"
)

var severities = []string{Critical, High, Medium, Low, Info}

// Categories lists the words that a finding's category is one of.
func Categories() []string {
	words := make([]string, len(table))
	for i, c := range table {
		words[i] = c.Word
	}
	return words
}

// About is what there is to say of a category. A word that is none counts as [Other].
func About(word string) Category {
	for _, c := range table {
		if c.Word == word {
			return c
		}
	}
	return table[len(table)-1]
}

// IsCategory reports whether a word is one of the categories.
func IsCategory(word string) bool { return About(word).Word == word }

// Severities lists the severities from the worst to the mildest.
func Severities() []string { return slices.Clone(severities) }

// Rank is 5 for critical down to 1 for info, and 0 for any other word.
func Rank(severity string) int {
	if i := slices.Index(severities, severity); i >= 0 {
		return len(severities) - i
	}
	return 0
}

// Milder is the next severity below, and the mildest itself.
func Milder(severity string) string {
	if r := Rank(severity); r > 1 {
		return severities[len(severities)-r+1]
	}
	return severity
}

// exhaustion are the CWEs of work or memory that somebody else may drive up: regular expressions, loops and allocations.
var exhaustion = []string{"CWE-400", "CWE-770", "CWE-1333"}

// Attackable reports a defect that somebody may attack, by its category or, where that says nothing of it, by its CWE.
func Attackable(category, cwe string) bool {
	return About(category).Security || slices.Contains(exhaustion, cwe)
}
