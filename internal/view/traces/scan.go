package traces

import (
	"bytes"
	"hash/fnv"
	"math"
	"time"

	"github.com/deeprepo/deeprepo/internal/view/cursor"
)

// Flags of an event.
const (
	flagError     = 1 << iota // a failed call, a cell's error
	flagCached                // nothing was paid for the reply
	flagRedacted              // secrets were taken out of the prompt
	flagStopped               // a limit ended the cell
	flagSynthesis             // the reserved last turn
	flagRepeated              // the loop's cell before ended in the same error
)

// unpriced is a cost that is not known.
const unpriced = math.MinInt64

// scanned is what the index keeps of an event, or needs to make it. The bytes are those of the line.
type scanned struct {
	seq        int64
	at         int64 // Unix milliseconds
	kind       byte  // see eventLetters; 0: none that is known
	node, key  []byte
	turn       int64
	whole      bool // the content of its kind is there
	seconds    float64
	cost       int64 // pico-dollars, or unpriced
	in, out    int64 // tokens
	cached     int64 // tokens of in
	flags      uint8
	fault      uint32 // digest of a cell's error, 0 for none
	model      []byte
	err        []byte
	words      []byte // what the label is made of, as it is written
	files      int    // of a dispatch
	number     [2]int64
	share      [2]float64
	resumed    bool
	prompt     []byte // of a dispatch
	purpose    []byte // of a dispatch
	fileSpan   []byte // of a dispatch: the JSON of its files
	status     []byte
	stopReason []byte
}

// eventLetters name the kinds of event in one byte each.
var eventLetters = map[string]byte{"start": 's', "root": 'r', "cell": 'c', "reserve": 'v', "dispatch": 'd', "gate": 'g',
	"call": 'h', "compact": 'm', "end": 'e'}

// scan reads an event's line. It is false for what trace.Read would not take for an event of a known kind with content.
func scan(line []byte, e *scanned) bool {
	*e = scanned{at: time.Time{}.UnixMilli()}
	c := cursor.Cursor{Text: line}
	var kind string
	var content [9]struct { // that came before the kind did, by letter
		letter byte
		at     int
	}
	early := 0
	for name, ok := c.Member(true); ok; name, ok = c.Member(false) {
		switch string(name) {
		case "seq":
			e.seq = c.Int()
		case "at":
			var t time.Time
			if raw := c.Words(); raw != nil && t.UnmarshalText(raw) != nil {
				return false
			}
			e.at = t.UnixMilli()
		case "kind":
			raw := c.String()
			e.kind, kind = eventLetters[string(raw)], string(raw)
		case "node":
			e.node = c.Words()
		case "turn":
			e.turn = c.Int()
		case "key":
			e.key = c.Words()
		default:
			letter := eventLetters[string(name)]
			switch {
			case letter == 0 || c.Space() != '{':
				c.Skip()
			case kind == "" && early < len(content):
				content[early].letter, content[early].at = letter, c.At
				early++
				c.Skip()
			case letter == e.kind:
				e.content(&c)
			default:
				c.Skip()
			}
		}
	}
	if !c.Done() || e.kind == 0 {
		return false
	}
	for _, one := range content[:early] {
		if one.letter == e.kind {
			again := cursor.Cursor{Text: line, At: one.at}
			e.content(&again)
			c.Failed = c.Failed || again.Failed
		}
	}
	return !c.Failed && e.whole
}

// content reads the object that the event's kind names.
func (e *scanned) content(c *cursor.Cursor) {
	e.whole = true
	var fault [2][]byte
	for name, ok := c.Member(true); ok; name, ok = c.Member(false) {
		switch string(name) {
		case "usage":
			e.usage(c)
		case "seconds":
			e.seconds = c.Float()
		case "model":
			e.model = c.Words()
		case "error":
			e.err = c.Words()
			if fault[1] = e.err; len(e.err) > 0 {
				e.flags |= flagError
			}
		case "error_type":
			if fault[0] = c.Words(); len(fault[0]) > 0 {
				e.flags |= flagError
			}
		case "stop":
			if len(c.Words()) > 0 {
				e.flags |= flagStopped
			}
		case "cached":
			if c.Bool() {
				e.flags |= flagCached
			}
		case "redacted":
			if c.Int() > 0 {
				e.flags |= flagRedacted
			}
		case "synthesis":
			if c.Bool() {
				e.flags |= flagSynthesis
			}
		case "text", "code":
			e.words = c.Words()
		case "name": // of a call
			e.words = c.Words()
		case "prompt":
			e.prompt = c.Words()
		case "purpose":
			e.purpose = c.Words()
		case "files":
			start := c.At
			e.fileNames(c)
			e.fileSpan = c.Text[start:c.At]
		case "resumed":
			e.resumed = c.Bool()
		case "coverage":
			e.share[0] = c.Float()
		case "wanted":
			e.share[1] = c.Float()
		case "from":
			e.number[0] = c.Int()
		case "to":
			e.number[1] = c.Int()
		case "status":
			e.status = c.Words()
		case "stop_reason":
			e.stopReason = c.Words()
		default:
			c.Skip()
		}
	}
	if e.kind == 'c' && e.flags&flagError != 0 {
		h := fnv.New32a()
		h.Write(fault[0])
		h.Write([]byte{0})
		h.Write(fault[1])
		e.fault = h.Sum32() | 1
	}
}

// usage reads what a call consumed.
func (e *scanned) usage(c *cursor.Cursor) {
	e.cost = unpriced
	for name, ok := c.Member(true); ok; name, ok = c.Member(false) {
		switch string(name) {
		case "input_tokens":
			e.in = c.Int()
		case "output_tokens":
			e.out = c.Int()
		case "cached_tokens":
			e.cached = c.Int()
		case "cost_pico_usd":
			if !c.Null() {
				e.cost = c.Int()
			}
		default:
			c.Skip()
		}
	}
}

// fileNames reads the files whose lines a prompt held: the first, and how many.
func (e *scanned) fileNames(c *cursor.Cursor) {
	if c.Null() {
		return
	}
	e.files = 0
	for ok := c.Element(true); ok; ok = c.Element(false) {
		name := c.Words()
		if e.files++; e.files == 1 {
			e.words = name
		}
	}
}

// events steps through the events of a rollout, a line of an eval's traces: it shows the bytes of each.
func events(line []byte, show func(from, to int) bool) bool {
	c := cursor.Cursor{Text: line}
	for name, ok := c.Member(true); ok; name, ok = c.Member(false) {
		if string(name) != "events" {
			c.Skip()
			continue
		}
		for ok := c.Element(true); ok; ok = c.Element(false) {
			c.Space()
			from := c.At
			c.Skip()
			if c.Failed || !show(from, c.At) {
				return false
			}
		}
	}
	return c.Done()
}

// fileHeader is what prompts put before a file's text.
var fileHeader = []byte("=== FILE: ")

// inPrompt finds the first file that a prompt names, nil if it names none at its beginning.
func inPrompt(prompt []byte) []byte {
	head := prompt[:min(len(prompt), 2_000)]
	i := bytes.Index(head, fileHeader)
	if i < 0 {
		return nil
	}
	head = head[i+len(fileHeader):]
	if i = bytes.Index(head, []byte(" (lines ")); i < 0 {
		return nil
	}
	return head[:i]
}
