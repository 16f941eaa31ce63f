package openenv

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// journal is an episode's trace: a file in the server's directory, or nothing.
type journal struct {
	w    *trace.Writer
	part string // path while it is written; "" without a file
	name string // path without ending
}

// openTrace begins an episode's trace. The file's name holds nothing that a client chose.
func (s *Server) openTrace(e *episode) (*journal, error) {
	if s.c.TraceDir == "" {
		return &journal{w: trace.NewWriter(nowhere{}, 0, s.c.Now, nil)}, nil
	}
	var unique [4]byte
	if _, err := rand.Read(unique[:]); err != nil {
		return nil, err
	}
	name := filepath.Join(s.c.TraceDir, fileName(e.task.ID)+"-"+hex.EncodeToString(unique[:]))
	f, err := os.OpenFile(name+".part", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	return &journal{w: trace.NewWriter(&lazyFile{f, bufio.NewWriterSize(f, 16<<10)}, 0, s.c.Now, nil), part: f.Name(), name: name}, nil
}

// finish closes the trace and gives it its name.
func (j *journal) finish(complete bool) error {
	if err := j.w.Close(); err != nil {
		return err
	}
	if j.part == "" {
		return nil
	}
	ending := ".jsonl"
	if !complete {
		ending = ".interrupted.jsonl"
	}
	if err := os.Rename(j.part, j.name+ending); err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	return nil
}

// fileName makes a task's name one part of a path.
func fileName(id string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, id)
	return strings.Trim(name[:min(len(name), 100)], "-")
}

// lazyFile does not wait for the disk: an episode cannot be taken up again, so its trace need not outlive a crash, and
// a thousand of them would wait for each other's flushes.
type lazyFile struct {
	f   *os.File
	buf *bufio.Writer
}

func (l *lazyFile) Write(p []byte) (int, error) { return l.buf.Write(p) }
func (l *lazyFile) Sync() error                 { return nil }
func (l *lazyFile) Close() error                { return errors.Join(l.buf.Flush(), l.f.Close()) }

// nowhere is the trace of episodes without one.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Sync() error                 { return nil }
func (nowhere) Close() error                { return nil }
