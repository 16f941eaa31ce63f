package pairs

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// memory keeps results of programs in a file, one a line, so that a stopped build does not run anything twice. A line
// is found again by the program, its tests, and what ran it.
type memory struct {
	file  *os.File
	mu    sync.Mutex
	known map[string]*Scored
	// hits counts the programs that were not run again.
	hits int
}

type remembered struct {
	Key    string  `json:"key"`
	Scored *Scored `json:"scored"`
}

// openMemory reads the file name in a directory, or makes it. A last line that was cut off is removed; other lines that
// cannot be read cost time only.
func openMemory(root *os.Root, name string) (*memory, error) {
	f, err := bounded.OpenOrCreate(root, name)
	if err != nil {
		return nil, err
	}
	m := &memory{file: f, known: map[string]*Scored{}}
	r := bufio.NewReader(f)
	whole := int64(0)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		whole += int64(len(line))
		var one remembered
		if json.Unmarshal(bytes.TrimSpace(line), &one) == nil && one.Scored != nil && one.Scored.whole() {
			m.known[one.Key] = one.Scored
		}
	}
	if err := f.Truncate(whole); err != nil {
		f.Close()
		return nil, err
	}
	if _, err := f.Seek(whole, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return m, nil
}

// whole reports outcomes that are ones and zeros.
func (s *Scored) whole() bool {
	for _, outcomes := range []string{s.Public, s.Hidden, s.Mutated} {
		for i := range len(outcomes) {
			if outcomes[i] != '0' && outcomes[i] != '1' {
				return false
			}
		}
	}
	return s.Verdict != ""
}

func (m *memory) get(key string) (*Scored, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.known[key]
	if ok {
		m.hits++
	}
	return s, ok
}

func (m *memory) put(key string, s *Scored) error {
	line, err := json.Marshal(remembered{key, s})
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[key] = s
	_, err = m.file.Write(append(line, '\n'))
	return err
}

func (m *memory) close() error { return m.file.Close() }

// scored turns a result into what is remembered of it. A program that did not come to its tests passed none.
func scored(t dataset.Task, r verify.Result) *Scored {
	s := &Scored{Verdict: r.Verdict, Error: r.ErrorClass, Clock: r.Clock, Steps: r.Interpreter}
	if r.Flaky {
		s.Error = "flaky"
	}
	outcome := func(i int) string {
		if i < len(r.Tests) && r.Tests[i].Verdict == sandbox.Passed {
			return "1"
		}
		return "0"
	}
	for i, test := range t.Tests {
		switch {
		case isMutated(test):
			s.Mutated += outcome(i)
		case test.Public:
			s.Public += outcome(i)
		default:
			s.Hidden += outcome(i)
		}
	}
	for i := range t.Cases {
		if i < t.PublicCases {
			s.Public += outcome(i)
		} else {
			s.Hidden += outcome(i)
		}
	}
	return s
}
