// Package cursor walks through JSON text without decoding it.
package cursor

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Cursor walks through JSON text without decoding it. It is much faster than encoding/json where most of the text is to
// be skipped, and accepts all that encoding/json accepts, and more: what is skipped is not checked to the letter. After
// the first thing that is no JSON it is failed and answers nothing any more. It neither allocates nor recurs.
type Cursor struct {
	Text   []byte
	At     int
	Failed bool
}

// Space skips white space and returns the byte behind it, 0 at the end.
func (c *Cursor) Space() byte {
	for ; c.At < len(c.Text); c.At++ {
		switch b := c.Text[c.At]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// Take steps over one byte that must come next.
func (c *Cursor) Take(b byte) bool {
	if c.Failed || c.Space() != b {
		c.Failed = true
		return false
	}
	c.At++
	return true
}

// Done reports that nothing but white space is left.
func (c *Cursor) Done() bool { return !c.Failed && c.Space() == 0 && c.At == len(c.Text) }

// Member steps to the next member of an object, whose opening brace it takes where first is true, and returns its name
// as it is written. It is false behind the last member, with the brace taken, and after a failure.
func (c *Cursor) Member(first bool) (name []byte, ok bool) {
	if first && !c.Take('{') || c.Failed {
		return nil, false
	}
	if c.Space() == '}' {
		c.At++
		return nil, false
	}
	if !first && !c.Take(',') {
		return nil, false
	}
	name = c.String()
	return name, c.Take(':')
}

// Element steps to the next element of an array, as member does.
func (c *Cursor) Element(first bool) bool {
	if first && !c.Take('[') || c.Failed {
		return false
	}
	if c.Space() == ']' {
		c.At++
		return false
	}
	return first || c.Take(',')
}

// String takes a string and returns what stands between its quotes, escapes and all.
func (c *Cursor) String() []byte {
	if !c.Take('"') {
		return nil
	}
	start := c.At
	for {
		i := bytes.IndexByte(c.Text[c.At:], '"')
		if i < 0 {
			c.Failed = true
			return nil
		}
		end := c.At + i
		c.At = end + 1
		slashes := 0
		for end-slashes > start && c.Text[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return c.Text[start:end]
		}
	}
}

// Skip steps over one value.
func (c *Cursor) Skip() {
	depth := 0
	for !c.Failed {
		switch c.Space() {
		case '"':
			c.String()
		case '{', '[':
			c.At++
			depth++
			continue
		case '}', ']':
			c.At++
			depth--
		case ',', ':':
			if depth == 0 {
				c.Failed = true
				return
			}
			c.At++
			continue
		default:
			c.bare()
		}
		if depth < 0 {
			c.Failed = true
		}
		if depth <= 0 {
			return
		}
	}
}

// bare takes a number, true, false or null.
func (c *Cursor) bare() []byte {
	start := c.At
	for c.At < len(c.Text) {
		b := c.Text[c.At]
		if b != '-' && b != '+' && b != '.' && (b < '0' || b > '9') && (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') {
			break
		}
		c.At++
	}
	if c.At == start {
		c.Failed = true
	}
	return c.Text[start:c.At]
}

// Null takes a null if it comes next.
func (c *Cursor) Null() bool {
	if c.Space() == 'n' && bytes.HasPrefix(c.Text[c.At:], []byte("null")) {
		c.At += len("null")
		return true
	}
	return false
}

// Int takes a whole number; null is 0.
func (c *Cursor) Int() int64 {
	if c.Null() {
		return 0
	}
	n, err := strconv.ParseInt(string(c.bare()), 10, 64)
	c.Failed = c.Failed || err != nil
	return n
}

// Float takes a number; null is 0.
func (c *Cursor) Float() float64 {
	if c.Null() {
		return 0
	}
	f, err := strconv.ParseFloat(string(c.bare()), 64)
	c.Failed = c.Failed || err != nil
	return f
}

// Bool takes true or false; null is false.
func (c *Cursor) Bool() bool {
	if c.Null() {
		return false
	}
	switch string(c.bare()) {
	case "true":
		return true
	case "false":
	default:
		c.Failed = true
	}
	return false
}

// Words takes a string or null; null is empty.
func (c *Cursor) Words() []byte {
	if c.Null() {
		return nil
	}
	return c.String()
}

// Unescape appends the text that a JSON string stands for, as encoding/json reads it, until more bytes than most are
// there.
func Unescape(to, raw []byte, most int) []byte {
	for i := 0; i < len(raw) && len(to) < most; {
		b := raw[i]
		if b != '\\' {
			if b < utf8.RuneSelf {
				to = append(to, b)
				i++
				continue
			}
			r, n := utf8.DecodeRune(raw[i:])
			to = utf8.AppendRune(to, r)
			i += n
			continue
		}
		if i+1 >= len(raw) {
			return to
		}
		i += 2
		switch raw[i-1] {
		case 'n':
			to = append(to, '\n')
		case 't':
			to = append(to, '\t')
		case 'r':
			to = append(to, '\r')
		case 'b':
			to = append(to, '\b')
		case 'f':
			to = append(to, '\f')
		case 'u':
			r := unhex(raw[i:])
			i += 4
			if r >= 0xd800 && r < 0xdc00 && i+1 < len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
				if low := unhex(raw[i+2:]); low >= 0xdc00 && low < 0xe000 {
					r = (r-0xd800)<<10 | (low - 0xdc00) + 0x10000
					i += 6
				}
			}
			if r < 0 || r >= 0xd800 && r < 0xe000 {
				r = utf8.RuneError
			}
			to = utf8.AppendRune(to, r)
		default:
			to = append(to, raw[i-1])
		}
	}
	return to
}

// unhex reads four hexadecimal digits, -1 where there are none.
func unhex(raw []byte) rune {
	if len(raw) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(string(raw[:4]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}
