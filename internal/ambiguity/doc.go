// Package ambiguity decides whether a regular expression takes a matcher that backtracks (Python, JavaScript, Java, PCRE, Ruby)
// exponential or polynomial time, and gives words on which it does.
//
// An expression becomes an automaton whose states are its characters. It is exponentially ambiguous when a word leads from a
// state back to itself in two ways, and polynomially ambiguous when a word leads from p to p, from p to q and from q to q: both
// are decided on products of the automaton with itself (Weber and Seidl, 1991; Weideman, van der Merwe, Berglund and Watson,
// 2016, for matchers that backtrack). What is found is a candidate only: it is believed when a matcher that backtracks, and counts
// its steps, is slow on the word with an end that does not match.
//
// Invariant: time and memory are bounded for any text; what is over a bound, or unknown, is taken for harmless.
//
// Ruby's matcher remembers where it failed (3.3 and later), so that most expressions are linear there, whatever their automaton says.
//
// It knows no back-references, conditions and recursion, and takes \w, \d and \s for those of ASCII.
package ambiguity

// A Dialect is how a language spells regular expressions.
type Dialect int

// The languages whose matchers backtrack. Those of Go and Rust do not.
const (
	Python Dialect = iota
	JavaScript
	Java
	PCRE
	Ruby
)

// Flags are what a flag of an expression changes.
type Flags struct{ Fold, Multiline, DotAll, Spaced, Unicode bool }

// Mode is where a match may begin and must end.
type Mode int

// The modes.
const (
	Search Mode = iota // anywhere
	Prefix             // at the begin of the text
	Full               // at its begin and at its end
)

// Degree is how the time grows with the length of the text.
type Degree int

// The degrees.
const (
	Linear Degree = iota
	Polynomial
	Exponential
)

// Finding is a word that costs time: prefix, then pump many times, then suffix.
type Finding struct {
	Degree               Degree
	Prefix, Pump, Suffix string
}

// Word is the text in which the pump stands n times.
func (f Finding) Word(n int) string {
	word := []byte(f.Prefix)
	for range n {
		word = append(word, f.Pump...)
	}
	return string(append(word, f.Suffix...))
}

// Regex is a parsed expression.
type Regex struct {
	root    *node
	dialect Dialect
}

// Find looks for a word on which the expression takes exponential time, or polynomial time where that is wanted too. It takes its
// steps from what is left, and finds nothing where nothing is.
func (r *Regex) Find(mode Mode, polynomial bool, left *int) (Finding, bool) {
	if !r.root.loops(false) && !polynomial || *left <= 0 || r.dialect == Ruby && r.root.remembers(false, false) {
		return Finding{}, false
	}
	a, ok := compile(r.root)
	if !ok {
		return Finding{}, false
	}
	*left -= maxPairs / 10 // a walk over pairs is faster than a match
	for _, f := range a.exponential() {
		if f, ok := r.slow(f, mode, left, r.explodes); ok {
			return f, true
		}
	}
	if !polynomial {
		return Finding{}, false
	}
	*left -= maxPairs / 10
	for _, f := range a.polynomial(mode == Search) {
		if f, ok := r.slow(f, mode, left, r.squares); ok {
			return f, true
		}
	}
	return Finding{}, false
}

// slow tries ends at which the expression may fail.
func (r *Regex) slow(f Finding, mode Mode, left *int, test func(Finding, Mode, *int) bool) (Finding, bool) {
	for _, f.Suffix = range ends {
		if *left > 0 && test(f, mode, left) {
			return f, true
		}
	}
	return f, false
}

// ends are what an expression may fail at.
var ends = []string{"!", "\x00", "\n", "", "~", " ", "a", "0", "\n\n", "\u2603"}

// explodes tells whether a word of some pumps costs at least so many steps. Two ways for each of 22 pumps are four million; a
// polynomial of the third degree is below a tenth of what is enough.
func (r *Regex) explodes(f Finding, mode Mode, left *int) bool {
	const pumps, enough = 22, 200_000
	steps, done := r.Steps(f.Word(pumps), mode, enough)
	*left -= steps
	return !done
}

// squares tells whether a text that is four times as long costs ten times as much, at the least.
func (r *Regex) squares(f Finding, mode Mode, left *int) bool {
	const short, most = 300, 300_000
	steps, done := r.Steps(f.Word(short), mode, most)
	*left -= steps
	if !done || steps < short*short/8 {
		return !done
	}
	steps, done = r.Steps(f.Word(4*short), mode, 10*steps)
	*left -= steps
	return !done
}
