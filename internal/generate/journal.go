package generate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// maxLine is the longest line of a journal, in bytes; providers cap replies at as much.
const maxLine = 64 << 20

// place names a sample.
type place struct {
	task  string
	index int
}

// Journal is a file of samples, one a line, that only grows, and beside it one of the calls that were paid for them (see
// [Sampler.Into]). Adding samples is not safe for concurrent use: [Sampler.Run] calls its sink from one goroutine.
type Journal struct {
	dir     *rundir.Dir
	name    string
	file    *os.File
	durable bool
	have    map[place]int // the line of each sample
	lines   int
	size    int64
	err     error // nothing may follow a line that is written in part

	calls *trace.Writer // nil: nothing is paid
	mu    sync.Mutex
	// least and most are what the calls cost, in pico-dollars, and unknown is how many have no known price.
	least, most int64
	unknown     int
}

// CorruptError is a journal that is damaged other than by a torn last line.
type CorruptError struct {
	File string
	Line int
	Why  string
}

func (e *CorruptError) Error() string { return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Why) }

// Hint says how to continue.
func (e *CorruptError) Hint() string {
	return "remove that line to have its sample made again, or start a new run"
}

// OpenJournal opens or creates the journal of that name in a run's directory. A last line that was cut off by a crash is
// removed. check sees every sample that is there and may refuse it; two of the same task and number are refused. With
// durable, for replies that are paid for, a sample is on disk when [Journal.Add] returns, and calls are journaled.
func OpenJournal(dir *rundir.Dir, name string, durable bool, check func(Sample) error) (*Journal, error) {
	f, err := bounded.OpenOrCreate(dir.Root(), name)
	if err != nil {
		return nil, fmt.Errorf("samples: %w", err)
	}
	j, of := &Journal{dir: dir, name: dir.File(name), file: f, durable: durable, have: map[place]int{}}, Tally{Cost: new(money.USD)}
	for s, err := range j.samples(true) {
		if err == nil && check != nil {
			if why := check(s); why != nil {
				err = &CorruptError{j.name, j.lines, why.Error()}
			}
		}
		p := place{s.TaskID, s.Index}
		if first, twice := j.have[p]; err == nil && twice {
			err = &CorruptError{j.name, j.lines, fmt.Sprintf("a second sample %d of %s, whose first is in line %d", s.Index, s.TaskID, first)}
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		j.have[p] = j.lines
		of.Add(s)
	}
	err = f.Truncate(j.size)
	if err == nil {
		_, err = f.Seek(j.size, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("samples: %w", err)
	}
	if err := j.openCalls(of); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// Has reports whether a sample is there.
func (j *Journal) Has(task string, index int) bool {
	_, ok := j.have[place{task, index}]
	return ok
}

// Len is how many samples are there.
func (j *Journal) Len() int { return len(j.have) }

// Add appends a sample.
func (j *Journal) Add(s Sample) error {
	if j.err != nil {
		return j.err
	}
	p := place{s.TaskID, s.Index}
	if _, twice := j.have[p]; twice {
		return fmt.Errorf("samples: sample %d of %s is there already", s.Index, s.TaskID)
	}
	text, err := json.Marshal(s)
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	if err == nil && j.durable {
		err = j.file.Sync()
	}
	if err != nil {
		j.err = fmt.Errorf("samples: %w", err)
		return j.err
	}
	j.lines++
	j.size += int64(len(text)) + 1
	j.have[p] = j.lines
	return nil
}

// Samples reads what is there, in the order in which it came.
func (j *Journal) Samples() iter.Seq2[Sample, error] { return j.samples(false) }

// samples reads the file from its start, by offset, so that it does not disturb appending. With count it finds out how
// many whole lines there are and where they end; otherwise it reads no further than that.
func (j *Journal) samples(count bool) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		size := j.size
		if count {
			info, err := j.file.Stat()
			if err != nil {
				yield(Sample{}, fmt.Errorf("samples: %w", err))
				return
			}
			size, j.lines, j.size = info.Size(), 0, 0
		}
		r := bufio.NewReaderSize(io.NewSectionReader(j.file, 0, size), 1<<16)
		for n := 1; ; n++ {
			text, err := bounded.Line(r, nil, maxLine)
			if errors.Is(err, io.EOF) { // text is torn, or nothing
				return
			}
			if err != nil {
				yield(Sample{}, &CorruptError{j.name, n, err.Error()})
				return
			}
			if count {
				j.lines, j.size = n, j.size+int64(len(text))
			}
			s, err := parseSample(bytes.TrimSpace(text))
			if err != nil {
				err = &CorruptError{j.name, n, err.Error()}
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the files.
func (j *Journal) Close() error {
	err := j.file.Close()
	if j.calls != nil {
		err = errors.Join(err, j.calls.Close())
	}
	return err
}
