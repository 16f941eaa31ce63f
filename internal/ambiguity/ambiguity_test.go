package ambiguity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/ambiguity"
)

type example struct {
	dialect ambiguity.Dialect
	text    string
	flags   ambiguity.Flags
	mode    ambiguity.Mode
}

func find(t testing.TB, e example, polynomial bool) (*ambiguity.Regex, ambiguity.Finding) {
	r, err := ambiguity.Parse(e.dialect, e.text, e.flags)
	if err != nil {
		t.Fatalf("%s: %v", e.text, err)
	}
	left := 20_000_000
	f, _ := r.Find(e.mode, polynomial, &left)
	return r, f
}

const (
	py   = ambiguity.Python
	js   = ambiguity.JavaScript
	java = ambiguity.Java
	pcre = ambiguity.PCRE
	ruby = ambiguity.Ruby
)

// TestExponential counts what each word costs: three pumps more cost seven times as much, at the least.
func TestExponential(t *testing.T) {
	for _, e := range []example{
		{py, `(a+)+$`, ambiguity.Flags{}, ambiguity.Search},
		{py, `^(\w+\s?)*$`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(a|aa)+$`, ambiguity.Flags{}, ambiguity.Prefix},
		{py, `(a|a)*b`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(x+x+)+y`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(a*)*b`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(.*)*,$`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(?P<all>([^,]+,?)+);`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(?:\d+|\w+ )+ # words` + "\n!", ambiguity.Flags{Spaced: true}, ambiguity.Full},
		{py, `(\w+)+`, ambiguity.Flags{}, ambiguity.Full},
		{js, `^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$`,
			ambiguity.Flags{}, ambiguity.Search},
		{js, `^(([a-z])+.)+[A-Z]([a-z])+$`, ambiguity.Flags{}, ambiguity.Search},
		{js, `(?:[^"\\]|\\.|[\s\S])*"x`, ambiguity.Flags{}, ambiguity.Search},
		{js, `^(?=.*z)?(?:a|[ab])*c`, ambiguity.Flags{}, ambiguity.Search},
		{js, `(A|a)+$`, ambiguity.Flags{Fold: true}, ambiguity.Search},
		{java, `^(([a-z])+.)+[A-Z]([a-z])+$`, ambiguity.Flags{}, ambiguity.Full},
		{java, `(\p{Alpha}+|[a-f]+)*!!`, ambiguity.Flags{}, ambiguity.Full},
		{pcre, `^(?:[[:alpha:]]+[[:alnum:]]*)+$`, ambiguity.Flags{}, ambiguity.Search},
		{pcre, `(\d{1,64})+$`, ambiguity.Flags{}, ambiguity.Search},
		{ruby, `\A(\h{1,30}|[0-9]+){1,90}\z`, ambiguity.Flags{}, ambiguity.Search},   // a counter in another
		{ruby, `\A(?!(admin|root))(\w+\s?)*\z`, ambiguity.Flags{}, ambiguity.Search}, // a group in a look-around
		{pcre, `^(a?b?)*$x`, ambiguity.Flags{Multiline: true}, ambiguity.Search},
	} {
		r, f := find(t, e, false)
		if f.Degree != ambiguity.Exponential {
			t.Errorf("%s: not found", e.text)
			continue
		}
		last := 0
		for n := 4; n <= 10; n += 3 {
			steps, _ := r.Steps(f.Word(n), e.mode, 5_000_000)
			if last > 0 && steps < 7*last && steps < 5_000_000 {
				t.Errorf("%s on %q: %d steps, then %d", e.text, f.Word(n), last, steps)
			}
			last = steps
		}
		if last < 3_000 {
			t.Errorf("%s on %q: %d steps", e.text, f.Word(10), last)
		}
	}
}

