package heap

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// MaxValue bounds the text of a value, in bytes. It is far more than is ever shown, so that a secret at the end of the
// shown part is still whole when secrets are looked for.
const MaxValue = 6000

// maxDigits bounds an int that is written out, in CPython's digits of 30 bits.
const maxDigits = 60

// value writes an object as Python does, if that is possible without running anything.
func (r reader) value(address uint32) (text string, length int, cut bool) {
	o := r.object(address)
	length = r.length(o)
	if o.kind == kindOther || o.kind == kindModule {
		return "", length, false
	}
	w := &writer{reader: r}
	w.write(address, Deep)
	return w.out.String(), length, w.full
}

func (r reader) length(o object) int {
	switch o.kind {
	case kindStr, kindBytes, kindList, kindTuple:
		return int(r.size(o.address + atSize))
	case kindDict:
		return int(r.size(o.address + dictUsed))
	case kindSet:
		return int(r.size(o.address + setUsed))
	}
	return -1
}

// writer writes values up to a bound.
type writer struct {
	reader
	out   strings.Builder
	nodes int
	full  bool // the bound was met
}

// put writes a text as far as there is room, and says whether there is more.
func (w *writer) put(text string) bool {
	room := MaxValue - w.out.Len()
	if len(text) > room {
		w.full = true
		text = strings.ToValidUTF8(text[:max(0, room)], "")
	}
	w.out.WriteString(text)
	return !w.full
}

// write writes an object; containers deep levels deep.
func (w *writer) write(address uint32, deep int) {
	o := w.object(address)
	if w.nodes++; w.full || w.nodes > MaxValue {
		w.full = true
		return
	}
	if deep == 0 && o.kind >= kindList && o.kind != kindModule {
		w.put(map[kind]string{kindList: "[...]", kindTuple: "(...)"}[o.kind])
		if o.kind == kindDict || o.kind == kindSet {
			w.put("{...}")
		}
		return
	}
	if !o.exact && o.kind != kindOther {
		w.put(w.className(o.class) + "(")
		defer w.put(")")
	}
	switch o.kind {
	case kindNone:
		w.put("None")
	case kindBool:
		w.put(map[bool]string{true: "True", false: "False"}[w.word(address+intTag)>>3 != 0 && w.word(address+intDigits) != 0])
	case kindInt:
		w.put(w.integer(address))
	case kindFloat:
		w.put(float(math.Float64frombits(uint64(w.word(address+floatData)) | uint64(w.word(address+floatData+4))<<32)))
	case kindStr:
		w.quoted(address)
	case kindBytes:
		w.put("b")
		w.quote(w.size(address+atSize), func(i uint32) rune { return rune(w.octet(address + bytesData + i)) }, true)
	case kindList, kindTuple:
		words, _ := w.items(o)
		ends := "[]"
		if o.kind == kindTuple {
			ends = "()"
		}
		w.put(ends[:1])
		w.each(len(words)/4, func(i int) { w.write(word(words, 4*i), deep-1) })
		if o.kind == kindTuple && len(words) == 4 {
			w.put(",")
		}
		w.put(ends[1:])
	case kindDict:
		w.dict(address, deep)
	case kindSet:
		w.set(address, deep)
	default:
		w.put("<" + w.className(o.class) + ">")
	}
}

// each writes count elements with commas between them.
func (w *writer) each(count int, write func(i int)) {
	for i := 0; i < count && !w.full; i++ {
		if i > 0 {
			w.put(", ")
		}
		write(i)
	}
}

func (w *writer) dict(address uint32, deep int) {
	entries, width, key := w.table(address)
	var live []int
	for i := 0; i+width <= len(entries) && len(live) < MaxValue && i < 16*MaxValue; i += width {
		if word(entries, i+key+4) != 0 {
			live = append(live, i+key)
		}
	}
	w.put("{")
	w.each(len(live), func(i int) {
		w.write(word(entries, live[i]), deep-1)
		w.put(": ")
		w.write(word(entries, live[i]+4), deep-1)
	})
	w.put("}")
}

