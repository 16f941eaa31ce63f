// Package pattern has regular expressions that are compiled when they are first used. The program has a thousand of them, most
// runs use few, and every start of it, each of a sandbox's worker too, would compile them all.
//
// Invariant: a Pattern is a *regexp.Regexp in all it does; one that does not compile panics, and [Check] finds it in a test.
package pattern

import (
	"errors"
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for concurrent use and is never copied.
type Pattern struct {
	once sync.Once
	text string
	re   *regexp.Regexp
}

// all are the patterns of the program, which are made while it starts.
var all []*Pattern

// New is a pattern for a variable of a package. Its syntax is regexp's.
func New(text string) *Pattern {
	p := &Pattern{text: text}
	all = append(all, p)
	return p
}

// Check compiles all patterns of the packages that are linked in, and says which cannot be.
func Check() error {
	var errs []error
	for _, p := range all {
		_, err := regexp.Compile(p.text)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Regexp is the expression itself.
func (p *Pattern) Regexp() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// String is the expression's text.
func (p *Pattern) String() string { return p.text }

// The methods of regexp.Regexp that are used.

func (p *Pattern) Match(b []byte) bool                  { return p.Regexp().Match(b) }
func (p *Pattern) MatchString(s string) bool            { return p.Regexp().MatchString(s) }
func (p *Pattern) FindString(s string) string           { return p.Regexp().FindString(s) }
func (p *Pattern) FindStringIndex(s string) []int       { return p.Regexp().FindStringIndex(s) }
func (p *Pattern) FindStringSubmatch(s string) []string { return p.Regexp().FindStringSubmatch(s) }
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.Regexp().FindStringSubmatchIndex(s)
}
func (p *Pattern) FindAllString(s string, n int) []string { return p.Regexp().FindAllString(s, n) }
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.Regexp().FindAllStringIndex(s, n)
}
func (p *Pattern) ReplaceAllString(s, by string) string { return p.Regexp().ReplaceAllString(s, by) }
func (p *Pattern) Split(s string, n int) []string       { return p.Regexp().Split(s, n) }

func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.Regexp().FindAllStringSubmatch(s, n)
}

func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.Regexp().FindAllStringSubmatchIndex(s, n)
}

func (p *Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.Regexp().ReplaceAllStringFunc(s, by)
}
