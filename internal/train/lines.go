package train

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// maxLine bounds one line of metrics or one episode, in bytes. Both are far below it; a longer line is damage.
const maxLine = 16 << 20

// LineError says which line of a file cannot be read.
type LineError struct {
	File string
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Hint tells the user what can be done.
func (e *LineError) Hint() string {
	return fmt.Sprintf("look at line %d of %s: every line is to be one JSON object as deeprepo writes it", e.Line, e.File)
}

// EachLine calls fn for every line that is not blank; an error of fn's becomes a *LineError, in which file is named. good
// is the offset behind the last whole line that fn took. A last line without its newline is a torn write: fn does not see
// it where torn is true, and sees it as any other otherwise.
func EachLine(r io.Reader, file string, torn bool, fn func(text []byte) error) (good int64, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	var text []byte
	for n := 1; ; n++ {
		text, err = bounded.Line(br, text[:0], maxLine)
		if long := (*bounded.LongError)(nil); errors.As(err, &long) {
			return good, &LineError{file, n, long}
		}
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return good, fmt.Errorf("read %s: %w", file, err)
		}
		if last && torn {
			return good, nil
		}
		if len(bytes.Trim(text, " \t\r\n")) > 0 {
			if err := fn(text); err != nil {
				return good, &LineError{file, n, err}
			}
		}
		if last {
			return good, nil
		}
		good += int64(len(text))
	}
}

// WriteEpisodes writes one line an episode, without their segments.
func WriteEpisodes(w io.Writer, episodes []Episode) error {
	bw := bufio.NewWriterSize(w, 1<<16)
	enc := json.NewEncoder(bw)
	enc.SetEscapeHTML(false)
	for _, ep := range episodes {
		if err := enc.Encode(ep); err != nil {
			return fmt.Errorf("write the episode of %s: %w", ep.Task, err)
		}
	}
	return bw.Flush()
}

// ReadEpisodes reads what WriteEpisodes wrote, or another program did. file names it in errors, which are *LineError for
// a line that is not an episode: no JSON, without exchanges, or with a reward that is not a number from 0 to 1.
func ReadEpisodes(r io.Reader, file string) ([]Episode, error) {
	var out []Episode
	_, err := EachLine(r, file, false, func(text []byte) error {
		var ep Episode
		if err := json.Unmarshal(text, &ep); err != nil {
			return err
		}
		switch {
		case len(ep.Exchanges) == 0:
			return errors.New("the episode has no exchanges")
		case !(ep.Reward >= 0 && ep.Reward <= 1):
			return fmt.Errorf("a reward of %v is not from 0 to 1", ep.Reward)
		case ep.Turns < 0 || ep.Cut < 0:
			return errors.New("counts below 0")
		}
		for name, v := range ep.Metrics {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the metric %q is no number", name)
			}
		}
		out = append(out, ep)
		return nil
	})
	return out, err
}

// readSteps reads the lines of a metrics.jsonl, without a torn last one. It also gives the offset behind the lines up
// to the given step: what follows is to be written again.
func readSteps(r io.Reader, file string, upTo int) (steps []runfile.TrainingStep, good int64, err error) {
	over := errors.New("over")
	good, err = EachLine(r, file, true, func(text []byte) error {
		var s runfile.TrainingStep
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		if s.Step > upTo {
			return over
		}
		if n := len(steps); n > 0 && s.Step <= steps[n-1].Step {
			return fmt.Errorf("step %d comes after step %d", s.Step, steps[n-1].Step)
		}
		steps = append(steps, s)
		return nil
	})
	if errors.Is(err, over) {
		err = nil
	}
	return steps, good, err
}
