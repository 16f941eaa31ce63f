package eval

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// maxLine bounds one row or trace. Both are far below it; a longer line is damage.
const maxLine = 256 << 20

// CorruptError says which line of a result file cannot be trusted.
type CorruptError struct {
	File string
	Line int
	Why  string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s is damaged at line %d: %s", e.File, e.Line, e.Why)
}

// Hint tells the user what can still be done.
func (e *CorruptError) Hint() string {
	return fmt.Sprintf("keep a copy of the file and take line %d out; deeprepo resume plays that rollout again", e.Line)
}

// line is one line of a file.
type line struct {
	number int   // from 1
	offset int64 // of its first byte
	text   []byte
	torn   bool // the last one, without its newline
}

// eachLine calls fn for every line that is not blank; text is only valid during the call. good is the offset behind the
// last whole line for which fn did not fail. A crash can leave a torn line, or zeroed blocks, at the end: fn sees a torn
// line marked as such, and the zeros not at all.
func eachLine(r io.Reader, file string, fn func(line) error) (good int64, err error) {
	br := bufio.NewReaderSize(r, 1<<16)
	var text []byte
	for n := 1; ; n++ {
		text, err = bounded.Line(br, text[:0], maxLine)
		if long, ok := errors.AsType[*bounded.LongError](err); ok {
			return good, &CorruptError{file, n, long.Error()}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return good, fmt.Errorf("read %s: %w", file, err)
		}
		l := line{number: n, offset: good, text: bytes.TrimSuffix(text, []byte("\n")), torn: err != nil}
		if len(bytes.TrimSpace(l.text)) > 0 {
			fault := fn(l)
			if _, peek := br.Peek(1); fault != nil && bytes.IndexByte(l.text, 0) >= 0 && errors.Is(peek, io.EOF) {
				return good, nil
			}
			if fault != nil {
				return good, fault
			}
		}
		if err != nil {
			return good, nil
		}
		good += int64(len(text))
	}
}
