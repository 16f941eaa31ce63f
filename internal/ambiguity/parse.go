package ambiguity

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
)

// Bounds of an expression.
const (
	maxLength = 4000 // bytes
	maxNested = 100
	maxCount  = 1000 // of a repetition
)

var errUnknown = errors.New("unknown to this package")

// Parse reads an expression. An error says that it is not understood, which need not be the expression's fault.
func Parse(d Dialect, text string, f Flags) (*Regex, error) {
	if len(text) > maxLength {
		return nil, errors.New("the expression is too long")
	}
	if d == Ruby {
		f.Multiline = true
	}
	p := &parser{dialect: d, text: []rune(text), flags: f}
	root := p.choice()
	if p.err == nil && p.at < len(p.text) {
		p.err = errors.New("an unexpected )")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Regex{root, d}, nil
}

type parser struct {
	dialect Dialect
	text    []rune
	at      int
	flags   Flags
	nested  int
	err     error
}

func (p *parser) fail() *node {
	if p.err == nil {
		p.err = errUnknown
	}
	p.at = len(p.text)
	return &node{}
}

func (p *parser) peek() rune {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return -1
}

func (p *parser) eat(s string) bool {
	i := p.at
	for _, c := range s {
		if i >= len(p.text) || p.text[i] != c {
			return false
		}
		i++
	}
	p.at = i
	return true
}

// until takes the text before a closing mark, and the mark.
func (p *parser) until(mark rune) string {
	for i := p.at; i < len(p.text); i++ {
		if p.text[i] == mark {
			s := string(p.text[p.at:i])
			p.at = i + 1
			return s
		}
	}
	p.fail()
	return ""
}

// choice reads alternatives up to a closing parenthesis. Flags that are set in it end with it.
func (p *parser) choice() *node {
	if p.nested++; p.nested > maxNested {
		return p.fail()
	}
	flags := p.flags
	list := []*node{p.sequence()}
	for p.eat("|") {
		list = append(list, p.sequence())
	}
	p.flags = flags
	p.nested--
	if len(list) == 1 {
		return list[0]
	}
	return &node{op: alt, sub: list}
}

func (p *parser) sequence() *node {
	n := &node{op: cat}
	for p.at < len(p.text) && p.peek() != '|' && p.peek() != ')' {
		if p.flags.Spaced && p.skipped() {
			continue
		}
		if part := p.atom(); part != nil {
			n.sub = append(n.sub, p.repeated(part))
		}
	}
	return n
}

// skipped passes a blank, or a comment of a spaced expression.
func (p *parser) skipped() bool {
	if unicode.IsSpace(p.peek()) {
		p.at++
		return true
	}
	if p.peek() != '#' {
		return false
	}
	for p.at < len(p.text) && p.peek() != '\n' {
		p.at++
	}
	return true
}

// repeated reads what may stand behind a part: how often it is there.
func (p *parser) repeated(part *node) *node {
	for {
		for p.flags.Spaced && p.skipped() {
			continue
		}
		least, most, ok := p.count()
		if !ok {
			return part
		}
		part = &node{op: repeat, sub: []*node{part}, min: least, max: most}
		if p.nested++; p.nested > maxNested*10 { // a++++++...
			return p.fail()
		}
		switch {
		case p.eat("?"):
			part.lazy = true
		case p.peek() == '+' && p.dialect != JavaScript:
			p.at++
			part = &node{op: atomic, sub: []*node{part}}
		}
	}
}

func (p *parser) count() (least, most int, ok bool) {
	switch p.peek() {
	case '*':
		p.at++
		return 0, -1, true
	case '+':
		p.at++
		return 1, -1, true
	case '?':
		p.at++
		return 0, 1, true
	case '{':
	default:
		return 0, 0, false
	}
	from := p.at
	p.at++
	low := p.number()
	high := low
	if p.eat(",") {
		high = p.number()
	}
	inner := strings.TrimSpace(string(p.text[from+1 : p.at]))
	if !p.eat("}") || inner == "" || inner == "," || low == "" && (p.dialect == JavaScript || p.dialect == Java || p.dialect == PCRE) {
		p.at = from // a brace like any other
		return 0, 0, false
	}
	least, most = 0, -1
	if low != "" {
		least, _ = strconv.Atoi(low)
	}
	if high != "" {
		most, _ = strconv.Atoi(high)
	}
	if len(low) > 4 || len(high) > 6 || least > maxCount || most >= 0 && most < least {
		p.fail()
	}
	return least, most, true
}

func (p *parser) number() string {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return string(p.text[from:p.at])
}

// lineEnds are the characters that a dot does not stand for.
func (p *parser) lineEnds() set {
	switch p.dialect {
	case JavaScript:
		return setOf([2]rune{'\n', '\n'}, [2]rune{'\r', '\r'}, [2]rune{0x2028, 0x2029})
	case Java:
		return setOf([2]rune{'\n', '\n'}, [2]rune{'\r', '\r'}, [2]rune{0x85, 0x85}, [2]rune{0x2028, 0x2029})
	}
	return one('\n')
}

// atom reads one part; nil is one that says nothing, as a comment.
func (p *parser) atom() *node {
	c := p.peek()
	p.at++
	switch c {
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '.':
		if p.flags.DotAll {
			return &node{op: char, set: every}
		}
		return &node{op: char, set: p.lineEnds().not()}
	case '^':
		if p.flags.Multiline {
			return &node{op: lineBegin}
		}
		return &node{op: begin}
	case '$':
		switch {
		case p.flags.Multiline:
			return &node{op: lineEnd}
		case p.dialect == JavaScript:
			return &node{op: end}
		}
		return &node{op: lastEnd}
	case '\\':
		return p.escape()
	case '*', '+', '?':
		return p.fail()
	}
	return p.literal(c)
}

func (p *parser) literal(c rune) *node { return p.oneOf(one(c)) }

func (p *parser) oneOf(s set) *node {
	if p.flags.Fold {
		s = s.fold()
	}
	return &node{op: char, set: s}
}

// group reads what follows an opening parenthesis.
func (p *parser) group() *node {
	if !p.eat("?") {
		if p.peek() == '*' && p.dialect == PCRE {
			return p.fail() // a verb
		}
		return p.closed(&node{op: cat, captures: true})
	}
	switch {
	case p.eat(":"):
		return p.closed(&node{op: cat})
	case p.eat(">"):
		return p.closed(&node{op: atomic})
	case p.eat("="):
		return p.closed(&node{op: look})
	case p.eat("!"):
		return p.closed(&node{op: look, negative: true})
	case p.eat("<="):
		return p.closed(&node{op: behind})
	case p.eat("<!"):
		return p.closed(&node{op: behind, negative: true})
	case p.eat("#"):
		p.until(')')
		return nil
	case p.eat("P<"), p.eat("<"):
		p.until('>')
		return p.closed(&node{op: cat, captures: true})
	case p.eat("'"):
		p.until('\'')
		return p.closed(&node{op: cat, captures: true})
	}
	return p.flagged()
}

// closed reads a group's inside and its end.
func (p *parser) closed(n *node) *node {
	n.sub = []*node{p.choice()}
	if !p.eat(")") {
		return p.fail()
	}
	return n
}

// flagged reads (?i) and (?i:...).
func (p *parser) flagged() *node {
	outer, on := p.flags, true
	for {
		c := p.peek()
		p.at++
		switch c {
		case 'i':
			p.flags.Fold = on
		case 'm':
			if p.dialect == Ruby {
				p.flags.DotAll = on
			} else {
				p.flags.Multiline = on
			}
		case 's':
			p.flags.DotAll = on
		case 'x':
			p.flags.Spaced = on
		case 'u', 'a', 'L', 'U', 'd', 'J':
			if p.dialect == PCRE && c == 'U' {
				return p.fail()
			}
		case '-':
			on = false
		case ')':
			return nil
		case ':':
			n := p.closed(&node{op: cat})
			p.flags = outer
			return n
		default:
			return p.fail()
		}
	}
}