// TestPolynomial counts too: a word that is four times as long costs ten times as much, at the least.
func TestPolynomial(t *testing.T) {
	for _, e := range []example{
		{py, `\s+$`, ambiguity.Flags{}, ambiguity.Search},
		{py, `^\s*(.*?)\s*$x`, ambiguity.Flags{}, ambiguity.Search},
		{js, `^.*a.*a.*$b`, ambiguity.Flags{}, ambiguity.Search},
		{js, `\d+\d+x`, ambiguity.Flags{}, ambiguity.Search},
		{java, `.*<.*>.*`, ambiguity.Flags{}, ambiguity.Full},
		{pcre, `\A\w*\d*\z`, ambiguity.Flags{}, ambiguity.Search},
		{ruby, `\A\w*\d*(?!(x))\z`, ambiguity.Flags{}, ambiguity.Search},
	} {
		r, f := find(t, e, true)
		if f.Degree != ambiguity.Polynomial {
			t.Errorf("%s: %v", e.text, f)
			continue
		}
		short, _ := r.Steps(f.Word(30), e.mode, 50_000_000)
		if far, _ := r.Steps(f.Word(120), e.mode, 50_000_000); far < 10*short {
			t.Errorf("%s on %q: %d steps, then %d", e.text, f.Word(3), short, far)
		}
		if _, f := find(t, e, false); f.Degree != ambiguity.Linear {
			t.Errorf("%s: %v", e.text, f)
		}
	}
}

