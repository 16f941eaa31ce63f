package eval

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// place identifies a rollout: the how-many-eth of which example.
type place struct{ example, rollout int }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.example, q.example), cmp.Compare(p.rollout, q.rollout))
}

// id names the rollout in traces and journals.
func (p place) id() string { return fmt.Sprintf("e%05d.r%03d", p.example, p.rollout) }

// store is one file of lines, a line a rollout. Lines are appended as rollouts end, in whatever order that is; sort puts
// them in order. Of several lines for one rollout the last one counts. It is safe for concurrent use.
type store struct {
	dir     *rundir.Dir
	name    string
	durable bool // lines are on disk when append returns

	mu     sync.Mutex
	file   *os.File
	size   int64
	at     map[place]extent
	sorted bool // the file holds exactly the lines of at, in order
	last   place
	err    error // nothing may follow a line that is written in part
}

type extent struct{ offset, length int64 }

// openStore opens or creates the file. Each of its whole lines is shown to keep, which says whose it is and whether it
// still counts; a torn last line is cut off.
func openStore(dir *rundir.Dir, name string, durable bool, keep func(text []byte) (place, bool, error)) (*store, error) {
	f, err := bounded.OpenOrCreate(dir.Root(), name)
	if err != nil {
		return nil, fmt.Errorf("eval directory: %w", err)
	}
	path := dir.File(name)
	dir.Sweep(name) // a sort that was killed
	s := &store{dir: dir, name: name, durable: durable, file: f, at: map[place]extent{}, sorted: true, last: place{-1, -1}}
	s.size, err = eachLine(f, path, func(l line) error {
		if l.torn {
			return nil
		}
		p, counts, err := keep(l.text)
		if err != nil {
			return &CorruptError{path, l.number, err.Error()}
		}
		if !counts {
			delete(s.at, p)
			s.sorted = false
			return nil
		}
		s.note(p, extent{l.offset, int64(len(l.text)) + 1})
		return nil
	})
	if err == nil {
		err = f.Truncate(s.size)
	}
	if err == nil {
		_, err = f.Seek(s.size, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (s *store) note(p place, e extent) {
	if s.last.compare(p) >= 0 {
		s.sorted = false
	}
	s.last = p
	s.at[p] = e
}

// append adds a line for a rollout; text has no newline.
func (s *store) append(p place, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	text = append(text, '\n')
	_, err := s.file.Write(text)
	if err == nil && s.durable {
		err = s.file.Sync()
	}
	if err != nil {
		s.err = fmt.Errorf("write %s: %w", s.name, err)
		return s.err
	}
	s.note(p, extent{s.size, int64(len(text))})
	s.size += int64(len(text))
	return nil
}

// sort rewrites the file so that it holds the lines that count, in order. The old file stands until the new one is
// whole.
func (s *store) sort() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.sorted {
		return s.file.Sync()
	}
	places := slices.SortedFunc(maps.Keys(s.at), place.compare)
	moved := make(map[place]extent, len(s.at))
	var size int64
	err := s.dir.Write(s.name, func(to io.Writer) error {
		w := bufio.NewWriterSize(to, 1<<16)
		for _, p := range places {
			e := s.at[p]
			if _, err := io.Copy(w, io.NewSectionReader(s.file, e.offset, e.length)); err != nil {
				return err
			}
			moved[p] = extent{size, e.length}
			size += e.length
		}
		return w.Flush()
	})
	if err != nil {
		return fmt.Errorf("sort: %w", err)
	}
	file, err := s.dir.Root().OpenFile(s.name, os.O_RDWR, 0)
	if err == nil {
		_, err = file.Seek(size, io.SeekStart)
	}
	if err != nil { // the file that is open is no longer the one of that name
		s.err = fmt.Errorf("sort: %w", err)
		return s.err
	}
	s.file.Close()
	s.file, s.size, s.at, s.sorted = file, size, moved, true
	if len(places) > 0 {
		s.last = places[len(places)-1]
	}
	return nil
}

// lines is how many rollouts have one.
func (s *store) lines() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.at)
}

func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.Close()
}

// encodeTrace puts a rollout's journal, whose lines are events, into one line.
func encodeTrace(head runfile.EvalTrace, journal []byte) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, fmt.Errorf("encode a line of %s: %w", TracesName, err)
	}
	text = append(text[:len(text)-1], `,"events":[`...)
	for i, c := range journal {
		if c == '\n' {
			if i == len(journal)-1 {
				break
			}
			c = ','
		}
		text = append(text, c)
	}
	return append(text, "]}"...), nil
}

// parseTrace says whose trace a line is.
func parseTrace(text []byte) (place, error) {
	var head struct {
		Example *int `json:"example_id"`
		Rollout *int `json:"rollout"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return place{}, fmt.Errorf("not a trace: %w", err)
	}
	if head.Example == nil || head.Rollout == nil || *head.Example < 0 || *head.Rollout < 0 {
		return place{}, errors.New("not a trace: it does not say of which rollout")
	}
	return place{*head.Example, *head.Rollout}, nil
}
