package dataset

import (
	"encoding/json"
	"strconv"
	"strings"
)

// quote returns s as a Python string literal, all ASCII, on one line. Bytes that are not UTF-8 become U+FFFD.
func quote(s string) string { return strconv.QuoteToASCII(strings.ToValidUTF8(s, "\ufffd")) }

// literalMax is how long JSON may be, in bytes, to be written into a test as Python rather than parsed by it.
const literalMax = 2000

// value returns a Python expression for the value that data, which is JSON, describes. Where it is short it is the
// literal that a person would write; else json.loads, which Judge code has to have imported, reads it.
func value(data json.RawMessage) string {
	if len(data) <= literalMax {
		if s, ok := literal(data); ok {
			return s
		}
	}
	return "json.loads(" + quote(string(data)) + ")"
}

// literal writes JSON as Python.
func literal(data json.RawMessage) (string, bool) {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var b strings.Builder
	ok := writeLiteral(dec, &b, 0)
	return b.String(), ok && !dec.More()
}

// maxNesting is how deep a literal may nest: CPython's own parser gives up at about 200.
const maxNesting = 60

func writeLiteral(dec *json.Decoder, b *strings.Builder, depth int) bool {
	tok, err := dec.Token()
	if err != nil || depth > maxNesting {
		return false
	}
	switch v := tok.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case json.Number:
		b.WriteString(v.String())
	case string:
		if strings.ContainsRune(v, '\ufffd') {
			return false // it may have stood for a lone surrogate, which only Python's own reader keeps
		}
		b.WriteString(quote(v))
	case json.Delim:
		b.WriteString(v.String())
		for n := 0; dec.More(); n++ {
			if n > 0 {
				b.WriteString(", ")
			}
			if !writeLiteral(dec, b, depth+1) {
				return false
			}
			if v == '{' {
				b.WriteString(": ")
				if !writeLiteral(dec, b, depth+1) {
					return false
				}
			}
		}
		if tok, err = dec.Token(); err != nil {
			return false
		}
		b.WriteString(tok.(json.Delim).String())
	}
	return true
}
