package view

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// cursor walks through JSON text without decoding it. It is much faster than encoding/json where most of the text is to
// be skipped, and accepts all that encoding/json accepts, and more: what is skipped is not checked to the letter. After
// the first thing that is no JSON it is failed and answers nothing any more. It neither allocates nor recurs.
type cursor struct {
	text   []byte
	at     int
	failed bool
}

// space skips white space and returns the byte behind it, 0 at the end.
func (c *cursor) space() byte {
	for ; c.at < len(c.text); c.at++ {
		switch b := c.text[c.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// take steps over one byte that must come next.
func (c *cursor) take(b byte) bool {
	if c.failed || c.space() != b {
		c.failed = true
		return false
	}
	c.at++
	return true
}

// done reports that nothing but white space is left.
func (c *cursor) done() bool { return !c.failed && c.space() == 0 && c.at == len(c.text) }

// member steps to the next member of an object, whose opening brace it takes where first is true, and returns its name
// as it is written. It is false behind the last member, with the brace taken, and after a failure.
func (c *cursor) member(first bool) (name []byte, ok bool) {
	if first && !c.take('{') || c.failed {
		return nil, false
	}
	if c.space() == '}' {
		c.at++
		return nil, false
	}
	if !first && !c.take(',') {
		return nil, false
	}
	name = c.string()
	return name, c.take(':')
}

// element steps to the next element of an array, as member does.
func (c *cursor) element(first bool) bool {
	if first && !c.take('[') || c.failed {
		return false
	}
	if c.space() == ']' {
		c.at++
		return false
	}
	return first || c.take(',')
}

// string takes a string and returns what stands between its quotes, escapes and all.
func (c *cursor) string() []byte {
	if !c.take('"') {
		return nil
	}
	start := c.at
	for {
		i := bytes.IndexByte(c.text[c.at:], '"')
		if i < 0 {
			c.failed = true
			return nil
		}
		end := c.at + i
		c.at = end + 1
		slashes := 0
		for end-slashes > start && c.text[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return c.text[start:end]
		}
	}
}

// skip steps over one value.
func (c *cursor) skip() {
	depth := 0
	for !c.failed {
		switch c.space() {
		case '"':
			c.string()
		case '{', '[':
			c.at++
			depth++
			continue
		case '}', ']':
			c.at++
			depth--
		case ',', ':':
			if depth == 0 {
				c.failed = true
				return
			}
			c.at++
			continue
		default:
			c.bare()
		}
		if depth < 0 {
			c.failed = true
		}
		if depth <= 0 {
			return
		}
	}
}

// bare takes a number, true, false or null.
func (c *cursor) bare() []byte {
	start := c.at
	for c.at < len(c.text) {
		b := c.text[c.at]
		if b != '-' && b != '+' && b != '.' && (b < '0' || b > '9') && (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') {
			break
		}
		c.at++
	}
	if c.at == start {
		c.failed = true
	}
	return c.text[start:c.at]
}

// null takes a null if it comes next.
func (c *cursor) null() bool {
	if c.space() == 'n' && bytes.HasPrefix(c.text[c.at:], []byte("null")) {
		c.at += len("null")
		return true
	}
	return false
}

// int takes a whole number; null is 0.
func (c *cursor) int() int64 {
	if c.null() {
		return 0
	}
	n, err := strconv.ParseInt(string(c.bare()), 10, 64)
	c.failed = c.failed || err != nil
	return n
}

// float takes a number; null is 0.
func (c *cursor) float() float64 {
	if c.null() {
		return 0
	}
	f, err := strconv.ParseFloat(string(c.bare()), 64)
	c.failed = c.failed || err != nil
	return f
}

// bool takes true or false; null is false.
func (c *cursor) bool() bool {
	if c.null() {
		return false
	}
	switch string(c.bare()) {
	case "true":
		return true
	case "false":
	default:
		c.failed = true
	}
	return false
}

// words takes a string or null; null is empty.
func (c *cursor) words() []byte {
	if c.null() {
		return nil
	}
	return c.string()
}

// unescape appends the text that a JSON string stands for, as encoding/json reads it, until more bytes than most are
// there.
func unescape(to, raw []byte, most int) []byte {
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
