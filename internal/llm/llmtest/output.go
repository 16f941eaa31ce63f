package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// output collects an answer's pieces and sends them whole, or broken as the fault says.
type output struct {
	w      http.ResponseWriter
	stream bool
	fault  Fault
	events [][]byte // streamed: complete events, in order
	body   []byte   // not streamed
}

func (o *output) json(v any) { o.body, _ = json.Marshal(v) }

func (o *output) event(name string, v any) {
	data, _ := json.Marshal(v)
	text := ""
	if name != "" {
		text = "event: " + name + "\n"
	}
	o.events = append(o.events, fmt.Appendf(nil, "%sdata: %s\n\n", text, data))
}

func (o *output) raw(s string) { o.events = append(o.events, []byte(s)) }

// finish sends the answer and reports whether all of it went out.
func (o *output) finish() bool {
	pieces := [][]byte{o.body}
	o.w.Header().Set("Content-Type", "application/json")
	if o.stream {
		pieces = o.events
		o.w.Header().Set("Content-Type", "text/event-stream")
	}
	n := len(pieces)
	broken := o.fault == Truncate || o.fault == SilentTruncate
	if broken && o.stream {
		n = (n + 1) / 2
	} else if broken {
		pieces[0] = pieces[0][:len(pieces[0])/2]
		// A longer length than is sent: the client sees an unexpected end.
		o.w.Header().Set("Content-Length", strconv.Itoa(2*len(pieces[0])+1))
	}
	rc := http.NewResponseController(o.w)
	for _, p := range pieces[:n] {
		if _, err := o.w.Write(p); err != nil {
			return false
		}
		if o.stream {
			rc.Flush()
		}
	}
	if o.fault == Truncate {
		rc.Flush()
		if c, _, err := rc.Hijack(); err == nil {
			c.Close()
		}
	}
	return !broken
}

// pieces cuts a text in up to four parts, on rune borders, so streams have something to join.
func pieces(s string) []string {
	if s == "" {
		return nil
	}
	var parts []string
	runes := []rune(s)
	size := max(1, (len(runes)+3)/4)
	for start := 0; start < len(runes); start += size {
		parts = append(parts, string(runes[start:min(start+size, len(runes))]))
	}
	return parts
}

func callID(call, i int) string { return fmt.Sprintf("call_%d_%d", call, i) }

func seconds(d time.Duration) string {
	return strconv.Itoa(int((d + time.Second - 1) / time.Second))
}

// endless sends an answer that has no end, if that is the fault, and reports whether the answer is still to be sent.
func (o *output) endless(ctx context.Context, done <-chan struct{}) bool {
	first, again, pause := o.body, []byte(" "), 2*time.Millisecond
	if o.stream {
		first, again = bytes.Join(o.events[:(len(o.events)+1)/2], nil), []byte(": alive\n")
	}
	switch o.fault {
	case Stall:
		again = nil
		if !o.stream {
			first = first[:len(first)/2]
		}
	case Trickle:
		if !o.stream {
			first = nil
		}
	case Flood, FloodEvents:
		pause = 0
		switch {
		case !o.stream:
			again = bytes.Repeat([]byte("x"), 64<<10)
			cut := bytes.Index(first, []byte(floodAt))
			first = first[:cut+len(floodAt)]
		case o.fault == Flood:
			first, again = append(first, "data: "...), bytes.Repeat([]byte("x"), 64<<10)
		default: // the last of the events before the cut, which carries a piece of text
			again = bytes.Repeat(o.events[(len(o.events)-1)/2], 100)
		}
	default:
		return true
	}
	o.w.Header().Set("Content-Type", map[bool]string{true: "text/event-stream", false: "application/json"}[o.stream])
	rc := http.NewResponseController(o.w)
	_, err := o.w.Write(first)
	for err == nil && ctx.Err() == nil {
		if pause > 0 {
			rc.Flush()
			select {
			case <-done:
				return false
			case <-ctx.Done():
				return false
			case <-time.After(pause):
			}
		}
		_, err = o.w.Write(again)
	}
	return false
}

// floodAt is where in a whole answer's text a flood begins: the answer's Text must hold it.
const floodAt = "flood"
