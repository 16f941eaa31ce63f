package heap

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"
)

// Bounds of a look.
const (
	// Names is how many names are looked at.
	Names = 16_000
	// Deep is how many levels of containers are compared by content, and Nodes how many objects of one variable.
	Deep  = 3
	Nodes = 200

	longName = 200  // bytes; no real name is longer
	longText = 4096 // bytes of a text that are compared by content, twice that for all of a variable's
	longInt  = 512  // bytes of an int
	longEnds = 8192 // bytes of a container's table that are compared, half of them at its end
)

// Mark is what is remembered of a variable: enough to see that it changed.
type Mark struct {
	print uint64
	class uint32
}

// Look remembers the variables that stand in mem. Looks can be compared when they were taken with the same landmarks.
func (l Landmarks) Look(mem []byte) map[string]Mark {
	p := &printer{reader: reader{l, mem}}
	seen := make(map[string]Mark, min(Names, p.size(l.space+dictUsed)))
	p.names(func(name string, value uint32) {
		p.sum, p.left, p.room = 0, Nodes, 2*longText
		p.add(value, Deep)
		seen[name] = Mark{p.sum, p.word(value + atType)}
	})
	return seen
}

// names calls f for every name that counts, in the order in which they were made.
func (r reader) names(f func(name string, value uint32)) {
	entries, width, key := r.table(r.space)
	for i := 0; i+width <= len(entries) && i/width < Names; i += width {
		name, value := word(entries, i+key), word(entries, i+key+4)
		if name == 0 || value == 0 || r.object(name).kind != kindStr || r.object(value).kind == kindModule {
			continue
		}
		if n := r.size(name + atSize); n == 0 || n > longName {
			continue
		}
		if text := r.string(name, longName); !strings.HasPrefix(text, "_") {
			f(text, value)
		}
	}
}

// printer takes fingerprints.
type printer struct {
	reader
	sum  uint64
	left int // objects of the variable that may still be looked at
	room int // bytes of its texts
}

func (p *printer) number(n uint64) {
	p.sum = (p.sum ^ n) * 0x9E3779B97F4A7C15
	p.sum ^= p.sum >> 29
}

// add takes a value into the fingerprint, containers deep levels deep.
func (p *printer) add(address uint32, deep int) {
	o := p.object(address)
	p.number(uint64(o.class))
	if p.left--; p.left < 0 || deep == 0 && o.kind >= kindList {
		p.number(uint64(address))
		return
	}
	switch o.kind {
	case kindNone:
	case kindBool, kindInt:
		tag := p.word(address + intTag)
		p.number(uint64(tag))
		p.bytes(p.span(address+intDigits, 4*uint64(tag>>3)), longInt, address)
	case kindFloat:
		p.number(uint64(p.word(address+floatData)) | uint64(p.word(address+floatData+4))<<32)
	case kindStr:
		data, width, _ := p.text(address)
		p.number(uint64(width))
		p.chars(data, address)
	case kindBytes:
		p.chars(p.span(address+bytesData, uint64(p.size(address+atSize))), address)
	case kindList, kindTuple:
		words, count := p.items(o)
		p.number(uint64(count))
		p.elements(words, 4, func(i int) { p.add(word(words, i), deep-1) })
	case kindDict:
		entries, width, key := p.table(address)
		p.number(uint64(p.size(address + dictUsed)))
		p.elements(entries, width, func(i int) {
			if value := word(entries, i+key+4); value != 0 {
				p.add(word(entries, i+key), deep-1)
				p.add(value, deep-1)
			}
		})
	case kindSet:
		p.number(uint64(p.size(address + setUsed)))
		p.set(address)
	default:
		p.number(uint64(address))
	}
}

// elements takes a container's: the first by content, as far as the bound goes, the others by identity.
func (p *printer) elements(data []byte, width int, add func(i int)) {
	i := 0
	for ; i+width <= len(data) && i < longEnds && p.left > 0; i += width {
		add(i)
	}
	p.bytes(data[i:], longEnds, 0)
}

// chars takes a text.
func (p *printer) chars(data []byte, identity uint32) {
	p.bytes(data, max(0, min(longText, p.room)), identity)
	p.room -= len(data)
}

// bytes takes a value of at most limit bytes whole, else its length, both ends and its identity.
func (p *printer) bytes(data []byte, limit int, identity uint32) {
	p.number(uint64(len(data)))
	if len(data) > limit {
		p.number(uint64(identity))
		p.number(maphash.Bytes(p.seed, data[:limit/2]))
		data = data[len(data)-limit/2:]
	}
	p.number(maphash.Bytes(p.seed, data))
}

// set takes the hashes of a set's elements, in whatever order they lie.
func (p *printer) set(address uint32) {
	slots, sum := p.slots(address), uint64(0)
	for i := 0; i+8 <= len(slots) && i < longEnds; i += 8 {
		if hash := word(slots, i+4); word(slots, i) != 0 {
			x := uint64(hash) * 0x9E3779B97F4A7C15
			sum += x ^ x>>29
		}
	}
	p.number(sum)
}

// Change is what became of a variable.
type Change struct {
	Name string `json:"name"`
	// Type is the name of its class; the one that it was of, when it was deleted.
	Type string `json:"type"`
	// Value is the value as Python writes it, at most [MaxValue] bytes, cut where it is longer; "" when it was deleted and
	// where only code of the program could tell.
	Value string `json:"value,omitempty"`
	// Length is how many elements or characters it has; -1 when it has none to count.
	Length int `json:"length"`
	// Cut says that Value ends before the value does.
	Cut bool `json:"cut,omitempty"`
	// How is "new", "changed" or "deleted".
	How string `json:"how"`
}

// Changes compares what is in mem now, of which after is the look, with a look before: what is new or changed in the order
// of the names' making, then what was deleted, by name. most is how many are reported; total is how many there are.
func (l Landmarks) Changes(mem []byte, before, after map[string]Mark, most int) (changes []Change, total int) {
	r := reader{l, mem}
	r.names(func(name string, value uint32) {
		old, known := before[name]
		if known && old == after[name] {
			return
		}
		if total++; total > most {
			return
		}
		c := Change{Name: name, How: "new", Type: r.className(r.word(value + atType))}
		if known {
			c.How = "changed"
		}
		c.Value, c.Length, c.Cut = r.value(value)
		changes = append(changes, c)
	})
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, there := after[name]; there {
			continue
		}
		if total++; total <= most {
			changes = append(changes, Change{Name: name, How: "deleted", Type: r.className(before[name].class), Length: -1})
		}
	}
	return changes, total
}