func (w *writer) set(address uint32, deep int) {
	slots := w.slots(address)
	var live []uint32
	for i := 0; i+8 <= len(slots) && len(live) < MaxValue && i < 8*MaxValue; i += 8 {
		// A slot whose element was removed holds a mark of CPython's own with the hash -1, which no element has.
		if p := word(slots, i); p != 0 && int32(word(slots, i+4)) != -1 {
			live = append(live, p)
		}
	}
	frozen := w.className(w.object(address).class) == "frozenset"
	if frozen {
		w.put("frozenset(")
		defer w.put(")")
	}
	if len(live) == 0 {
		if !frozen {
			w.put("set()")
		}
		return
	}
	w.put("{")
	w.each(len(live), func(i int) { w.write(live[i], deep-1) })
	w.put("}")
}

// integer is an int in decimal, or its size.
func (w *writer) integer(address uint32) string {
	tag := w.word(address + intTag)
	count := tag >> 3
	digits := w.span(address+intDigits, 4*uint64(count))
	if count > maxDigits {
		return fmt.Sprintf("<int of about %d bits>", 30*uint64(count))
	}
	n := new(big.Int)
	for i := len(digits) - 4; i >= 0; i -= 4 {
		n.Lsh(n, 30).Add(n, big.NewInt(int64(word(digits, i))))
	}
	if tag&3 == 2 {
		n.Neg(n)
	}
	return n.String()
}

// float is a float as Python's repr writes it.
func float(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	exponent := strconv.FormatFloat(f, 'e', -1, 64)
	if e, _ := strconv.Atoi(exponent[strings.IndexByte(exponent, 'e')+1:]); e < -4 || e >= 16 {
		return exponent
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// string is the first characters of a str.
func (r reader) string(address uint32, most int) string {
	data, width, count := r.text(address)
	if width == 1 && r.word(address+strState)>>6&1 != 0 {
		return string(data[:min(len(data), most)])
	}
	var b strings.Builder
	for i := 0; i < min(int(count), most) && (i+1)*width <= len(data); i++ {
		b.WriteRune(character(data, width, i))
	}
	return b.String()
}

// character is the i-th of a str, which may be half of a surrogate pair.
func character(data []byte, width, i int) rune {
	switch width {
	case 1:
		return rune(data[i])
	case 2:
		return rune(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return rune(word(data, 4*i))
}

func (w *writer) quoted(address uint32) {
	data, width, count := w.text(address)
	count = min(count, uint32(len(data)/width))
	w.quote(count, func(i uint32) rune { return character(data, width, int(i)) }, false)
}

// quote writes characters as a literal of Python.
func (w *writer) quote(count uint32, at func(uint32) rune, raw bool) {
	mark := '\''
	for i := range min(count, MaxValue) {
		if c := at(i); c == '"' {
			mark = '\''
			break
		} else if c == '\'' {
			mark = '"'
		}
	}
	w.put(string(mark))
	for i := uint32(0); i < count; i++ {
		if !w.put(escaped(at(i), mark, raw)) {
			return
		}
	}
	w.put(string(mark))
}

func escaped(c, mark rune, raw bool) string {
	switch {
	case c == mark || c == '\\':
		return `\` + string(c)
	case c == '\n':
		return `\n`
	case c == '\r':
		return `\r`
	case c == '\t':
		return `\t`
	case c >= 0 && c < ' ' || c == 0x7f || c >= 0 && c < 0x100 && (raw && c > 0x7f || !unicode.IsPrint(c)):
		return fmt.Sprintf(`\x%02x`, c)
	case unicode.IsPrint(c):
		return string(c)
	case c >= 0 && c < 0x10000:
		return fmt.Sprintf(`\u%04x`, c)
	}
	return fmt.Sprintf(`\U%08x`, uint32(c))
}
