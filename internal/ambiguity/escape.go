package ambiguity

import (
	"strconv"
	"strings"
	"unicode"
)

// escape reads what follows a backslash outside of a class.
func (p *parser) escape() *node {
	c := p.peek()
	switch {
	case c == 'b' || c == 'B':
		p.at++
		return &node{op: edge, negative: c == 'B'}
	case c >= '1' && c <= '9':
		return p.fail() // a back-reference
	case p.dialect != JavaScript && strings.ContainsRune("AGzZQERXKkgC", c) || c == 'k' && p.dialect == JavaScript:
		return p.mark()
	}
	s, ok := p.escaped(false)
	if !ok {
		return p.fail()
	}
	return p.oneOf(s)
}

// mark reads an escape that is no character.
func (p *parser) mark() *node {
	c := p.peek()
	p.at++
	switch c {
	case 'A':
		return &node{op: begin}
	case 'z':
		return &node{op: end}
	case 'Z':
		if p.dialect == Python {
			return &node{op: end}
		}
		return &node{op: lastEnd}
	case 'R':
		return &node{op: alt, sub: []*node{{op: cat, sub: []*node{p.literal('\r'), p.literal('\n')}}, {op: char, set: breaks}}}
	case 'Q':
		n := &node{op: cat}
		for p.at < len(p.text) && !p.eat(`\E`) {
			n.sub = append(n.sub, p.literal(p.peek()))
			p.at++
		}
		return n
	}
	return p.fail()
}

// escaped reads what follows a backslash where it is a set of characters.
func (p *parser) escaped(inClass bool) (set, bool) {
	c := p.peek()
	p.at++
	switch c {
	case -1:
		return nil, false
	case 'd':
		return digits, true
	case 'D':
		return digits.not(), true
	case 'w':
		return words, true
	case 'W':
		return words.not(), true
	case 's':
		return spaces, true
	case 'S':
		return spaces.not(), true
	case 'p', 'P':
		return p.property(c == 'P')
	case 'n':
		return one('\n'), true
	case 'r':
		return one('\r'), true
	case 't':
		return one('\t'), true
	case 'f':
		return one('\f'), true
	case 'v':
		if p.dialect == JavaScript || p.dialect == Python {
			return one('\v'), true
		}
		return setOf([2]rune{'\n', '\r'}), true
	case 'a':
		return one('\a'), true
	case 'e':
		return one(0x1b), true
	case '0':
		return one(0), p.peek() < '0' || p.peek() > '9'
	case 'x', 'u':
		return p.code(c)
	case 'c':
		letter := p.peek()
		p.at++
		return one(letter & 0x1f), letter >= '@' && letter <= 'z'
	case 'h', 'H':
		return p.h(c == 'H')
	case 'b':
		return one('\b'), inClass
	}
	if c >= '1' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		known := p.dialect == JavaScript && !p.flags.Unicode && (c < '1' || c > '9')
		return one(c), known // JavaScript takes the letter
	}
	return one(c), true
}

// h reads \h: a digit of base 16 in Ruby, a blank in Java and PCRE.
func (p *parser) h(negative bool) (set, bool) {
	s := blanks
	switch p.dialect {
	case Ruby:
		s = hex
	case Java, PCRE:
	default:
		return one('h'), !negative && p.dialect == JavaScript
	}
	if negative {
		s = s.not()
	}
	return s, true
}

// property reads what follows \p.
func (p *parser) property(negative bool) (set, bool) {
	if p.dialect == Python || p.dialect == JavaScript && !p.flags.Unicode {
		return one('p'), p.dialect == JavaScript && !negative
	}
	name := string(p.peek())
	p.at++
	if name == "{" {
		name = p.until('}')
	}
	if rest, not := strings.CutPrefix(name, "^"); not {
		name, negative = rest, !negative
	}
	if _, value, ok := strings.Cut(name, "="); ok {
		name = value
	}
	s, ok := property(strings.TrimPrefix(name, "Is"))
	if negative {
		s = s.not()
	}
	return s, ok
}

// code reads the number of a character behind \x or \u.
func (p *parser) code(c rune) (set, bool) {
	text := ""
	if p.peek() == '{' {
		p.at++
		text = p.until('}')
	} else {
		n := 2
		if c == 'u' {
			n = 4
		}
		if p.at+n > len(p.text) {
			return nil, false
		}
		text = string(p.text[p.at : p.at+n])
		p.at += n
	}
	r, err := strconv.ParseUint(text, 16, 21)
	return one(rune(r)), err == nil && r <= unicode.MaxRune
}

// class reads what follows an opening bracket.
func (p *parser) class() *node {
	negative := p.eat("^")
	var s set
	for first := true; ; first = false {
		c := p.peek()
		if c < 0 {
			return p.fail()
		}
		if c == ']' && (!first || p.dialect == JavaScript) {
			p.at++
			break
		}
		part, ok := p.member()
		if !ok {
			return p.fail()
		}
		s = append(s, part...)
	}
	s = setOf(s...)
	if p.flags.Fold {
		s = s.fold()
	}
	if negative {
		s = s.not()
	}
	return &node{op: char, set: s}
}

// member reads a character, an escape or a range of a class.
func (p *parser) member() (set, bool) {
	if p.dialect == Java || p.dialect == Ruby {
		if p.eat("&&") || p.peek() == '[' && !p.ahead("[:") {
			return nil, false // sets in sets
		}
	}
	if p.dialect != JavaScript && p.dialect != Python && p.eat("[:") {
		negative := p.eat("^")
		s, ok := posix(p.until(':'))
		if negative {
			s = s.not()
		}
		return s, p.eat("]") && ok
	}
	from, ok := p.single()
	if !ok || p.peek() != '-' || p.at+1 >= len(p.text) || p.text[p.at+1] == ']' || !from.single() {
		return from, ok
	}
	p.at++
	if p.dialect != JavaScript && p.dialect != Python && p.peek() == '[' {
		return nil, false
	}
	to, ok := p.single()
	if !ok || !to.single() { // [a-\d]: the dash is one
		return from.or(to).or(one('-')), ok
	}
	return set{{from[0][0], to[0][0]}}, from[0][0] <= to[0][0]
}

func (s set) single() bool { return len(s) == 1 && s[0][0] == s[0][1] }

func (p *parser) single() (set, bool) {
	c := p.peek()
	if c < 0 {
		return nil, false
	}
	p.at++
	if c == '\\' {
		return p.escaped(true)
	}
	return one(c), true
}

func (p *parser) ahead(s string) bool {
	at := p.at
	found := p.eat(s)
	p.at = at
	return found
}
