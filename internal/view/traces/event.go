package traces

import (
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// text reads an event's JSON.
func (s Snapshot) text(i int) ([]byte, error) {
	f, _, err := s.dir.Open(s.name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return s.textIn(f, i)
}

func (s Snapshot) textIn(f io.ReaderAt, i int) ([]byte, error) {
	text := make([]byte, s.size[i])
	if _, err := f.ReadAt(text, s.begin[i]); err != nil {
		return nil, fmt.Errorf("read event %d: %w", i+1, err)
	}
	return text, nil
}

// event decodes an event.
func (s Snapshot) event(f io.ReaderAt, i int) (trace.Event, error) {
	var e trace.Event
	text, err := s.textIn(f, i)
	if err != nil {
		return e, err
	}
	if err := bounded.Unmarshal(text, &e); err != nil {
		return e, doc.Damaged("event %d of the trace is damaged: %v", i+1, err)
	}
	if e.Seq != int64(i)+1 || eventLetters[string(e.Kind)] != s.kind[i] || !hasContent(e) {
		return e, doc.Damaged("event %d of the trace is not what it was", i+1)
	}
	return e, nil
}

// Answered gives the answered dispatches behind an event, until so many bytes of them were read, and the number of the last
// event that was looked at. What is damaged is left out.
func (s Snapshot) Answered(after, most int, give func(*trace.Dispatch)) (last int) {
	f, _, err := s.dir.Open(s.name)
	if err != nil {
		return after
	}
	defer f.Close()
	for last = after; last < s.len() && most > 0; last++ {
		if s.kind[last] != 'd' || s.flags[last]&flagError != 0 {
			continue
		}
		most -= int(s.size[last])
		if e, err := s.event(f, last); err == nil {
			give(e.Dispatch)
		}
	}
	return last
}

// Len is how many events there are.
func (s Snapshot) Len() int { return s.len() }

// hasContent reports that the pointer which the kind names is set.
func hasContent(e trace.Event) bool {
	switch e.Kind {
	case trace.KindStart:
		return e.Start != nil
	case trace.KindRoot:
		return e.Root != nil
	case trace.KindCell:
		return e.Cell != nil
	case trace.KindReserve:
		return e.Reserve != nil
	case trace.KindDispatch:
		return e.Dispatch != nil
	case trace.KindCall:
		return e.Call != nil
	case trace.KindGate:
		return e.Gate != nil
	case trace.KindCompact:
		return e.Compact != nil
	}
	return e.End != nil
}