func TestHarmless(t *testing.T) {
	for _, e := range []example{
		{py, `(a+b)+`, ambiguity.Flags{}, ambiguity.Search},
		{py, `^[a-z]+(-[a-z]+)*$`, ambiguity.Flags{}, ambiguity.Search},
		{py, `(a+)+`, ambiguity.Flags{}, ambiguity.Search},            // always matches
		{py, `(?:a+)+?`, ambiguity.Flags{}, ambiguity.Prefix},         // so does this
		{py, `(?>a+)+$`, ambiguity.Flags{}, ambiguity.Prefix},         // nothing is given back
		{py, `(?:a++)+$`, ambiguity.Flags{}, ambiguity.Prefix},        // nor here
		{java, `(?:a+)++$`, ambiguity.Flags{}, ambiguity.Full},        // nor here
		{py, `(?:a|b)*c`, ambiguity.Flags{}, ambiguity.Prefix},        // one way for each letter
		{py, `(?:[^"\\]|\\.)*"`, ambiguity.Flags{}, ambiguity.Prefix}, // a text in quotes
		{py, `(?:\w+\s)*$`, ambiguity.Flags{}, ambiguity.Prefix},
		{py, `(?:\d{1,3}\.){3}\d{1,3}$`, ambiguity.Flags{}, ambiguity.Prefix},
		{py, `(?:a{1,2}){2}$`, ambiguity.Flags{}, ambiguity.Prefix},
		{js, `^(?:(?!b)a|b)*$`, ambiguity.Flags{}, ambiguity.Search},
		{js, `^(?:(?=b)a|a)*$`, ambiguity.Flags{}, ambiguity.Search}, // the first never matches
		{js, `^(?!.*aa)(?:a+)+b$`, ambiguity.Flags{}, ambiguity.Search},
		{js, `(?:\b\w+)+$`, ambiguity.Flags{}, ambiguity.Search}, // a word begins once
		{js, `^(?:[a-z]+\.)+[a-z]{2,}$`, ambiguity.Flags{}, ambiguity.Search},
		{js, `(?:a|b|ab)*`, ambiguity.Flags{}, ambiguity.Search},
		{pcre, `\A[\w+\-.]+@[a-z\d\-]+(\.[a-z\d\-]+)*\.[a-z]+\z`, ambiguity.Flags{Fold: true}, ambiguity.Search},
		{ruby, `\A(\h+|[0-9]+)+\z`, ambiguity.Flags{}, ambiguity.Search}, // Ruby remembers
		{ruby, `\A(\w{1,64}\s?)+\z`, ambiguity.Flags{}, ambiguity.Search},
		{ruby, `\A(?=(?:\w+\s?)*;)`, ambiguity.Flags{}, ambiguity.Search},
		{pcre, `~^(?:[^/]+/)*[^/]+$~`, ambiguity.Flags{}, ambiguity.Search},
	} {
		if _, f := find(t, e, false); f.Degree != ambiguity.Linear {
			t.Errorf("%s: %v", e.text, f)
		}
	}
	for _, e := range []example{
		{py, `a+$`, ambiguity.Flags{}, ambiguity.Prefix},
		{js, `^\s+|x`, ambiguity.Flags{}, ambiguity.Search},
		{js, `[^a]`, ambiguity.Flags{}, ambiguity.Search},
		{js, `^[a-z]+(?:-[a-z]+)*$`, ambiguity.Flags{}, ambiguity.Search},
		{java, `[a-z]+\d+`, ambiguity.Flags{}, ambiguity.Full},
		{js, `[a-z]{0,50}x`, ambiguity.Flags{}, ambiguity.Search}, // fifty times, no more
	} {
		if _, f := find(t, e, true); f.Degree != ambiguity.Linear {
			t.Errorf("%s: %v", e.text, f)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, e := range []example{
		{dialect: py, text: `(a)\1+`}, {dialect: py, text: `(a`}, {dialect: py, text: `a)`}, {dialect: py, text: `(?P=n)`},
		{dialect: py, text: `(?(1)a|b)`}, {dialect: pcre, text: `(?R)`}, {dialect: pcre, text: `(*SKIP)`}, {dialect: py, text: `*a`},
		{dialect: java, text: `[a-z&&[^b]]`}, {dialect: py, text: `a{2000}`}, {dialect: py, text: `[b-a]`}, {dialect: py, text: `[a`},
		{dialect: py, text: `\`}, {dialect: py, text: `\p{L}`}, {dialect: js, text: `\u{110000}`, flags: ambiguity.Flags{Unicode: true}},
		{dialect: ruby, text: `\g<1>`}, {dialect: py, text: strings.Repeat("a", 5000)},
	} {
		if _, err := ambiguity.Parse(e.dialect, e.text, e.flags); err == nil {
			t.Errorf("%.40s is understood", e.text)
		}
	}
}

// TestBounded gives expressions that would take for ever.
func TestBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 3000), strings.Repeat("(", 90) + "a" + strings.Repeat(")*", 90) + "b", strings.Repeat("(a*)*", 500) + "b",
		"(" + strings.Repeat("a?", 900) + ")*b", "((((a{0,12}){0,12}){0,12}){0,12})*b", strings.Repeat("a|", 1500) + "b",
		"(" + strings.Repeat("a|", 390) + "a)*b", "((((){1000}){1000}){1000}){1000}x", "(" + strings.Repeat("a*", 100) + ")*b",
		strings.Repeat(".*", 190) + "b", strings.Repeat("(?<=", 40) + "a*" + strings.Repeat(")", 40), "a" + strings.Repeat("+", 3000),
	} {
		began := time.Now()
		if r, err := ambiguity.Parse(pcre, text, ambiguity.Flags{}); err == nil {
			left := 20_000_000
			r.Find(ambiguity.Search, true, &left)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%.40s takes %v", text, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`(a+)+$`, `[^]\d-z]{2,}?`, `(?i-x:a)(?#c)\Qb\E`, `[[:alpha:]]\p{Lu}\x{41}\u0041\cA`, `(?<n>a)++|(?>b)*+`} {
		f.Add(0, s)
		f.Add(4, s)
	}
	f.Fuzz(func(t *testing.T, dialect int, text string) {
		r, err := ambiguity.Parse(ambiguity.Dialect(dialect), text, ambiguity.Flags{Spaced: dialect%2 == 1, Fold: dialect%3 == 1})
		if err != nil {
			return
		}
		left := 1_000_000
		if found, ok := r.Find(ambiguity.Search, true, &left); ok && found.Pump == "" {
			t.Errorf("%q: %v", text, found)
		}
	})
}
