package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// maxLine bounds one event. A dispatch holds a prompt and a reply, both far below it; a larger line is damage.
const maxLine = 256 << 20

// CorruptError says which line of a trace cannot be trusted.
type CorruptError struct {
	Line int
	Why  string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("trace is damaged at line %d: %s", e.Line, e.Why)
}

// Hint tells the user what can still be done.
func (e *CorruptError) Hint() string {
	return fmt.Sprintf("keep a copy of the file, cut it before line %d, and resume: the events before that line are whole", e.Line)
}

// Read reads a whole trace. good is the offset after the last whole line: what follows it, if anything, is a torn line.
// Damage anywhere else is a *CorruptError.
func Read(r io.Reader) (events []Event, good int64, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		text, readErr := bounded.Line(br, nil, maxLine)
		if errors.Is(readErr, io.EOF) {
			return events, good, nil // text, if any, has no newline: torn
		}
		if readErr != nil {
			if long := (*bounded.LongError)(nil); errors.As(readErr, &long) {
				return events, good, &CorruptError{Line: line, Why: "line is " + long.Error()}
			}
			return events, good, fmt.Errorf("read trace: %w", readErr)
		}
		var e Event
		if err := json.Unmarshal(text[:len(text)-1], &e); err != nil {
			if _, peekErr := br.Peek(1); errors.Is(peekErr, io.EOF) && bytes.IndexByte(text, 0) >= 0 {
				return events, good, nil // a crash can leave zeroed blocks behind the last whole line
			}
			return events, good, &CorruptError{Line: line, Why: "not an event: " + err.Error()}
		}
		if e.Seq != int64(line) {
			return events, good, &CorruptError{Line: line, Why: fmt.Sprintf("event number %d where %d belongs", e.Seq, line)}
		}
		if why := e.malformed(); why != "" {
			return events, good, &CorruptError{Line: line, Why: why}
		}
		events = append(events, e)
		good += int64(len(text))
	}
}

// malformed says what is missing in an event of its kind, or "".
func (e Event) malformed() string {
	has := map[Kind]bool{
		KindStart: e.Start != nil, KindRoot: e.Root != nil, KindCell: e.Cell != nil, KindReserve: e.Reserve != nil,
		KindDispatch: e.Dispatch != nil,
		KindCall:     e.Call != nil, KindGate: e.Gate != nil, KindCompact: e.Compact != nil, KindEnd: e.End != nil,
	}
	whole, known := has[e.Kind]
	if !known {
		return fmt.Sprintf("unknown kind %q", e.Kind)
	}
	if !whole {
		return fmt.Sprintf("a %s event without its content", e.Kind)
	}
	return ""
}
